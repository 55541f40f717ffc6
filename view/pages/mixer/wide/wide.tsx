/**
 * The wide strip: the members of a fader that its strip does not show.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RangesOf } from "./ranges.ts";
import { at, meters, onOpen as onConnection, read } from "../../../state/live.ts";
import { Button } from "../../../parts/button.tsx";
import { texts } from "../../../texts/texts.ts";
import { whileSeen } from "../../../while-seen.ts";
import { areMetersShown } from "../mixer-meters.ts";
import { Name } from "../name.tsx";
import { Assignment } from "./assignment.tsx";
import { Block } from "./block.tsx";
import { EqualizerCurve } from "./equalizer.tsx";
import type { LastChanged as Loaded } from "../../admin/last-changed.tsx";
import type { GainReductions } from "./reduction.tsx";

/** The properties of a wide strip. */
export interface WideStripProps {
  readonly mixer: number;
  readonly fader: number;
  /** All faders of the mixer, to move from one to the next. */
  readonly faders: readonly number[];
  readonly onOpen: (fader: number | undefined) => void;
}

/** The blocks that are shown first and are not part of the order of the processing. */
const ALWAYS = ["gain", "panbal", "swc"];

/** What is read first of the processing to show what it takes off. */
const REDUCTIONS = { depth: 2, only: ["_gainreduction"] };

const EQUALIZER = /^eq\d$/;

/** The wide strip of a fader. */
export function WideStrip({ mixer, fader, faders, onOpen }: WideStripProps) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const [ranges, setRanges] = useState<RangesOf>();
  const [reductions] = useState<GainReductions>(() => new Map());
  const [LastChanged, setLastChanged] = useState<typeof Loaded>();
  const element = useRef<HTMLElement>(null);
  const { mixer: text } = texts();
  useEffect(
    () =>
      onConnection(() =>
        void read(`/range${own}/params`).then((all) => setRanges(all as RangesOf))
      ),
    [
      own,
    ],
  );
  useEffect(() => {
    // For admins alone, so a part of their page, and not of what everybody loads first.
    import("../../admin/admin.tsx").then(
      (loaded) => setLastChanged(() => loaded.LastChanged),
      () => {},
    );
  }, []);
  useEffect(() => {
    if (!areMetersShown) return;
    return whileSeen(() =>
      meters(`${own}/params`, (params) => {
        for (const [block, { _gainreduction: dB } = {}] of Object.entries(params) as Reported) {
          if (dB !== undefined) reductions.get(block)?.(dB);
        }
      }, { extent: REDUCTIONS })
    );
  }, [own]);
  useLayoutEffect(() => element.current!.focus(), []);
  const order = at(`${own}/_paramlist`).value ?? [];
  const index = faders.indexOf(fader);
  const neighbour = (step: number) => {
    const next = faders[index + step];
    return next === undefined ? { reason: text.noMore, onPress() {} } : {
      onPress: () => onOpen(next),
    };
  };
  const equalizers = order.filter((name) => EQUALIZER.test(name));
  const dynamics = order.filter((name) => !EQUALIZER.test(name));
  return (
    <aside
      ref={element}
      class="wide"
      tabIndex={-1}
      aria-label={text.wide(at(`${own}/label`).value ?? "")}
    >
      <header class="wide-head line">
        <Button label={text.before} icon="left" isBare {...neighbour(-1)} />
        <Name key={fader} mixer={mixer} fader={fader} tabIndex={0} />
        <Button label={text.next} icon="right" isBare {...neighbour(1)} />
        <Button label={texts().shell.close} icon="close" isBare onPress={() => onOpen(undefined)} />
      </header>
      <div class="wide-body" key={fader}>
        {LastChanged && <LastChanged mixer={mixer} fader={fader} />}
        <Assignment mixer={mixer} fader={fader} />
        {ranges !== undefined && (
          <>
            <Block path={`${own}/params/gain`} name="gain" ranges={ranges} />
            {equalizers.length > 0 && (
              <section class="wide-equalizer">
                <EqualizerCurve path={`${own}/params`} bands={order} />
                <div class="wide-bands">
                  {equalizers.map((name) => (
                    <Block key={name} path={`${own}/params/${name}`} name={name} ranges={ranges} />
                  ))}
                </div>
              </section>
            )}
            {dynamics.map((name) => (
              <Block
                key={name}
                path={`${own}/params/${name}`}
                name={name}
                ranges={ranges}
                reductions={reductions}
              />
            ))}
            {ALWAYS.slice(1).map((name) => (
              <Block key={name} path={`${own}/params/${name}`} name={name} ranges={ranges} />
            ))}
          </>
        )}
      </div>
    </aside>
  );
}

/** The gain reductions in a change of `params`. */
type Reported = readonly (readonly [string, { readonly _gainreduction?: number } | undefined])[];
