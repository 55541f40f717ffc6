/**
 * The engines of a console and the paths that each renders: the engine of this program, and clients
 * that have claimed paths.
 *
 * @module
 */
import { formatPath, type Path } from "../tree/tree.ts";
import type { User } from "../users/user.ts";

/** The paths that a client renders as an engine. */
export interface Claim {
  /** Its user at the time of the claim. */
  readonly user: User;
  /** Only this engine reports values at and below these paths. */
  readonly paths: readonly Path[];
  /** Whether the engine has reported that it renders slower than real time. */
  readonly isLate: boolean;
}

/** The engines of a console. */
export interface Engines {
  /**
   * The engine of this program: `none`; `plays`, which renders everything at all times; or
   * `standsIn`, which renders everything until a client first claims paths.
   */
  readonly own: "none" | "plays" | "standsIn";
  /** The claims of clients, by the number of their connection. */
  readonly claims: ReadonlyMap<number, Claim>;
  /** Claimed paths whose engine has disconnected, without a later claim at, above or below them. */
  readonly lost: readonly Path[];
}

/** The engines of a console that no engine renders yet. */
export const NO_ENGINES: Engines = { own: "none", claims: new Map(), lost: [] };

/**
 * State of the engines: there is none; all run; one falls behind real time; one has disconnected.
 */
export const ENGINE_STATES = ["none", "running", "late", "lost"] as const;

/** One of `ENGINE_STATES`. */
export type EngineState = typeof ENGINE_STATES[number];

/** Returns the value of `general/_engine`. */
export function engineState({ own, claims, lost }: Engines): EngineState {
  if (lost.length > 0) return "lost";
  if ([...claims.values()].some(({ isLate }) => isLate)) return "late";
  return own !== "none" || claims.size > 0 ? "running" : "none";
}

/** Says whether two paths are equal, or one is above the other. */
export function overlaps(one: Path, other: Path): boolean {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) if (one[at] !== other[at]) return false;
  return true;
}

/**
 * Returns a text that names the claim which overlaps a path, so that a connection cannot claim the
 * path: that of the engine of this program, unless it only stands in, or that of another
 * connection. Undefined if no claim overlaps.
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
    if (taken !== undefined) return `${formatPath(taken)}, which engine ${user.name} has claimed`;
  }
}
