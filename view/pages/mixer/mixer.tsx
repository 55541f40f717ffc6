/**
 * The page of a mixer: a strip for each fader, and the controls of the whole mixer.
 *
 * @module
 */
import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { at, follow, onOpen, read } from "../../state/live.ts";
import { addressOf } from "../../state/route.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { texts } from "../../texts/texts.ts";
import { openDialogs } from "../../parts/dialog.tsx";
import { NotLoaded } from "../../parts/not-loaded.tsx";
import { loadedLater } from "../later.ts";
import { groupsPart, loadGroups } from "./groups-part.ts";
import { Levels } from "./levels.tsx";
import { useMixerMeters } from "./mixer-meters.ts";
import { MuteGroups } from "./mute-groups.tsx";
import { Row } from "./row.tsx";
import { partsOfShown, shownOfMixer } from "./shown.ts";
import { WhoIsThere } from "./who.tsx";
import type { WideStripProps } from "./wide/wide.tsx";

/** The wide strip of a fader, which is loaded later. */
export const wideStrip = loadedLater<WideStripProps>(async () =>
  (await import("./wide/wide.tsx")).WideStrip
);

/**
 * The page of the mixer in the address, by default the first one: `#/mixer/0`, or `#/mixer/0/2`
 * with the wide strip of a fader, and `#/mixer/0/2/equalizer` with a section of it;
 * `#/mixer/0/vca/1` has the strips of a VCA group alone.
 */
export function Mixer({ parts: [named, ...rest] }: { readonly parts: readonly string[] }) {
  const [mixers, setMixers] = useState<readonly (readonly [number, string])[]>();
  // Without an answer, or if it is refused, what is known stays until the next connection.
  useEffect(() => onOpen(() => void readMixers().then((found) => found && setMixers(found))), []);
  const { vca, open, section } = shownOfMixer(rest);
  const isSpilled = vca !== undefined;
  useEffect(() => {
    // Loads the bar that says that not all strips are shown, and that leads back to all of them.
    if (isSpilled) loadGroups();
  }, [isSpilled]);
  const { GroupBar } = groupsPart.value ?? {};
  const text = mixerWords();
  if (mixers === undefined) return <p class="muted">{texts().shell.loading}</p>;
  const mixer = named === undefined ? mixers[0]?.[0] : Number(named);
  if (mixer === undefined) return <p class="muted">{text.noMixers}</p>;
  if (!mixers.some(([id]) => id === mixer)) {
    return <p class="muted">{text.none}</p>;
  }
  return (
    <div class="mixer">
      <div class="mixer-bar toolbar">
        {mixers.length > 1 && (
          <nav class="mixer-tabs line" aria-label={text.mixers}>
            {mixers.map(([id, name]) => (
              <a
                key={id}
                class="button"
                href={addressOf("mixer", id)}
                aria-current={id === mixer ? "page" : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
        )}
        {GroupBar === undefined
          ? <MuteGroups mixer={mixer} />
          : <GroupBar key={mixer} mixer={mixer} spilled={vca} />}
        <span class="space" />
        <WhoIsThere mixer={mixer} />
      </div>
      <Desk
        key={`${mixer} ${vca}`}
        mixer={mixer}
        vca={vca}
        open={open}
        section={section}
      />
    </div>
  );
}

/** The members that the strips of all faders show, without members that few faders have. */
export const STRIPS = {
  depth: 2,
  only: [
    "label",
    "fader",
    "on",
    "pfl1",
    "pfl2",
    "sourceid",
    "vcagroup",
    "_defaultlabel",
    "_readystate",
  ],
};

interface DeskProps {
  readonly mixer: number;
  /** The VCA group whose strips alone are shown. */
  readonly vca: number | undefined;
  /** The fader whose wide strip is open, NaN for none, and the section of it in the address. */
  readonly open: number;
  readonly section: string | undefined;
}

/** The strips of a mixer, and the wide strip of the open fader, if that exists. */
function Desk({ mixer, vca, open, section }: DeskProps) {
  // A layout effect runs before the drawn values are requested.
  useLayoutEffect(() => follow(`/audio/mixers/${mixer}/faders`, STRIPS), [mixer]);
  const board = useMixerMeters();
  const isAnyOpen = !Number.isNaN(open);
  useEffect(() => {
    if (isAnyOpen) wideStrip.load();
  }, [isAnyOpen]);
  const faders = at(`/audio/mixers/${mixer}/faders`);
  // Computed as a text, so that it changes only when the list of faders changes, not with their
  // values.
  const numbers = useComputed(() =>
    faders.value &&
    Object.entries(faders.value)
      .filter(([, { vcagroup }]) => vca === undefined || vcagroup === vca)
      .map(([fader]) => fader).join()
  ).value;
  if (numbers === undefined) return <p class="muted">{texts().shell.loading}</p>;
  if (numbers === "") {
    const text = mixerWords();
    return <p class="muted">{vca === undefined ? text.noFaders : text.noMembers}</p>;
  }
  const ids = numbers.split(",").map(Number);
  const openId = ids.includes(open) ? open : undefined;
  const setOpen = (fader?: number, shown = section) => {
    const address = addressOf("mixer", mixer, ...partsOfShown(vca, fader, shown));
    // The back button closes the wide strip instead of returning to earlier ones.
    if (openId === undefined) location.hash = address;
    else location.replace(address);
  };
  const WideStrip = wideStrip.component.value;
  return (
    <div
      class="mixer-desk"
      onKeyDown={({ key }) => {
        // A dialog of a strip is inside the desk: Escape closes it alone.
        if (key === "Escape" && openId !== undefined && openDialogs.peek() === 0) setOpen();
      }}
    >
      <Row mixer={mixer} faders={ids} board={board} open={openId} onOpen={setOpen} />
      {openId === undefined
        ? <Levels board={board} />
        : WideStrip === "failed"
        ? <NotLoaded />
        : WideStrip !== undefined && (
          <WideStrip
            mixer={mixer}
            fader={openId}
            faders={ids}
            section={section}
            onOpen={setOpen}
          />
        )}
    </div>
  );
}

/** The mixers of the console, each with its name; undefined without an answer, or if refused. */
async function readMixers(): Promise<(readonly [number, string])[] | undefined> {
  const mixers = await read("/audio/mixers", { depth: 2, only: ["_name"] });
  return mixers &&
    Object.entries(mixers).map(([id, { _name = "" }]) => [Number(id), _name] as const);
}
