/**
 * The previews of batches: each user may have one made at a time.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import type { Clock, Random } from "../../core/ports.ts";
import type { BatchOrder } from "./batch-order.ts";
import { type BatchPreview, previewOf, previewPart } from "./batch-preview.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import { commandsIn, newBatchId, readyBatch, type ReadyCore } from "./ready-batch.ts";
import type { ConsoleId } from "../wire.ts";

/** The part of a hub that previews use. */
export type PreviewCore = ReadyCore & Pick<HubCore, "commands">;

/**
 * Makes the function that says for each console what an order would do there; nothing is done.
 * Refused like the order itself, and (11) while another preview is being made for the same user.
 */
export function createBatchPreviews(
  core: PreviewCore,
  { clock, random }: { readonly clock: Pick<Clock, "now">; readonly random: Random },
): (order: BatchOrder, actor: FleetActor) => Promise<readonly BatchPreview[] | Refusal> {
  /** The users whose previews are being made. */
  const previewing = new Set<string>();
  return async (order, actor) => {
    const by = actor.user?.name ?? "";
    if (previewing.has(by)) {
      return refuse("limitReached", "another preview for this user is being made; ask again");
    }
    const ready = readyBatch(core, order, actor, newBatchId(random), clock.now());
    if (isRefusal(ready)) return ready;
    previewing.add(by);
    try {
      const { plan } = ready;
      const part = previewPart(plan.length);
      const byConsole = new Map(plan.map((planned) => [planned.console.id, planned]));
      const previews = new Map<ConsoleId, BatchPreview>();
      await core.commands.preview(commandsIn(plan), (said) => {
        const { console } = said;
        previews.set(console, previewOf(byConsole.get(console)!, said, part));
      });
      return plan.map((planned) =>
        previews.get(planned.console.id) ?? previewOf(planned, undefined, part)
      );
    } finally {
      previewing.delete(by);
    }
  };
}
