/**
 * Which engines play a console, and which parts of it: the one of this program, and those that are
 * clients and have claimed paths.
 *
 * @module
 */
import { formatPath, type Path } from "../tree/tree.ts";

/** What an engine that is a client plays. */
export interface Claim {
  /** The name of its user. */
  readonly user: string;
  /** At and below these paths it reports, and nobody else does. */
  readonly paths: readonly Path[];
  /** Whether it renders less sound than time passes, as it says itself. */
  readonly isLate: boolean;
}

/** The engines of a console. */
export interface Engines {
  /**
   * The engine of this program: none; one that plays everything for good; or one that only stands
   * in, until a client first claims paths.
   */
  readonly own: "none" | "plays" | "standsIn";
  /** What clients have claimed, by their connections. */
  readonly claims: ReadonlyMap<number, Claim>;
  /** Paths whose engine has gone, and at, above or below which nobody has claimed any since. */
  readonly lost: readonly Path[];
}

/** The engines of a console that nobody plays yet. */
export const NO_ENGINES: Engines = { own: "none", claims: new Map(), lost: [] };

/**
 * Whether a console is played: by nobody; by an engine; by one that falls behind; not, where one
 * has gone.
 */
export const ENGINE_STATES = ["none", "running", "late", "lost"] as const;

/** One of `ENGINE_STATES`. */
export type EngineState = typeof ENGINE_STATES[number];

/** Answers what `general/_engine` says. */
export function engineState({ own, claims, lost }: Engines): EngineState {
  if (lost.length > 0) return "lost";
  if ([...claims.values()].some(({ isLate }) => isLate)) return "late";
  return own !== "none" || claims.size > 0 ? "running" : "none";
}

/** Says whether one path is the other, or leads to it. */
export function overlaps(one: Path, other: Path): boolean {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) if (one[at] !== other[at]) return false;
  return true;
}

/**
 * Answers what already plays a path, or something above or below it, so that a connection cannot
 * claim it: the engine of this program, unless it only stands in, or another connection. Undefined
 * where nothing does.
 */
export function claimOver(
  { own, claims }: Engines,
  connection: number,
  path: Path,
): string | undefined {
  if (own === "plays") return "what the engine of this program plays";
  for (const [other, { user, paths }] of claims) {
    if (other === connection) continue;
    const taken = paths.find((one) => overlaps(one, path));
    if (taken !== undefined) return `${formatPath(taken)}, which engine ${user} has claimed`;
  }
}
