/**
 * The names and sites that consoles report, stored with their enrolments: so a hub that has
 * restarted shows a console that is away with its last name, and to the users of its last site.
 *
 * @module
 */
import { after, type Timer } from "../../core/ports.ts";
import type { Dialled } from "./dialled.ts";
import type { Enrolments } from "./enrolments.ts";
import type { Presence } from "./presence.ts";
import type { ConsoleId } from "../wire.ts";

/** Minimum interval in ms between two writes for one console. */
export const REPORTED_MS = 10_000;

/** The parts of {@link storeReportedNames}. */
export interface ReportedNamesParts {
  readonly dialled: Pick<Dialled, "follow" | "sender">;
  readonly enrolments: Enrolments;
  readonly timer: Timer;
  readonly onFault: (fault: unknown) => void;
}

/**
 * Stores the name and the site of each approved console that this hub holds, where they differ from
 * the enrolment. A write that the ledger does not take is tried again. The returned function ends
 * that.
 */
export function storeReportedNames(
  { dialled, enrolments, timer, onFault }: ReportedNamesParts,
): () => void {
  /**
   * The last report of each console for which a write was begun, and the function that ends its
   * wait.
   */
  const waiting = new Map<ConsoleId, { last: Presence; readonly cancel: () => void }>();

  function take(last: Presence): void {
    const { id, summary: { name, site } } = last;
    const wait = waiting.get(id);
    if (wait !== undefined) return void (wait.last = last);
    const enrolled = enrolments.consoles.get(id);
    if (enrolled?.isApproved !== true) return;
    if (name === enrolled.name && site === enrolled.site) return;
    const cancel = after(timer, REPORTED_MS, () => {
      const { last } = waiting.get(id)!;
      waiting.delete(id);
      // Another hub may hold the console by now, and store later reports.
      if (dialled.sender(id) !== undefined) take(last);
    });
    waiting.set(id, { last, cancel });
    enrolments.rename(id, { name, site }).catch(onFault);
  }

  const stop = dialled.follow({ born: take, changed: take, ended() {} });
  return () => {
    stop();
    for (const { cancel } of waiting.values()) cancel();
  };
}
