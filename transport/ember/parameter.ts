/**
 * Parameters of Ember+ that are leaves of the control tree.
 *
 * @module
 */
import { METER_RANGE } from "../../core/limits.ts";
import type { State } from "../../core/state.ts";
import { isLeafDefinition, type LeafDefinition, type NumberLeaf } from "../../core/tree/leaf.ts";
import { namesMeters } from "../../core/tree/meters.ts";
import { OPERATED } from "../../core/tree/operated.ts";
import { type Parts, partsBelow } from "../../core/tree/parts.ts";
import { type Branch, find, formatPath, type Path, type Tree } from "../../core/tree/tree.ts";
import type { May } from "../../core/users/user.ts";
import type { BerValue } from "./ber.ts";
import type { ParameterElement, ParameterType } from "./element.ts";

/** The console as a consumer sees it. */
export interface Seen {
  readonly state: State;
  /** The right of consumers (`ember.may`). */
  readonly may: May;
}

/**
 * Read-only numbers that are integers. All others may have decimals, whatever value they have now.
 */
const WHOLE: ReadonlySet<string> = new Set(
  ("_hourmeter _syncsource _systemfrequency _systemtime _uptime _activewebsockets _maxwebsockets " +
    "_sourceid _usecleanfeed _channelcnt _channels _page _subscribers " +
    "_maxrxstreams _maxtxstreams").split(" "),
);

/**
 * Factor of meters, which are integers in hundredths, because one library accepts no stream of
 * reals; consumers divide by it.
 */
const METER_FACTOR = 100;

/** Makes the parameter of a leaf of the control tree; undefined if there is no leaf at the path. */
export function leafParameter(
  seen: Seen,
  path: Path,
  called: Pick<ParameterElement, "identifier" | "description">,
): ParameterElement | undefined {
  const { state } = seen;
  const current = find(state.tree, path);
  if (current === undefined || typeof current === "object") return undefined;
  const definition = definitionAt(state, path);
  const access = definition !== undefined && maySet(seen.may, path) ? "readWrite" : "read";
  const isMeter = typeof current === "number" && namesMeters(path);
  const type = isMeter
    ? "integer"
    : definition === undefined
    ? typeOfReadOnly(current, path.at(-1)!)
    : typeOfLeaf(definition);
  return {
    kind: "parameter",
    ...called,
    type,
    access,
    ...(definition?.type === "number" ? rangeOf(definition, type) : {}),
    enumeration: type === "enumeration" ? valuesOf(definition) : undefined,
    ...(isMeter ? METER : {}),
    meter: isMeter ? path : undefined,
    value: () => leafValue(seen.state, path),
    // Leaves that consumers may not set have this, too: the console refuses that, and the audit
    // trail says so.
    setting: (value) => ({
      method: "set",
      path: formatPath(path),
      payload: writtenValue(definition, value),
    }),
  };
}

/** Returns the value of a meter as its parameter and its stream have it. */
export function meterValue(value: number): number {
  return Math.round(value * METER_FACTOR);
}

const METER = {
  min: METER_RANGE.min * METER_FACTOR,
  max: METER_RANGE.max * METER_FACTOR,
  factor: METER_FACTOR,
  format: "%.2f",
};

/** Returns the value of a leaf of the control tree, as a parameter has it; null for no leaf. */
function leafValue(state: State, path: Path): BerValue {
  const value = find(state.tree, path);
  if (value === undefined || typeof value === "object") return null;
  if (typeof value === "number" && namesMeters(path)) return meterValue(value);
  const definition = definitionAt(state, path);
  return definition?.type === "string" && definition.values !== undefined
    ? Math.max(0, definition.values.indexOf(String(value)))
    : value as number | boolean | string;
}

function definitionAt({ ranges }: State, path: Path): LeafDefinition | undefined {
  const definition = find(ranges as Branch, path) as object | undefined;
  return definition !== undefined && isLeafDefinition(definition) ? definition : undefined;
}

/** Says whether consumers may set a leaf: operators may only set some (`operated.ts`). */
function maySet(may: May, path: Path): boolean {
  if (may !== "operate") return may === "configure";
  return path.reduce<Parts | undefined>(partsBelow, OPERATED) === true;
}

function typeOfReadOnly(value: Tree, member: string): ParameterType {
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "string") return "string";
  return WHOLE.has(member) ? "integer" : "real";
}

function typeOfLeaf(leaf: LeafDefinition): ParameterType {
  switch (leaf.type) {
    case "boolean":
      return "boolean";
    case "string":
      return leaf.values === undefined ? "string" : "enumeration";
    case "number":
      return isWhole(leaf) ? "integer" : "real";
  }
}

/** Says whether a number is an integer: one without a range names something, such as a channel. */
function isWhole({ min, step, unit }: NumberLeaf): boolean {
  return unit === undefined && (step === 1 || (step === undefined && min === undefined));
}

function rangeOf({ min, max, step = 1, unit }: NumberLeaf, type: ParameterType) {
  const decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const number = type === "integer" ? "%d" : `%.${decimals}f`;
  return { min, max, format: unit === undefined ? number : `${number} ${unit}` };
}

/**
 * Returns the entries of an enumeration; since none may be empty, a dash stands for an empty text.
 */
function valuesOf(definition: LeafDefinition | undefined): readonly string[] {
  const { values = [] } = definition as { readonly values?: readonly string[] };
  return values.map((value) => value === "" ? "-" : value);
}

/**
 * Returns the value for the control API to set. An invalid value is passed on unchanged, so that it
 * is refused as on every other interface.
 */
function writtenValue(definition: LeafDefinition | undefined, value: BerValue): unknown {
  if (definition?.type === "string" && definition.values !== undefined) {
    return typeof value === "number" ? definition.values[value] ?? value : value;
  }
  // Some consumers know no booleans.
  if (definition?.type === "boolean" && typeof value === "number") return value !== 0;
  return value instanceof Uint8Array ? null : value;
}
