/**
 * What requests bring: their bodies, and the parameters of actions. The rest of the transport
 * imports this file alone of its folder.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import type { MemoryQuota } from "../memory-quota.ts";
import { type BodyOutcome, readBody, SILENCE_MS } from "./body.ts";
import { type Form, readForm, type Received } from "./form.ts";
import { createTimeouts } from "./timeouts.ts";

export { readQuery, type Received, type ReceivedValues } from "./form.ts";
export { decoded, isFile, type ReceivedFile } from "./multipart.ts";
export type { BodyOutcome } from "./body.ts";

/** Takes in what requests bring. */
export interface Intake {
  /**
   * The body of a request of an address, if it has at most `maxBytes`; {@linkcode readBody} says
   * what else may become of it. It counts for the quota of all bodies, unless another is given.
   */
  body(
    request: Request,
    maxBytes: number,
    address: string,
    quota?: MemoryQuota,
  ): Promise<BodyOutcome>;
  /** The fields of a form that came from an address, or why they cannot be read. */
  form(form: Form, address: string): Promise<Received | Refusal>;
}

/** Makes an intake, with a quota for all bodies together. */
export function createIntake(
  timer: Timer,
  scheduler: CooperativeScheduler,
  bodies: MemoryQuota,
): Intake {
  const ports = { timer, scheduler, onSilence: createTimeouts(timer, SILENCE_MS) };
  return {
    body: (request, maxBytes, address, quota = bodies) =>
      readBody(request, maxBytes, address, quota, ports),
    form: (form, address) => scheduler.run(readForm(form), address),
  };
}
