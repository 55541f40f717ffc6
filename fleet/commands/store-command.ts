/**
 * Puts a kept command into the ledger, where it waits for its console.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { isUnheard } from "../batches/on-air.ts";
import { directRefusal } from "../direct/direct-command.ts";
import { unreachable } from "../hub/console-state.ts";
import { EXPIRY_MS } from "../hub/hub-limits.ts";
import { isLedgerError } from "../ledger/ledger.ts";
import { unavailable } from "../ledger/unavailable.ts";
import type { Command } from "./command.ts";
import { type Became, type CommandsParts, keyOf, refusedBy, type Tell } from "./command-way.ts";
import { bytesOf, type KeptQueue } from "./kept-queue.ts";
import { becameOf, type KeptResults } from "./kept-results.ts";

/**
 * Puts a command into the ledger, unless it is known already or has to be refused. Resolves once
 * the ledger has the command, has not taken it, or has not answered in time. `tell` gets the
 * outcome of a command that does not wait.
 */
export async function storeCommand(
  command: Command,
  parts: CommandsParts,
  { queue, results }: { readonly queue: KeptQueue; readonly results: KeptResults },
  tell: Tell,
): Promise<void> {
  const { console, id } = command;
  const known = results.of(command);
  if (known !== undefined) return tell(command, becameOf(known));
  if (queue.find(command) !== undefined) return;
  // A later user of the same name is another user.
  const { created } = (parts.refresh(command.by) ?? {}) as { readonly created?: string };
  const { name, may } = command.by;
  const by = { name, may, ...(created === undefined ? {} : { created }) };
  const stored = { ...command, by };
  const bytes = bytesOf(stored);
  const refusal = keptRefusal(command, parts) ?? queue.quota.refusal(command, bytes);
  if (refusal !== undefined) return tell(command, refusedBy(refusal));
  queue.quota.take(command, bytes);
  try {
    // It is queued when the ledger reports it: after the earlier ones of other hubs.
    await parts.ledger.put("commands", keyOf(console, id), stored as unknown as Json, 0);
  } catch (fault) {
    if (!isLedgerError(fault)) throw fault;
    const isThere = queue.find(command) !== undefined || results.of(command) !== undefined;
    if (fault.code === "conflict" || isThere) return;
    tell(command, fault.code === "unanswered" ? MAY_BE_STORED : refusedBy(unavailable(fault)));
  } finally {
    queue.quota.release(command, bytes);
  }
}

/** The outcome of a command for which the ledger has not answered whether it stored it. */
const MAY_BE_STORED: Became = {
  outcome: "unknown",
  why: "the ledger has not said whether it has the command: if it has, that is still carried out",
};

/** Refuses a command that cannot be kept. */
function keptRefusal(
  command: Command,
  { clock, console: consoleOf, held, vouchedAt }: CommandsParts,
): Refusal | undefined {
  const { console, expires, request, by } = command;
  const now = clock.now();
  if (!isUnheard(request)) {
    const why = "expected a live command: what may be heard is not kept";
    return refuse("invalidParameter", why, "kind");
  }
  if (expires <= now || expires > now + EXPIRY_MS.kept.max) {
    const expected = `expected a time within ${EXPIRY_MS.kept.max} ms from now`;
    return refuse("invalidParameter", expected, "expires");
  }
  const vouched = vouchedAt(by, console);
  if (isRefusal(vouched)) return vouched;
  const entry = consoleOf(console);
  if (entry === undefined || entry.state === "quarantined") return unreachable(entry, console);
  if (held(console) !== undefined) return directRefusal(command);
}
