/**
 * The outcomes of kept commands in the ledger.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Clock } from "../../core/ports.ts";
import type { Command, CommandResult } from "./command.ts";
import { type Became, keyOf } from "./command-way.ts";
import { RESULTS } from "../hub/hub-limits.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import type { Ledger } from "../ledger/ledger.ts";

type Named = Pick<Command, "id" | "console" | "batch">;

/** The outcomes in a ledger. */
export interface KeptResults {
  of(command: Pick<Command, "id" | "console">): CommandResult | undefined;
  /** Returns the revision of the result of a command; 0 where there is none. */
  revision(command: Pick<Command, "id" | "console">): number;
  /**
   * Stores that this hub is about to send a command, and returns the revision of that; rejects if
   * the ledger has another result of it than this hub knows. So a hub that hears of the results
   * late sends no command again that its console has refused meanwhile, by way of another hub.
   */
  claim(command: Named): Promise<number>;
  /**
   * Stores the outcome of a command, and returns its revision. Any other outcome than `done` is
   * rejected if the revision of the result is not `revision`: another hub may have sent the command
   * again since.
   */
  store(command: Named, became: Became, revision: number): Promise<number>;
  /**
   * Removes results that are too old, or beyond the maximum number, and their batches: no batch is
   * shown without some of its results.
   */
  forgetOld(): Promise<void>;
}

/** The parts of {@link followKeptResults}. */
export interface KeptResultsParts {
  readonly ledger: Ledger;
  readonly clock: Pick<Clock, "now">;
  /**
   * Says whether the command of a key still waits: then the limit on the number of results does not
   * evict its result.
   */
  isWaiting(key: string): boolean;
  /** Forgets a batch in the ledger. Rejects as {@link Ledger.remove} does. */
  forgetBatch(id: string): Promise<void>;
  /** Called with each other outcome that is stored from now on, by this hub or another. */
  changed(result: CommandResult): void;
}

/** Follows the results in a ledger. */
export async function followKeptResults(
  { ledger, clock, isWaiting, forgetBatch, changed }: KeptResultsParts,
): Promise<KeptResults> {
  const results = await followBucket(ledger, "results", readResult, (key, before) => {
    const result = results.values.get(key);
    if (result !== undefined && result.outcome !== before?.outcome) changed(result);
  });
  let isForgetting = false;

  function resultFor({ id, console, batch }: Named, became: Became): CommandResult {
    // The value that a command returned is shown with its batch, and not stored.
    const { result: _, ...rest } = became;
    return { id, console, batch, time: clock.now(), ...rest };
  }

  async function forgetOld(): Promise<void> {
    for (const [key, { time, batch }] of results.values) {
      const isOld = time < clock.now() - RESULTS.ms;
      if (!isOld && results.values.size <= RESULTS.most) return;
      if (!isOld && isWaiting(key)) continue;
      await forgetBatch(batch);
      await results.remove(key);
    }
  }

  return {
    of: ({ console, id }) => results.values.get(keyOf(console, id)),
    revision: ({ console, id }) => results.revision(keyOf(console, id)),
    claim(command) {
      const key = keyOf(command.console, command.id);
      const became = becameOf(results.values.get(key) ?? { outcome: "sent" });
      return results.put(key, resultFor(command, became), results.revision(key));
    },
    store(command, became, revision) {
      const expect = became.outcome === "done" ? undefined : revision;
      return results.put(keyOf(command.console, command.id), resultFor(command, became), expect);
    },
    async forgetOld() {
      // Each command that is settled asks for it: the run that is under way serves them all.
      if (isForgetting) return;
      isForgetting = true;
      try {
        await forgetOld();
      } finally {
        isForgetting = false;
      }
    },
  };
}

/** Returns the outcome in a stored result. */
export function becameOf({ outcome, why, code }: Became): Became {
  return {
    outcome,
    ...(why === undefined ? {} : { why }),
    ...(code === undefined ? {} : { code }),
  };
}

function readResult(value: Json): CommandResult | undefined {
  const result = value as unknown as CommandResult;
  const isResult = [result.id, result.console, result.batch, result.outcome]
    .every((text) => typeof text === "string") && typeof result.time === "number";
  return isResult ? result : undefined;
}
