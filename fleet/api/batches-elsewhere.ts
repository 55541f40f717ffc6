/**
 * Batches that another hub has taken. Their results are in the memory of that one, and too large for
 * the bus; so a hub says where they are.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Batches } from "../batches/batch.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import type { Json } from "../json.ts";
import { REMOVED } from "./fleet-tree.ts";

/** Time in ms within which another hub says that it has a batch. */
const ANSWER_MS = 2000;

function questionOf(batch: string): string {
  return `batch.${batch}`;
}

/** Has this hub say of each batch that it keeps that it has it, to users who see that. */
export function answerForBatches(
  { between }: Pick<HubCore, "between">,
  batches: Pick<Batches, "watch" | "find">,
): () => void {
  const answered = new Map<string, () => void>();
  if (between === undefined) return () => {};

  function answer(batch: string): void {
    const isHere = async (user: Json) => {
      const asker = { user: user as unknown as FleetActor["user"], from: "hub" };
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

/** Refuses a batch that is not here by the name of the hub that has it; undefined where none has. */
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
