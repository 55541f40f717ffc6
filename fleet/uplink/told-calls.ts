/**
 * The calls of users of the fleet that a console tells its hub, for the audit trail of the fleet.
 * Calls of batches are not among them: the hub that makes a batch has a line for it. Nothing is
 * kept for a hub that is not connected: all calls are in the console's own audit trail.
 *
 * @module
 */
import { type Audit, isOfConsole } from "../../core/audit.ts";
import { mergeCalls, type ToldCall } from "../../core/merged-calls.ts";
import { after, type Clock, type Timer } from "../../core/ports.ts";
import { FLEET_PREFIX } from "../vouched-user.ts";
import {
  type FromConsole,
  TOLD_CHARACTERS,
  TOLD_LINES,
  TOLD_TEXT,
  type ToldLine,
  UNSENT_BYTES,
  WHY_CHARACTERS,
} from "../wire.ts";

/**
 * Quota of first lines a minute, for each of two kinds of calls ({@link mergeCalls}); one caller
 * has at most a quarter of it.
 */
const LINES_A_MINUTE = 40;

/** Time in ms for which lines are gathered in one frame. */
const GATHER_MS = 250;

/** Maximum number of lines that wait for a hub that does not read. */
const WAITING_LINES = 4 * TOLD_LINES;

/**
 * Calls `listener` with each entry of the audit trail of a console; the returned function ends
 * that.
 */
export type WatchAudit = (listener: Audit) => () => void;

/** The connection to the hub. */
export interface ToldCallsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  send(frame: FromConsole): void;
  /** Returns the number of bytes that were sent and that the network has not accepted yet. */
  unsent(): number;
}

/** Begins to tell a hub the calls; the returned function ends that. */
export function tellCalls(
  watch: WatchAudit,
  { clock, timer, send, unsent }: ToldCallsOptions,
): () => void {
  const waiting: ToldLine[] = [];
  let lost = 0;
  let isStopped = false;
  let cancel: (() => void) | undefined;
  const merge = { clock, timer, quota: LINES_A_MINUTE, tell };
  const changes = mergeCalls({ ...merge, others: "other changes" });
  const refused = mergeCalls({ ...merge, others: "other refused attempts" });

  function tell(call: ToldCall): number {
    if (isStopped) return 1;
    if (waiting.length < WAITING_LINES) waiting.push(lineOf(call));
    else lost++;
    cancel ??= after(timer, GATHER_MS, flush);
    return 1;
  }

  function flush(): void {
    cancel = undefined;
    if (unsent() <= UNSENT_BYTES) {
      const lines = waiting.splice(0, TOLD_LINES);
      send({ type: "told", lines, ...(lost === 0 ? {} : { lost }) });
      lost = 0;
    }
    if (waiting.length > 0) cancel = after(timer, GATHER_MS, flush);
  }

  const stopWatching = watch((entry) => {
    if (entry.user?.startsWith(FLEET_PREFIX) !== true || entry.batch !== undefined) return;
    if (entry.refused !== undefined) refused.take(entry);
    // A new admin must be found, whatever other calls there were in that minute.
    else if (isOfConsole(entry)) tell(entry);
    else changes.take(entry);
  });
  return () => {
    isStopped = true;
    stopWatching();
    cancel?.();
    for (const calls of [changes, refused]) calls.end();
  };
}

/** Returns the line of a call, with as many of the changes as fit. */
function lineOf({ user, what, refused, changes, more = 0, target, ...call }: ToldCall): ToldLine {
  const of = {
    ...call,
    what: what.slice(0, TOLD_TEXT),
    ...(user === undefined ? {} : { user: user.slice(FLEET_PREFIX.length) }),
    ...(refused === undefined ? {} : { refused: refused.message.slice(0, WHY_CHARACTERS) }),
  } as ToldLine;
  if (changes === undefined) {
    const line = { ...of, target } as ToldLine;
    return target === undefined || !fits(line) ? of : line;
  }
  for (let count = changes.length; count > 0; count--) {
    const left = more + changes.length - count;
    const line = { ...of, changes: changes.slice(0, count), ...(left === 0 ? {} : { more: left }) };
    if (fits(line)) return line as ToldLine;
  }
  const left = more + changes.length - 1;
  const first = [{ path: changes[0]!.path }];
  return { ...of, changes: first, ...(left === 0 ? {} : { more: left }) };
}

function fits(line: object): boolean {
  return JSON.stringify(line).length <= TOLD_CHARACTERS;
}
