/**
 * The knowledge of a hub about one console by its uplink, as a value, and how frames and time
 * change it. Time is passed in: the monotonic time of the hub, which no clock setting moves.
 *
 * @module
 */
import { type Branch, isBranch, merge } from "../../core/tree/tree.ts";
import type { ConsoleEntry, ConsoleState } from "./hub-core.ts";
import type { ConsoleId, FromConsole, Summary } from "../wire.ts";

/** A connection of a console: any value that differs for each connection. */
export type ConnectionKey = object;

/** A console as its uplink shows it. */
export interface Presence {
  readonly id: ConsoleId;
  readonly isApproved: boolean;
  readonly summary: Summary;
  /** The digests of its sections, by their names. */
  readonly digests: Readonly<Record<string, string>>;
  /** The connection of its last birth, while that is open. */
  readonly connection: ConnectionKey | undefined;
  readonly boot: string | undefined;
  readonly epoch: number;
  readonly seq: number;
  /** Whether a change is missing, so that a birth has to come first. */
  readonly hasGap: boolean;
  /**
   * The time of the last frame; for a console that was not heard yet, the time at which the hub
   * began to wait.
   */
  readonly heardAt: number;
  /** The time at which the present state began. */
  readonly sinceAt: number;
  readonly state: ConsoleState;
  /**
   * The earlier boots, each replaced by a birth with another boot; the most recently replaced is
   * last.
   */
  readonly replaced: readonly string[];
  /** The time at which a replaced boot last came back: then two consoles have one identity. */
  readonly clonedAt: number;
}

/** Number of replaced boots that are remembered. */
const REPLACED_BOOTS = 8;

/** Time in ms for which the alarm of a cloned console stays after the clone was last seen. */
export const CLONE_MS = 5 * 60_000;

/** The alarm of a cloned console. */
export const CLONE_ALARM =
  "two consoles have the identity of this one: stop the copy, remove its fleet.json, and enrol it " +
  "anew";

/** The limits of time by which a presence is judged. */
export interface Patience {
  /** Time in ms without a frame after which a console is stale. */
  readonly staleAfter: number;
}

/** Makes the presence of an enrolled console that was not heard yet. */
export function awaited(
  id: ConsoleId,
  { name, site, isApproved }: {
    readonly name: string;
    readonly site: string;
    readonly isApproved: boolean;
  },
  now: number,
): Presence {
  const summary: Summary = { name, site, may: "view", version: "", tree: {}, alarms: [] };
  return {
    id,
    isApproved,
    summary,
    digests: {},
    connection: undefined,
    boot: undefined,
    epoch: -1,
    seq: 0,
    hasGap: false,
    heardAt: now,
    sinceAt: now,
    state: isApproved ? "gone" : "quarantined",
    replaced: [],
    clonedAt: -Infinity,
  };
}

/** Judges the state of a presence at a time. */
export function judged(presence: Presence, now: number, { staleAfter }: Patience): Presence {
  const state = stateOf(presence, now, staleAfter);
  const isCloned = presence.clonedAt > -Infinity && now < presence.clonedAt + CLONE_MS;
  const clonedAt = isCloned ? presence.clonedAt : -Infinity;
  if (state === presence.state && clonedAt === presence.clonedAt) return presence;
  if (state === presence.state) return { ...presence, clonedAt };
  // It is stale, or gone, since it was last heard.
  const sinceAt = state === "live" || state === "quarantined" ? now : presence.heardAt;
  return { ...presence, state, sinceAt, clonedAt };
}

function stateOf(presence: Presence, now: number, staleAfter: number): ConsoleState {
  if (!presence.isApproved) return "quarantined";
  const isLate = now - presence.heardAt >= staleAfter;
  if (presence.connection === undefined) {
    return isLate || presence.boot === undefined ? "gone" : "stale";
  }
  return isLate || presence.hasGap ? "stale" : "live";
}

/** Returns the next time at which {@link judged} may have another result; Infinity for never. */
export function judgeAgainAt(presence: Presence, { staleAfter }: Patience): number {
  const { state, connection, heardAt, clonedAt } = presence;
  const late = state === "live" || (state === "stale" && connection === undefined)
    ? heardAt + staleAfter
    : Infinity;
  return clonedAt > -Infinity ? Math.min(late, clonedAt + CLONE_MS) : late;
}

/**
 * The whole state of a console: its birth, or the state of it that another hub has, with the number
 * of the last change that is in it.
 */
export type Birth =
  & Pick<
    Extract<FromConsole, { readonly type: "birth" }>,
    "boot" | "epoch" | "summary" | "digests"
  >
  & { readonly seq: number };

