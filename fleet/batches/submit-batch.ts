/**
 * The way of the commands of a batch to their consoles; batches of kept commands are stored before.
 *
 * @module
 */
import type { Clock } from "../../core/ports.ts";
import type { Planned } from "./batch-order.ts";
import { type OutcomeAt, recordOf } from "./batch-record.ts";
import type { KnownOutcome } from "../commands/command.ts";
import type { HubCore } from "../hub/hub-core.ts";
import type { KeptBatches } from "./kept-batches.ts";
import { isLedgerError } from "../ledger/ledger.ts";
import { unavailable } from "../ledger/unavailable.ts";
import { commandsIn } from "./ready-batch.ts";

/** The parts by which a batch is submitted. */
export interface SubmitParts {
  readonly core: Pick<HubCore, "commands" | "storedBatches">;
  readonly kept: KeptBatches;
  readonly clock: Pick<Clock, "now">;
}

/** Returns the function that says what the ledger knows of each console of a batch. */
export function outcomesOf({ commands }: Pick<HubCore, "commands">, id: string): OutcomeAt {
  return (console) => commands.outcomeOf({ console, id });
}

/**
 * Submits the commands of a batch that is in the memory, and takes the refusals of its plan. A
 * new batch without any command is not stored. Resolves once the ledger has each kept command, or has
 * not taken it: what fails is the result of the consoles. Resolves with false if the batch could not
 * be stored, so that none of its commands was submitted.
 */
export async function submitBatch(
  parts: SubmitParts,
  batch: string,
  plan: readonly Planned[],
): Promise<boolean> {
  const { core, kept, clock } = parts;
  const time = clock.now();
  for (const planned of plan) {
    if (!("refused" in planned)) continue;
    const { message: why, code } = planned.refused;
    kept.take(batch, planned.console.id, { outcome: "refused", time, why, code });
  }
  const commands = commandsIn(plan);
  // A new batch that all consoles refuse is not stored: its user may send any number of them.
  const isKept = kept.batches.get(batch)?.facts.order.kind === "kept" &&
    (commands.length > 0 || core.storedBatches.find(batch) !== undefined);
  try {
    // First, so that no command is carried out whose batch nobody finds.
    if (isKept) await store(parts, batch);
  } catch (fault) {
    const unsent = unsentBecause(fault);
    for (const { console } of commands) {
      const known = core.commands.outcomeOf({ console, id: batch }) ?? unsent;
      kept.take(batch, console, { ...known, time: known.time ?? clock.now() });
    }
    return false;
  }
  try {
    if (commands.length > 0) await core.commands.submit(commands);
  } catch (fault) {
    const why = `the hub failed: ${fault instanceof Error ? fault.message : fault}`;
    for (const { console } of commands) {
      kept.take(batch, console, { outcome: "unknown", time: clock.now(), why });
    }
  }
  try {
    if (isKept) await store(parts, batch);
  } catch (fault) {
    // The results that are not in the ledger are shown as unknown after a restart.
    if (!isLedgerError(fault)) throw fault;
  }
  if (isKept) kept.stored(batch);
  return true;
}

/** Stores a batch, unless the ledger has its present refusals already. */
async function store({ core, kept }: SubmitParts, id: string): Promise<void> {
  const batch = kept.batches.get(id);
  if (batch === undefined) return;
  const record = recordOf(batch, outcomesOf(core, id));
  const before = core.storedBatches.find(id);
  if (before !== undefined && isSameSize(before.refused, record.refused)) return;
  await core.storedBatches.store(record);
}

/** The outcome at a console of a batch that another hub stores at the same time. */
const TAKEN_ELSEWHERE: KnownOutcome = {
  outcome: "unknown",
  why: "another hub takes this batch at the same time, and sends its commands",
  time: undefined,
};

/**
 * Returns the outcome at a console of a batch that this hub has not stored, and so has not sent;
 * throws a fault that is none of the ledger.
 */
function unsentBecause(fault: unknown): KnownOutcome {
  const { message, code } = unavailable(fault);
  const cause = isLedgerError(fault) ? fault.code : undefined;
  if (cause === "conflict") return TAKEN_ELSEWHERE;
  const why = `nothing was sent: ${message}`;
  // A batch that the ledger has after all is carried out by a hub where the order is repeated.
  if (cause === "unanswered") return { outcome: "unknown", why, time: undefined };
  return { outcome: "refused", why, code, time: undefined };
}

function isSameSize(one: object, other: object): boolean {
  return Object.keys(one).length === Object.keys(other).length;
}
