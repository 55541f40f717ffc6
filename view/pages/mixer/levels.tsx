/**
 * The levels of the console, beside its strips if there is room.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { onOpen, read } from "../../state/live.ts";
import type { MeterBoard } from "../../parts/meters/board.ts";
import { Meter } from "../../parts/meters/meter.tsx";
import type { MeterMode } from "../../parts/meters/scale.ts";
import { levelMeter } from "./mixer-meters.ts";

/** Maximum number of levels that are shown: there is room for these. */
const MOST = 4;

/** The members that are read of all levels. */
const NAMES = { depth: 2, only: ["_name", "_mode"] };

/** A level: its name and its mode. */
interface Level {
  readonly id: number;
  readonly name: string;
  readonly mode: MeterMode;
}

/** The first levels of the console, each on the scale of its mode. */
export function Levels({ board }: { readonly board: MeterBoard | undefined }) {
  const levels = useSignal<readonly Level[]>([]);
  useEffect(() =>
    onOpen(async () => {
      const found = await read("/audio/levels", NAMES);
      if (found === undefined) return;
      levels.value = Object.entries(found).slice(0, MOST)
        .map(([id, { _name: name, _mode: mode }]) => ({ id: Number(id), name, mode } as Level));
    }), []);
  if (board === undefined || levels.value.length === 0) return null;
  return (
    <section class="mixer-levels">
      {levels.value.map(({ id, name, mode }) => (
        <div class="mixer-level" key={id}>
          <bdi class="strip-line cut">{name}</bdi>
          <Meter board={board} name={levelMeter(id)} mode={mode} label={name} hasScale />
          <span class="strip-line cut muted">{mode}</span>
        </div>
      ))}
    </section>
  );
}