/** A birth that counts, or "older": a newer connection of the console is there. */
export function born(
  presence: Presence,
  birth: Birth,
  connection: ConnectionKey,
  now: number,
  patience: Patience,
): Presence | "older" {
  const isHeard = now - presence.heardAt < patience.staleAfter;
  const isOther = presence.connection !== undefined && presence.connection !== connection;
  // The epoch of a console whose clock was set back is smaller: it counts once the other connection
  // is silent.
  if (isOther && isHeard && birth.epoch < presence.epoch) return "older";
  const { boot: before } = presence;
  const isRestart = before !== undefined && before !== birth.boot;
  const replaced = isRestart
    ? [...presence.replaced.filter((boot) => boot !== before), before].slice(-REPLACED_BOOTS)
    : presence.replaced;
  // A boot is random at each start. So a boot that comes back was running all the time.
  const isCloned = isRestart && presence.replaced.includes(birth.boot);
  return judged(
    {
      ...presence,
      // Until somebody approves a console, nobody sees more of it than it takes to approve it.
      summary: presence.isApproved ? birth.summary : { ...birth.summary, tree: {} },
      digests: birth.digests,
      connection,
      boot: birth.boot,
      epoch: birth.epoch,
      seq: birth.seq,
      hasGap: false,
      heardAt: now,
      replaced,
      clonedAt: isCloned ? now : presence.clonedAt,
    },
    now,
    patience,
  );
}

/**
 * Takes a change of the connection of the last birth. If a change before it is missing, the
 * presence has a gap, and nothing changes until the next birth.
 */
export function changed(
  presence: Presence,
  change: Extract<FromConsole, { readonly type: "change" }>,
  now: number,
  patience: Patience,
): Presence {
  const heard = { ...presence, heardAt: now };
  if (presence.hasGap || change.seq !== presence.seq + 1) {
    return judged({ ...heard, hasGap: true }, now, patience);
  }
  const { tree: patch, ...members } = change.summary ?? {};
  const { tree } = presence.summary;
  return judged(
    {
      ...heard,
      seq: change.seq,
      summary: presence.isApproved
        ? { ...presence.summary, ...members, tree: patch === undefined ? tree : merge(tree, patch) }
        : { ...presence.summary, ...members },
      digests: change.digests === undefined
        ? presence.digests
        : { ...presence.digests, ...change.digests },
    },
    now,
    patience,
  );
}

/**
 * Takes a beat. If its sequence number is not that of the last change or birth, a change was lost,
 * and the presence has a gap.
 */
export function heard(
  presence: Presence,
  { seq = presence.seq }: Extract<FromConsole, { readonly type: "beat" }>,
  now: number,
  patience: Patience,
): Presence {
  const hasGap = presence.hasGap || seq !== presence.seq;
  return judged({ ...presence, hasGap, heardAt: now }, now, patience);
}

/** Takes the end of a connection; only the connection of the last birth counts. */
export function ended(
  presence: Presence,
  connection: ConnectionKey,
  now: number,
  patience: Patience,
): Presence {
  if (presence.connection !== connection) return presence;
  return judged({ ...presence, connection: undefined }, now, patience);
}

/** Takes the approval of a console, whose next birth has its whole summary. */
export function approved(presence: Presence, now: number, patience: Patience): Presence {
  const hasGap = presence.connection !== undefined;
  return judged({ ...presence, isApproved: true, hasGap }, now, patience);
}

/** Returns the presence as the interfaces of the hub show it; `at` converts a time to wall time. */
export function entryOf(presence: Presence, at: (time: number) => number): ConsoleEntry {
  const { id, state, sinceAt, summary, digests, clonedAt } = presence;
  const isAwaited = presence.boot === undefined;
  const shown = clonedAt === -Infinity
    ? summary
    : { ...summary, alarms: [...summary.alarms, CLONE_ALARM] };
  return { id, state, since: at(sinceAt), isAwaited, summary: shown, digests };
}

/** Says whether a branch has values that are gone in a later one: no patch can express that. */
export function losesValues(before: Branch, after: Branch): boolean {
  return Object.keys(before).some((member) => {
    const [old, now] = [before[member], after[member]];
    if (old === now) return false;
    return now === undefined || (isBranch(old) && isBranch(now) && losesValues(old, now));
  });
}

/** Says whether clients that are subscribed to a console are closed by a change of its summary. */
export function closesClients(before: Summary, after: Summary): boolean {
  return before.site !== after.site || losesValues(before.tree, after.tree);
}
