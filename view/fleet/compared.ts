/**
 * The rows of the page Drift: the template or console of the comparison, and the standing of each
 * console.
 *
 * @module
 */
import type { FleetRpcParams, FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { FleetConsole } from "./console.ts";

/** The other side of the comparison: a template or a console. */
export type Compared = FleetRpcParams<"fleetdrift">["with"];

/** The comparison of one console by its digests, as the hub returns it. */
export type Told = FleetRpcResult<"fleetdrift">[number];

/** A section of a console. */
export type Section = Told["differs"][number];

/**
 * The standing of a console: it is the other side of the comparison itself, is the same, differs,
 * is another model, or its difference is not known.
 */
export type Standing = "itself" | "same" | "differs" | "foreign" | "unknown";

/**
 * The choices of shown consoles; `open` shows the consoles of another model, and the consoles whose
 * difference is not known.
 */
export const DRIFT_SHOWS = ["all", "differs", "same", "open"] as const;

/** One of {@link DRIFT_SHOWS}. */
export type DriftShow = typeof DRIFT_SHOWS[number];

/** Reads the other side from an address: `template/NAME` or `console/ID`. */
export function comparedIn([kind, name]: readonly string[]): Compared | undefined {
  if (name === undefined) return undefined;
  if (kind === "template") return { template: name };
  return kind === "console" ? { console: name } : undefined;
}

/** Returns the parts of an address from which {@link comparedIn} reads the other side. */
export function partsOf(other: Compared): readonly [kind: string, name: string] {
  return "template" in other ? ["template", other.template] : ["console", other.console];
}

/** Returns the standing of a console; `told` is undefined if the hub has not compared it. */
export function standingOf(id: string, other: Compared, told: Told | undefined): Standing {
  if ("console" in other && other.console === id) return "itself";
  if (told === undefined) return "unknown";
  if (told.foreign) return "foreign";
  if (told.differs.length > 0) return "differs";
  return told.unknown.length > 0 ? "unknown" : "same";
}

/** Returns, for each of {@link DRIFT_SHOWS}, the consoles that it shows. */
export function shownBy(
  consoles: readonly FleetConsole[],
  standingAt: (id: string) => Standing,
): Readonly<Record<DriftShow, readonly FleetConsole[]>> {
  const of = (...standings: Standing[]) =>
    consoles.filter(({ _id }) => standings.includes(standingAt(_id)));
  return {
    all: consoles,
    differs: of("differs"),
    same: of("same"),
    open: of("foreign", "unknown"),
  };
}
