/**
 * A batch: one request for many consoles, and the commands that it makes.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { PATH_CHARACTERS } from "../../core/limits.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Command, CommandRequest } from "../commands/command.ts";
import { unreachable } from "../hub/console-state.ts";
import type { ConsoleEntry, FleetActor } from "../hub/hub-core.ts";
import { BATCH_BYTES, BATCH_CONSOLES, BATCH_REQUEST_BYTES, EXPIRY_MS } from "../hub/hub-limits.ts";
import { isUnheard, mayBeHeard, offAir } from "./on-air.ts";
import type { Selection } from "./selection.ts";
import type { BatchTerms } from "./stored-batches.ts";
import { lesserMay } from "../vouched-user.ts";
import { type ConsoleId, FLEET_MAY, type FleetMay, REQUIRED_VALUES } from "../wire.ts";

/** The order of a batch: the request that many consoles are to carry out, and when. */
export interface BatchOrder extends BatchTerms {
  readonly select: Selection;
}

/**
 * The times of the commands of a batch, in ms since 1970: when they expire, and when they begin.
 */
export interface BatchTimes {
  readonly expires: number;
  readonly at?: number;
}

/** A console of a batch: its command, or why it gets none. */
export type Planned =
  | { readonly console: ConsoleEntry; readonly command: Command }
  | { readonly console: ConsoleEntry; readonly refused: Refusal };

/** The actor for whom a batch is planned, and that actor's rights. */
export interface PlanWorld {
  readonly actor: FleetActor;
  /** Returns the actor's right on a console, which may itself allow less; undefined for none. */
  readonly mayAt: (id: ConsoleId) => FleetMay | undefined;
}

const encoder = new TextEncoder();

/** Maximum distance in ms of a `Date` from 1970. */
const MOST_MS = 8.64e15;

/** Returns a time in ms since 1970 in ISO 8601, if a `Date` has it. */
function instantOf(time: number): string {
  return Math.abs(time) <= MOST_MS ? new Date(time).toISOString() : String(time);
}

/** Returns when a batch begins and expires, at `now` in ms since 1970; refused (3) out of range. */
export function timesOf({ kind, expires, at }: BatchOrder, now: number): BatchTimes | Refusal {
  const { max, default: usual } = EXPIRY_MS[kind];
  if (at !== undefined && (at <= now || at >= now + max)) {
    const expected = `expected an instant within ${max} ms from now (${instantOf(now)}) for a ` +
      `${kind} batch, got ${instantOf(at)}`;
    return refuse("invalidParameter", expected, "at");
  }
  const begin = at ?? now;
  const most = now + max - begin;
  if (expires !== undefined && (expires < 1 || expires > most)) {
    const expected = `expected 1 to ${most} ms for a ${kind} batch, got ${expires}`;
    return refuse("invalidParameter", expected, "expires");
  }
  const times = { expires: begin + (expires ?? Math.min(usual, most)) };
  return at === undefined ? times : { ...times, at };
}

/** Refuses an order that no console could get. */
export function orderRefusal(order: BatchOrder, consoles: number): Refusal | undefined {
  const { request, kind, at, together, require = {} } = order;
  if (together && (kind === "kept" || at !== undefined)) {
    const why = kind === "kept" ? "expected a live batch" : "expected no at beside it";
    return refuse("invalidParameter", why, "together");
  }
  const paths = [...(request.method === "set" ? [request.path] : []), ...Object.keys(require)];
  if (paths.some((path) => path.length > PATH_CHARACTERS)) {
    const expected = `expected at most ${PATH_CHARACTERS} characters of a path`;
    return refuse("invalidParameter", expected, "request");
  }
  if (Object.keys(require).length > REQUIRED_VALUES) {
    const expected = `expected at most ${REQUIRED_VALUES} required values`;
    return refuse("limitReached", expected, "require");
  }
  if (returnsSecret(request)) return refuse("invalidParameter", SECRET, "request");
  if (kind === "kept" && !isUnheard(request)) {
    const why = "only labels, users, saved snapshots and view documents are kept commands";
    return refuse("invalidParameter", why, "kind");
  }
  if (consoles === 0) {
    const drift = order.select.drift === undefined
      ? ""
      : "; drift matches no console that the hub dials, which has no digests";
    return refuse("noSuchObject", `no console that is approved matches${drift}`, "select");
  }
  if (consoles > BATCH_CONSOLES) {
    const expected = `expected at most ${BATCH_CONSOLES} consoles, got ${consoles}`;
    return refuse("limitReached", expected, "select");
  }
  const bytes = encoder.encode(JSON.stringify([request, require])).length;
  const most = Math.min(BATCH_REQUEST_BYTES, Math.floor(BATCH_BYTES / consoles));
  if (bytes <= most) return undefined;
  const expected = `expected at most ${most} bytes for ${consoles} consoles, got ${bytes}`;
  return refuse("limitReached", expected, "request");
}

const SECRET =
  "it returns a token or a code, which a batch would show to others: ask each console " +
  "for it, or add a user of the fleet";

/** Says whether the result of a request contains a secret: a token or a code. */
function returnsSecret(request: CommandRequest): boolean {
  if (request.method !== "rpc") return false;
  const { method, params } = request.payload;
  const makesToken = method === "modifyuser" && isBranch(params) && params.newtoken === true;
  return makesToken || ["adduser", "makehandover", "takehandover"].includes(method);
}

/** Plans the batch of an id: for each console its command, or why it gets none. */
export function planOf(
  consoles: readonly ConsoleEntry[],
  order: BatchOrder,
  batch: string,
  times: BatchTimes,
  world: PlanWorld,
): readonly Planned[] {
  return consoles.map((console) => plannedAt(console, order, batch, times, world));
}

function plannedAt(
  console: ConsoleEntry,
  { request, kind, require, force }: BatchOrder,
  batch: string,
  times: BatchTimes,
  { actor: { user, from }, mayAt }: PlanWorld,
): Planned {
  const { id, state, summary, isAwaited } = console;
  const granted = mayAt(id);
  // Until the hub has heard a console, only the console knows which right it gives to the fleet.
  const may = isAwaited ? granted : granted && lesserMay(granted, summary.may);
  if (user === undefined || may === undefined || !isEnough(may)) {
    const why = `a batch needs the right to operate there, and this is ${may ?? "none"}`;
    return { console, refused: refuse("noRight", why) };
  }
  if (state === "quarantined" || (kind === "live" && state !== "live")) {
    return { console, refused: unreachable(console, id) };
  }
  let required = require;
  if (required === undefined && !force && mayBeHeard(request)) {
    const found = offAir(console);
    if ("why" in found) return { console, refused: refuse("noRight", found.why) };
    required = found.require;
  }
  const command = {
    // So a console recognises the command even where a hub has forgotten the batch.
    id: batch,
    console: id,
    batch,
    kind,
    ...times,
    ...(required === undefined ? {} : { require: required }),
    request,
    by: { name: user.name, may },
    from,
  };
  return { console, command };
}

function isEnough(may: FleetMay): boolean {
  return FLEET_MAY.indexOf(may) >= FLEET_MAY.indexOf("operate");
}

/** Returns a request in a few words, without the values that it sets. */
export function titleOf(request: CommandRequest): string {
  return request.method === "set" ? `set ${request.path}` : `rpc ${request.payload.method}`;
}
