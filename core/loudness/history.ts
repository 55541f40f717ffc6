/**
 * The history of levels and loudness: the readings of the meters of the console in the last hour,
 * one point a second. It is held in memory only, so that a restart forgets it, as does another
 * configuration; a meter that no engine has reported has no history.
 *
 * While an engine renders such meters, they are read once a second even without subscribers; with
 * subscribers, every report counts.
 *
 * @module
 */
import { changesConfiguration } from "../backup/restored.ts";
import type { Console } from "../console.ts";
import type { DeferredReports } from "../engines/deferred-reports.ts";
import { type Engines, overlaps } from "../engines/engines.ts";
import { HISTORY_METERS } from "../limits.ts";
import type { CooperativeScheduler, Steps, Timer } from "../ports.ts";
import { type Branch, find, isBranch, type Path, type Tree } from "../tree/tree.ts";
import { createPoints, type PointKinds, type Points } from "./points.ts";

/** The meters that have a history, as `audio` of the control tree names them. */
export type HistoryKind = "loudness" | "levels";

/** The history of the meters of a console. */
export interface LoudnessHistory {
  /** The number of the present second, counted from any origin. */
  second(): number;
  /** Returns the points of a meter; undefined while there are none. */
  of(kind: HistoryKind, id: number): Points | undefined;
}

/** The ports of a history. */
export interface LoudnessHistoryPorts {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly reports: Pick<DeferredReports, "takePart">;
}

const SECOND_MS = 1000;

const VALUES: Readonly<Record<HistoryKind, PointKinds>> = {
  loudness: {
    _levelm: "highest",
    _levels: "last",
    _leveli: "last",
    _levelo: "last",
    _levelu: "last",
  },
  levels: { _left: "highest", _right: "highest" },
};

const KINDS = Object.keys(VALUES) as readonly HistoryKind[];

/** Makes the history of a console, which is empty at first. */
export function createLoudnessHistory(
  console: Console,
  { timer, scheduler, reports }: LoudnessHistoryPorts,
): LoudnessHistory {
  const meters = new Map<string, Points>();
  let cancel: (() => void) | undefined;
  let isLooking = false;

  console.watch((event) => {
    if (event.type === "treechanged") {
      if (event.ofMeters === true) noteAll(event.patch);
    } else if (event.type === "engineschanged") settle();
    else if (changesConfiguration(event)) {
      // Another configuration may have another meter of that number.
      meters.clear();
      settle();
    }
  });
  settle();

  function second(): number {
    return Math.floor(timer.monotonic() / SECOND_MS);
  }

  /**
   * Starts or stops the reading once a second, which is needed while an engine renders any of the
   * meters.
   */
  function settle(): void {
    const { tree, engines } = console.state;
    const isRendered = KINDS.some((kind) =>
      metersIn(tree, kind).some((id) => renders(engines, kind, id))
    );
    if (isRendered) wake();
    else {
      cancel?.();
      cancel = undefined;
    }
  }

  function wake(): void {
    cancel ??= timer.at((second() + 1) * SECOND_MS, () => {
      cancel = undefined;
      wake();
      if (isLooking) return;
      isLooking = true;
      scheduler.run(look()).catch(console.tellFault);
    });
  }

  function* look(): Steps<void> {
    try {
      if (console.state.engines.own === "none") yield* reports.takePart(KINDS);
      else console.reading(["audio", "loudness"]);
      yield;
      noteAll(console.state.tree);
    } finally {
      // After a fault of a reader or a watcher it looks again in a second.
      isLooking = false;
    }
  }

  /** Notes those values of a tree or a patch that have a history and that an engine renders. */
  function noteAll(tree: Tree): void {
    const { engines } = console.state;
    for (const kind of KINDS) {
      for (const id of metersIn(tree, kind)) {
        if (renders(engines, kind, id)) note(kind, id, find(tree, ["audio", kind, id]) as Branch);
      }
    }
  }

  function note(kind: HistoryKind, id: string, values: Branch): void {
    const key = `${kind}/${id}`;
    const known = meters.get(key);
    if (known === undefined && meters.size === HISTORY_METERS) return;
    const points = known ?? createPoints(VALUES[kind]);
    points.note(second(), values);
    if (points.first < Infinity) meters.set(key, points);
  }

  return { second, of: (kind, id) => meters.get(`${kind}/${id}`) };
}

function metersIn(tree: Tree, kind: HistoryKind): readonly string[] {
  const meters = find(tree, ["audio", kind]);
  return meters !== undefined && isBranch(meters) ? Object.keys(meters) : [];
}

function renders({ own, claims }: Engines, kind: HistoryKind, id: string): boolean {
  const path: Path = ["audio", kind, id];
  return own !== "none" ||
    [...claims.values()].some(({ paths }) => paths.some((claimed) => overlaps(claimed, path)));
}
