/**
 * The request of the page Do: as it is filled in, and as the hub takes it.
 *
 * @module
 */
import type { FleetRpcParams } from "../../fleet/api/rpc-methods.ts";

/** The kinds of request to many consoles. */
export const DEEDS = ["label", "load", "save", "set"] as const;

/** One of {@link DEEDS}. */
export type Deed = typeof DEEDS[number];

/** The fields of the form, as they are filled in. */
export interface Draft {
  readonly deed: Deed;
  /** The numbers of the mixer and of the fader, as they are typed. */
  readonly mixer: string;
  readonly fader: string;
  readonly label: string;
  /** The name of a snapshot. */
  readonly name: string;
  readonly path: string;
  /** The value: JSON, or otherwise a text. */
  readonly value: string;
  /** Whether the request waits for consoles that are away. */
  readonly isKept: boolean;
  /** Whether all consoles begin at the same instant. */
  readonly isTogether: boolean;
  /** Whether the request also goes to consoles on air. */
  readonly isForced: boolean;
}

/** The empty form. */
export const BLANK: Draft = {
  deed: "label",
  mixer: "0",
  fader: "0",
  label: "",
  name: "",
  path: "",
  value: "",
  isKept: false,
  isTogether: false,
  isForced: false,
};

/** The ticked consoles and the filled-in values when the page opens. */
export interface Prepared {
  readonly ticked: ReadonlySet<string>;
  readonly draft: Partial<Draft>;
}

/** The path of the label of a fader. */
const LABEL = /^\/audio\/mixers\/(\d+)\/faders\/(\d+)\/label$/;

/**
 * Reads the state in which an address opens the page: `#/do/ID,ID` ticks these consoles, and
 * `#/do/ID/PATH/VALUE` also fills in a value for a path, which may be a label. An address alone
 * runs nothing.
 */
export function preparedIn([ids = "", path, value]: readonly string[]): Prepared {
  const ticked = new Set(ids === "" ? [] : ids.split(","));
  if (path === undefined || value === undefined) return { ticked, draft: {} };
  const [, mixer, fader] = LABEL.exec(path) ?? [];
  const label = valueIn(value);
  return mixer === undefined || fader === undefined || typeof label !== "string"
    ? { ticked, draft: { deed: "set", path, value } }
    : { ticked, draft: { deed: "label", mixer, fader, label } };
}

type Order = Omit<FleetRpcParams<"fleetdo">, "select" | "id" | "preview">;

/** Says whether a request cannot be heard on air, so that it may wait for a console. */
export function isUnheard(deed: Deed): boolean {
  return deed === "label" || deed === "save";
}

/** Returns the request to the hub; undefined while a field is not filled in. */
export function orderOf(draft: Draft): Order | undefined {
  const { deed, isKept, isTogether, isForced } = draft;
  const request = requestOf(draft);
  if (request === undefined) return undefined;
  return isUnheard(deed)
    ? { request, kind: isKept ? "kept" : "live" }
    : { request, kind: "live", together: isTogether, force: isForced };
}

function requestOf(draft: Draft): Order["request"] | undefined {
  const { deed, label, name, path, value } = draft;
  const [mixer, fader] = [numberIn(draft.mixer), numberIn(draft.fader)];
  if (deed === "set") {
    return path.trim() === "" || value === ""
      ? undefined
      : { method: "set", path: path.trim(), payload: valueIn(value) };
  }
  if (mixer === undefined) return undefined;
  if (deed === "label") {
    if (fader === undefined) return undefined;
    const path = `/audio/mixers/${mixer}/faders/${fader}/label`;
    return { method: "set", path, payload: label };
  }
  if (name.trim() === "") return undefined;
  const params = { id: "named", name: name.trim(), mixer };
  return deed === "load"
    ? rpc("loadsnapshot", { ...params, type: 2 })
    : rpc("savesnapshot", { ...params, type: 2, writegroups: 255 });
}

function rpc(method: string, params: Readonly<Record<string, string | number>>): Order["request"] {
  return { method: "rpc", payload: { method, params } };
}

function numberIn(text: string): number | undefined {
  return /^\d{1,5}$/.test(text.trim()) ? Number(text) : undefined;
}

function valueIn(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
