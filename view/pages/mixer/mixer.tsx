/**
 * The page of a mixer: a strip for each fader, and the controls of the whole mixer.
 *
 * @module
 */
import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { at, follow, onOpen, read } from "../../state/live.ts";
import { addressOf } from "../../state/route.ts";
import { texts } from "../../texts/texts.ts";
import { loadStyles } from "../later-styles.ts";
import { Levels } from "./levels.tsx";
import { useMixerMeters } from "./mixer-meters.ts";
import { MuteGroups } from "./mute-groups.tsx";
import { Row } from "./row.tsx";
import { WhoIsThere } from "./who.tsx";
import { WideStrip } from "./wide/wide.tsx";

/**
 * The page of the mixer in the address, by default the first one: `#/mixer/0`, or `#/mixer/0/2`
 * with the wide strip of a fader.
 */
export function Mixer({ parts: [named, open] }: { readonly parts: readonly string[] }) {
  const [mixers, setMixers] = useState<readonly (readonly [number, string])[]>();
  useEffect(() => onOpen(() => void readMixers().then(setMixers)), []);
  const text = texts();
  if (mixers === undefined) return <p class="muted">{text.shell.loading}</p>;
  const mixer = named === undefined ? mixers[0]?.[0] : Number(named);
  if (mixer === undefined) return <p class="muted">{text.mixer.noMixers}</p>;
  if (!mixers.some(([id]) => id === mixer)) {
    return <p class="muted">{text.mixer.none}</p>;
  }
  return (
    <div class="mixer">
      <div class="mixer-bar toolbar">
        {mixers.length > 1 && (
          <nav class="mixer-tabs line" aria-label={text.mixer.mixers}>
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
        <MuteGroups mixer={mixer} />
        <span class="space" />
        <WhoIsThere mixer={mixer} />
      </div>
      <Desk key={mixer} mixer={mixer} open={Number(open)} />
    </div>
  );
}

/** What the strips of all faders show, but for what few faders have. */
const STRIPS = {
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

/** The strips of a mixer, and the wide strip of the open fader, if that exists. */
function Desk({ mixer, open }: { readonly mixer: number; readonly open: number }) {
  // Before what is drawn is asked for.
  useLayoutEffect(() => follow(`/audio/mixers/${mixer}/faders`, STRIPS), [mixer]);
  const board = useMixerMeters();
  const [isStyled, setStyled] = useState(false);
  const isAnyOpen = !Number.isNaN(open);
  useEffect(() => {
    if (isAnyOpen) loadStyles().catch(() => {}).then(() => setStyled(true));
  }, [isAnyOpen]);
  const faders = at(`/audio/mixers/${mixer}/faders`);
  // Computed as a text, so that it changes only when the list of faders changes, not with their
  // values.
  const numbers = useComputed(() => Object.keys(faders.value ?? {}).join()).value;
  if (numbers === "") return <p class="muted">{texts().shell.loading}</p>;
  const ids = numbers.split(",").map(Number);
  const openId = ids.includes(open) ? open : undefined;
  const setOpen = (fader?: number) => {
    const address = addressOf("mixer", mixer, ...fader === undefined ? [] : [fader]);
    // The back button closes the wide strip instead of returning to earlier ones.
    if (openId === undefined) location.hash = address;
    else location.replace(address);
  };
  return (
    <div
      class="mixer-desk"
      onKeyDown={({ key }) => {
        if (key === "Escape" && openId !== undefined) setOpen();
      }}
    >
      <Row mixer={mixer} faders={ids} board={board} open={openId} onOpen={setOpen} />
      {openId === undefined
        ? <Levels board={board} />
        : isStyled && <WideStrip mixer={mixer} fader={openId} faders={ids} onOpen={setOpen} />}
    </div>
  );
}

/** The mixers of the console, each with its name. */
async function readMixers(): Promise<(readonly [number, string])[]> {
  const mixers = await read("/audio/mixers", { depth: 2, only: ["_name"] }) ?? {};
  return Object.entries(mixers).map(([id, { _name = "" }]) => [Number(id), _name] as const);
}
