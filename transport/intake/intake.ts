/**
 * What requests bring: their bodies, and the parameters of actions. The rest of the transport
 * imports this file alone of its folder.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import type { Pacer, Timer } from "../../core/ports.ts";
import { type BodyOutcome, readBody, SILENCE_MS } from "./body.ts";
import { type Form, readForm, type Received } from "./form.ts";
import type { Guest } from "./room.ts";
import { createTimeouts } from "./timeouts.ts";

export { type Form, readQuery, type Received, type ReceivedValues } from "./form.ts";
export { decoded, type ReceivedFile } from "./multipart.ts";
export { createRoom, type Guest, type Room } from "./room.ts";

/** Takes in what requests bring. */
export interface Intake {
  /**
   * The body of a request, if it has at most `maxBytes`; {@linkcode readBody} says what else may
   * become of it. One that comes through a room is a guest of that.
   */
  body(request: Request, maxBytes: number, guest?: Guest): Promise<BodyOutcome>;
  /** The fields of a form, or why they cannot be read. */
  form(form: Form): Promise<Received | Refusal>;
}

/** Makes an intake. */
export function createIntake(timer: Timer, pacer: Pacer): Intake {
  const ports = { timer, pacer, onSilence: createTimeouts(timer, SILENCE_MS) };
  return {
    body: (request, maxBytes, guest) => readBody(request, maxBytes, ports, guest),
    form: (form) => pacer.run(readForm(form)),
  };
}
