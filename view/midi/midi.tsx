/**
 * The MIDI controllers of this device: the connected ones, and the ones that operate the page. It
 * is loaded only if a user has chosen them.
 *
 * @module
 */
import { computed, effect, signal } from "@preact/signals";
import { Check } from "../parts/check.tsx";
import { keep, kept } from "../state/kept.ts";
import { midi } from "../state/preferences.ts";
import { midiTexts } from "../texts/midi.ts";
import { textsOf } from "../texts/texts.ts";
import { connectControllers, type Controller } from "./controllers.ts";
import { isExtender, isLikely, type Pair, pairsOf } from "./ports.ts";

/** Ports of the browser that belong together. */
type MidiPair = Pair<MIDIInput, MIDIOutput>;

/** The state of the ports: the reason for which there are none, or the ports. */
const ports = signal<"missing" | "asking" | "refused" | readonly MidiPair[]>("asking");

/** A controller at a port. */
interface PortController extends Controller {
  readonly input: MIDIInput;
}

const CHOSEN = "controllers";

/** The choice of the user for each pair, by its name. */
const said = signal<Readonly<Record<string, boolean>>>(readSaid());

const isChosen = (name: string) => said.value[name] ?? isLikely(name);

/** The chosen pairs, computed anew only if the ports or the choices have changed. */
const chosen = computed<readonly MidiPair[]>(() => {
  const known = ports.value;
  return typeof known === "string" ? [] : known.filter(({ name }) => isChosen(name));
});

/** Asks the browser for the ports, and connects controllers as long as they are chosen. */
export function begin(): void {
  effect(() => {
    if (midi.chosen.value === "off") return;
    const controllers = signal<readonly PortController[]>([]);
    const stopConnecting = connectControllers(controllers);
    const stopFollowing = effect(() => {
      // A controller that stays is kept, and its lamps stay on.
      const before = controllers.peek();
      controllers.value = chosen.value.map((pair) =>
        before.find(({ input }) => input === pair.input) ?? controllerOf(pair)
      );
    });
    const stopAsking = askForPorts();
    return () => {
      stopAsking();
      stopFollowing();
      stopConnecting();
    };
  });
}

/** Has the browser report its ports, now and whenever they change. */
function askForPorts(): () => void {
  let isOver = false;
  let access: MIDIAccess | undefined;
  if (navigator.requestMIDIAccess === undefined) ports.value = "missing";
  else {
    ports.value = "asking";
    navigator.requestMIDIAccess({ sysex: true }).then((given) => {
      if (isOver) return;
      access = given;
      const look = () => ports.value = pairsOf(given.inputs.values(), given.outputs.values());
      given.onstatechange = ({ port }) => {
        // The opening of a port is reported, too, but changes no pair.
        if (port === null || hasChanged(port)) look();
      };
      look();
    }, () => ports.value = "refused");
  }
  return () => {
    isOver = true;
    if (access !== undefined) access.onstatechange = null;
  };
}

/** Whether a port came or went since the pairs were made. */
function hasChanged({ id, state }: MIDIPort): boolean {
  const known = ports.peek();
  const isKnown = typeof known !== "string" &&
    known.some(({ input, output }) => input.id === id || output.id === id);
  return isKnown !== (state === "connected");
}

function controllerOf({ name, input, output }: MidiPair): PortController {
  return {
    input,
    isExtender: isExtender(name),
    send(bytes) {
      // A port that was pulled out takes no messages any more; the browser reports it soon.
      if (output.state === "connected") output.send([...bytes]);
    },
    listen(listener) {
      input.onmidimessage = listener === undefined
        ? null
        : ({ data }) => data !== null && listener([...data]);
    },
  };
}

/** The controllers in the choices for this device. */
export function MidiChoice() {
  const own = textsOf(midiTexts);
  const known = ports.value;
  if (typeof known === "string") return <p role="status" class="small">{own[known]}</p>;
  if (known.length === 0) return <p role="status" class="small">{own.none}</p>;
  return (
    <div class="form">
      <p class="muted small">{own.hint}</p>
      {known.map(({ name }) => (
        <Check
          key={name}
          label={name}
          isOn={isChosen(name)}
          onChange={(isOn) => say(name, isOn)}
        />
      ))}
    </div>
  );
}

function say(name: string, isOn: boolean): void {
  said.value = { ...said.value, [name]: isOn };
  keep("localStorage", CHOSEN, JSON.stringify(said.value));
}

function readSaid(): Readonly<Record<string, boolean>> {
  try {
    return JSON.parse(kept("localStorage", CHOSEN) ?? "{}");
  } catch {
    return {};
  }
}
