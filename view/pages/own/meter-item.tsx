/**
 * Meters of the console on an own page.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { MeterBoard } from "../../parts/meters/board.ts";
import { Meter } from "../../parts/meters/meter.tsx";
import type { MeterMode } from "../../parts/meters/scale.ts";
import { at, meters } from "../../state/live.ts";
import { ownTexts } from "../../texts/own.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { whileSeen } from "../../while-seen.ts";
import { levelMeter } from "../mixer/mixer-meters.ts";

/** Interval in ms between updates of the numbers of a loudness meter: slow enough to be read. */
const READ_MS = 500;

/** A level meter, on the scale of its mode. */
export function LevelItem(
  { id, board }: { readonly id: number; readonly board: MeterBoard | undefined },
) {
  const name = at(`/audio/levels/${id}/_name`).value ?? "";
  const mode = at(`/audio/levels/${id}/_mode`).value as MeterMode | undefined;
  if (mode === undefined) return null;
  return (
    <section class="own-meter">
      <bdi class="strip-line cut">{name}</bdi>
      <Meter board={board} name={levelMeter(id)} mode={mode} label={name} hasScale />
      <span class="strip-line cut muted">{mode}</span>
    </section>
  );
}

/** The values of a loudness meter that are shown, by the names of their texts. */
const VALUES = { momentary: "_levelm", shortTerm: "_levels", integrated: "_leveli" } as const;

/** A loudness meter, in numbers. */
export function LoudnessItem({ id }: { readonly id: number }) {
  const own = textsOf(ownTexts);
  const { decimal } = texts();
  const name = at(`/audio/loudness/${id}/_name`).value ?? "";
  const [known] = useState(() => signal<Readonly<Record<string, number>>>({}));
  useEffect(() =>
    whileSeen(() =>
      meters(`/audio/loudness/${id}` as string, (change) => {
        known.value = { ...known.peek(), ...change as Readonly<Record<string, number>> };
      }, { interval: READ_MS })
    ), [id]);
  return (
    <section class="own-loudness card" aria-label={name}>
      <bdi class="cut">{name}</bdi>
      <dl>
        {Object.entries(VALUES).map(([text, member]) => {
          const value = known.value[member];
          return (
            <div key={member}>
              <dt class="muted small">{own[text as keyof typeof VALUES]}</dt>
              <dd>{value === undefined ? "–" : decimal(value, 1)}</dd>
            </div>
          );
        })}
      </dl>
      <span class="muted small">{own.units}</span>
    </section>
  );
}
