/**
 * Batches of live commands that another hub has taken. Their results are in the memory of that hub
 * alone, and too large for the bus; so a refusal names the hub that has them.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Batches } from "../batches/batch.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import { HUB_ITSELF } from "../hub/trail.ts";
import { REMOVED } from "./fleet-tree.ts";

/** Maximum time in ms for the answer of the hub that has a batch. */
const ANSWER_MS = 2000;

function questionOf(batch: string): string {
  return `batch.${batch}`;
}

/**
 * Has this hub answer questions for each batch that it keeps, with its own name where the user may
 * see the batch. The returned function ends that.
 */
export function answerForBatches(
  { between }: Pick<HubCore, "between">,
  batches: Pick<Batches, "watch" | "find">,
): () => void {
  const answered = new Map<string, () => void>();
  if (between === undefined) return () => {};

  function answer(batch: string): void {
    const isHere = async (user: Json) => {
      const asker = { user: user as unknown as FleetActor["user"], from: HUB_ITSELF };
      return await Promise.resolve(isRefusal(batches.find(batch, asker)) ? null : between!.name);
    };
    answered.set(batch, between!.serve(questionOf(batch), isHere));
  }

  const stop = batches.watch(({ patch }) => {
    for (const [batch, change] of Object.entries(patch.batches as object)) {
      if (isBranch(change) && change._state === REMOVED) {
        answered.get(batch)?.();
        answered.delete(batch);
      } else if (!answered.has(batch)) answer(batch);
    }
  });
  return () => {
    stop();
    for (const stopOne of answered.values()) stopOne();
  };
}

/**
 * Refuses a batch of another hub, with the name of that hub; undefined if no hub answers in time
 * that it has a batch which the user may see.
 */
export async function batchElsewhere(
  { between }: Pick<HubCore, "between">,
  batch: string,
  { user }: FleetActor,
): Promise<Refusal | undefined> {
  if (between === undefined || user === undefined) return undefined;
  try {
    const hub = await between.ask(questionOf(batch), user as unknown as Json, ANSWER_MS);
    if (typeof hub !== "string") return undefined;
    return refuse("noSuchObject", `the results of this batch are at the hub "${hub}": ask there`);
  } catch {
    return undefined;
  }
}
