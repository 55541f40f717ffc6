/**
 * The enrolled consoles in the picture of a hub: a console is there from its enrolment to its
 * removal, whether it is connected or not.
 *
 * @module
 */
import type { Timer } from "../../core/ports.ts";
import type { Enrolments } from "./enrolments.ts";
import type { Picture } from "./picture.ts";
import { approved, awaited, type Patience } from "./presence.ts";
import type { ConsoleId } from "../wire.ts";

/** The parts of {@link showEnrolled}. */
export interface EnrolledConsolesParts {
  readonly enrolments: Pick<Enrolments, "consoles" | "watch">;
  readonly picture: Pick<Picture, "presence" | "set" | "remove">;
  readonly timer: Pick<Timer, "monotonic">;
  readonly patience: Patience;
  /** Called when a console was taken out of quarantine, once the picture shows that. */
  onApproved(id: ConsoleId): void;
  /** Called when a console was removed from the fleet, while the picture still shows it. */
  onRemoved(id: ConsoleId): void;
}

/**
 * Shows the enrolled consoles in a picture, and follows their enrolments. The returned function
 * ends that.
 */
export function showEnrolled(
  { enrolments, picture, timer, patience, onApproved, onRemoved }: EnrolledConsolesParts,
): () => void {
  const now = timer.monotonic;
  for (const [id, enrolled] of enrolments.consoles) picture.set(awaited(id, enrolled, now()));
  return enrolments.watch((id, before) => {
    const enrolled = enrolments.consoles.get(id);
    // A hub that was cut off from the ledger may miss a removal, and hear only of the next
    // enrolment.
    if (before !== undefined && enrolled?.tokenHash !== before.tokenHash) {
      onRemoved(id);
      picture.remove(id);
    }
    if (enrolled === undefined) return;
    const presence = picture.presence(id);
    if (presence === undefined) return picture.set(awaited(id, enrolled, now()));
    if (!enrolled.isApproved || presence.isApproved) return;
    picture.set(approved(presence, now(), patience));
    onApproved(id);
  });
}
