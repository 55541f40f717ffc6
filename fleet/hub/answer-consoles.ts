/**
 * The requests of consoles to a hub: enrolments, control sockets, and sockets that a console opens
 * with a ticket.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import { BAD_TOKEN } from "../../core/users/token.ts";
import type { Arrival, HttpRequest } from "../../transport/arrival.ts";
import type { BodyReader } from "../../transport/intake/body.ts";
import { json, refused, refuseMethod } from "../../transport/json-answers.ts";
import { bearerToken } from "../../transport/request-token.ts";
import { readEnrolment } from "./frames.ts";
import { DEAF, guarded } from "./guarded-listener.ts";
import type { Hub } from "./hub.ts";
import { ENROLMENT_BYTES, MESSAGE_BYTES } from "./hub-limits.ts";
import { type Enrolled, FRAME_BYTES, UPLINK_CLOSE } from "../wire.ts";

/** A request for a socket of a console. */
export interface AskedSocket {
  readonly hub: Hub;
  readonly asked: HttpRequest;
  readonly upgrade: Arrival["upgrade"];
  onFault(fault: unknown): void;
}

const TICKET = /^[0-9a-f]{32}$/;

/** Enrols a console by a code. */
export async function answerEnrolment(
  hub: Hub,
  readBody: BodyReader,
  { request, client }: HttpRequest,
): Promise<Response> {
  const wrongMethod = refuseMethod(request, "POST");
  if (wrongMethod !== undefined) return wrongMethod;
  const body = await readBody(request, ENROLMENT_BYTES, client);
  if (body.outcome !== "read") {
    return refused(
      400,
      refuse("malformed", `expected an enrolment request of at most ${ENROLMENT_BYTES} bytes`),
    );
  }
  body.release();
  const enrolment = readEnrolment(new TextDecoder().decode(body.bytes));
  if (enrolment === undefined) {
    return refused(400, refuse("malformed", "expected code, console, name and site"));
  }
  const { console: target, name, site } = enrolment;
  const made = await hub.enrolments.enrol(enrolment);
  const told = {
    user: undefined,
    from: client,
    what: "enrol",
    target: { id: target, name, site },
  };
  if (!isRefusal(made)) {
    hub.tell(told);
    return json({ token: made.token, organisation: hub.organisation } satisfies Enrolled);
  }
  const refusal = made.parameter === "code" ? await hub.refuseLate(made, client) : made;
  hub.tell({ ...told, refused: refusal.message });
  return refused(refusal.parameter === "code" ? 401 : 409, refusal);
}

/** Accepts the control socket of a console. */
export async function openControl(
  { hub, asked: { request, client }, upgrade, onFault }: AskedSocket,
): Promise<Response> {
  const id = hub.enrolments.ofToken(bearerToken(request));
  if (id === undefined) {
    await hub.refuseLate(BAD_TOKEN, client);
    // A console cannot read the status of a handshake, but it can read a close code.
    return await upgrade((socket) => {
      socket.close(UPLINK_CLOSE.notEnrolled, "the token is not that of an enrolled console");
      return DEAF;
    }, () => FRAME_BYTES);
  }
  const penalty = hub.dialled.penalty(id);
  if (penalty > 0) {
    const refusal = refuse("limitReached", "this console broke the protocol");
    return refused(429, refusal, { "retry-after": String(Math.ceil(penalty / 1000)) });
  }
  return await upgrade((socket) => {
    // The console may have been removed during the handshake.
    if (hub.enrolments.consoles.has(id)) {
      return guarded(hub.dialled.open(id, client, socket), socket, onFault);
    }
    socket.close(UPLINK_CLOSE.notEnrolled, "removed from the fleet");
    return DEAF;
  }, () => FRAME_BYTES);
}

/** Accepts the socket that a console opens with a ticket. */
export async function openTicketSocket(
  { hub, asked, upgrade, onFault }: AskedSocket,
  ticket: string,
): Promise<Response> {
  const open = TICKET.test(ticket) ? hub.tickets.take(ticket) : undefined;
  if (open === undefined) {
    const refusal = await hub.refuseLate(refuse("noSuchObject", "no such ticket"), asked.client);
    return refused(404, refusal);
  }
  return await upgrade((socket) => guarded(open(socket), socket, onFault), () => MESSAGE_BYTES);
}
