/**
 * The batches that a user sees: those in the memory of a hub, and those of the ledger, which the
 * hub takes into its memory when somebody asks for them.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import { shown } from "../../core/shown.ts";
import type { Branch } from "../../core/tree/tree.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import type { Person } from "../hub/rights.ts";
import { recordedBatch } from "./batch-record.ts";
import type { KeptBatch } from "./kept-batch.ts";
import type { BatchChange, KeptBatches } from "./kept-batches.ts";
import type { StoredBatch } from "./stored-batches.ts";
import { outcomesOf } from "./submit-batch.ts";

type Who = Person | undefined;

/** The batches that a user sees. */
export interface ShownBatches {
  /**
   * Returns a batch; refused (6) where the actor sees none of that id, and (11) where there is no
   * room in the memory for one of the ledger.
   */
  find(id: string, actor: FleetActor): KeptBatch | Refusal;
  /** Returns the batches in the memory that a user sees, as a branch. */
  branchFor(user: Who): Branch;
}

/** Makes the batches that users see. */
export function createShownBatches(
  core: Pick<HubCore, "consoles" | "commands" | "storedBatches">,
  kept: KeptBatches,
): ShownBatches {
  /** Takes a batch of the ledger into the memory; returns false where there is no room. */
  function recall({ length: _, ...record }: StoredBatch): boolean {
    const { facts, results } = recordedBatch(record, core.consoles(), outcomesOf(core, record.id));
    const isAdded = kept.add(facts, results);
    kept.stored(record.id);
    return isAdded;
  }

  return {
    find(id, { user }) {
      if (!kept.batches.has(id)) {
        const stored = core.storedBatches.find(id);
        const isShown = stored !== undefined && mayHear(user, stored);
        if (isShown && !recall(stored)) return NO_ROOM;
      }
      const batch = kept.batches.get(id);
      return batch !== undefined && mayHear(user, batch.facts) ? batch : noBatch(id);
    },
    branchFor: (user) =>
      Object.fromEntries(
        [...kept.batches].filter(([, { facts }]) => mayHear(user, facts))
          .map(([id]) => [id, kept.branchOf(id)]),
      ),
  };
}

/** Says whether a user sees a batch: the user who ordered it, and admins. */
export function mayHear(
  user: Who,
  { by, userSince }: Pick<BatchChange, "by" | "userSince">,
): boolean {
  if (user === undefined) return false;
  return user.may === "admin" || (user.name === by && userSince === sinceOf(user));
}

/** Returns the time at which a user was added; each user who has logged in on this hub has one. */
export function sinceOf(user: Who): string | undefined {
  return (user as { readonly created?: string } | undefined)?.created;
}

/** The refusal of a batch for which the memory has no room. */
export const NO_ROOM = refuse("limitReached", "too many batches are not settled yet");

function noBatch(id: string): Refusal {
  const why = `there is no batch ${shown(id)}, or a hub that has restarted had it in ` +
    "its memory alone";
  return refuse("noSuchObject", why, "id");
}
