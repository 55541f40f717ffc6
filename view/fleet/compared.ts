/**
 * The rows of the page Drift: what consoles are compared with, and how each of them stands.
 *
 * @module
 */
import type { FleetRpcParams, FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import type { FleetConsole } from "./console.ts";

/** What consoles are compared with: a template, or one of them. */
export type Compared = FleetRpcParams<"fleetdrift">["with"];

/** What the hub says of a console by its digests. */
export type Told = FleetRpcResult<"fleetdrift">[number];

/** A section of a console. */
export type Section = Told["differs"][number];

/**
 * How a console stands: it is what the others are compared with, the same, or another model; it
 * differs; or nobody knows.
 */
export type Standing = "itself" | "same" | "differs" | "foreign" | "unknown";

/** The consoles that are shown; `open` are those of which nobody knows whether they are the same. */
export const DRIFT_SHOWS = ["all", "differs", "same", "open"] as const;

/** One of {@link DRIFT_SHOWS}. */
export type DriftShow = typeof DRIFT_SHOWS[number];

/** Reads what is compared out of an address: `template/NAME`, or `console/ID`. */
export function comparedIn([kind, name]: readonly string[]): Compared | undefined {
  if (name === undefined) return undefined;
  if (kind === "template") return { template: name };
  return kind === "console" ? { console: name } : undefined;
}

/** The parts of an address by which {@link comparedIn} reads it. */
export function partsOf(other: Compared): readonly [kind: string, name: string] {
  return "template" in other ? ["template", other.template] : ["console", other.console];
}

/** Says how a console stands by what the hub tells of it, if it does. */
export function standingOf(id: string, other: Compared, told: Told | undefined): Standing {
  if ("console" in other && other.console === id) return "itself";
  if (told === undefined) return "unknown";
  if (told.foreign) return "foreign";
  if (told.differs.length > 0) return "differs";
  return told.unknown.length > 0 ? "unknown" : "same";
}

/** Returns the consoles of those that each of {@link DRIFT_SHOWS} shows. */
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
