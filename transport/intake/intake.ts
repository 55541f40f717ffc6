/**
 * What requests bring: their bodies, and the parameters of actions. The rest of the transport
 * imports this file alone of its folder.
 *
 * @module
 */
import type { Refusal } from "../../core/errors.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { type BodyOutcome, readBody, SILENCE_MS } from "./body.ts";
import { type Form, readForm, type Received } from "./form.ts";
import type { Guest, Room } from "./room.ts";
import { createTimeouts } from "./timeouts.ts";

export { readQuery, type Received, type ReceivedValues } from "./form.ts";
export { decoded, isFile, type ReceivedFile } from "./multipart.ts";
export type { BodyOutcome } from "./body.ts";
export { createRoom, type Guest, type Room } from "./room.ts";

/** Takes in what requests bring. */
export interface Intake {
  /**
   * The body of a request of an address, if it has at most `maxBytes`; {@linkcode readBody} says
   * what else may become of it. It comes through the room for all bodies, unless it is a guest of
   * another.
   */
  body(
    request: Request,
    maxBytes: number,
    address: string,
    guest?: Guest,
  ): Promise<BodyOutcome>;
  /** The fields of a form that came from an address, or why they cannot be read. */
  form(form: Form, address: string): Promise<Received | Refusal>;
}

/** Makes an intake, with a room for all bodies together. */
export function createIntake(timer: Timer, scheduler: CooperativeScheduler, enter: Room): Intake {
  const ports = { timer, scheduler, onSilence: createTimeouts(timer, SILENCE_MS) };

  async function bodyThroughRoom(
    request: Request,
    maxBytes: number,
    address: string,
  ): Promise<BodyOutcome> {
    const guest = enter();
    try {
      return await readBody(request, maxBytes, { ...ports, address }, guest);
    } finally {
      guest.leave();
    }
  }

  return {
    body: (request, maxBytes, address, guest) =>
      guest === undefined
        ? bodyThroughRoom(request, maxBytes, address)
        : readBody(request, maxBytes, { ...ports, address }, guest),
    form: (form, address) => scheduler.run(readForm(form), address),
  };
}
