/**
 * What attackers know and do alike.
 *
 * @module
 */
import type { Socket } from "node:net";
import { CLOSE, gone, headOf, type Hear, openWire, statusOf, TEXT, type Wire } from "./wire.ts";

/** Whom an attack goes against. */
export interface Target {
  readonly port: number;
  /** Where HTTPS is spoken, for the attack that needs it. */
  readonly tlsPort: number;
  /** A user of group 1. */
  readonly user: string;
  readonly admin: string;
  /** Whether the attack is to end. */
  readonly over: boolean;
  /** Notes what the attacker was told. */
  tell(what: string, times?: number): void;
}

/** Carries an attack out; what it has opened is closed with its process. */
export type Attack = (target: Target) => Promise<void>;

/** Waits for so many ms. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Does something so often at the same time. */
export async function atOnce(
  count: number,
  act: (number: number) => Promise<unknown>,
): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, number) => act(number)));
}

/**
 * Notes what each frame says: answers by their error, and the code of a close. `answered` is called
 * for each answer.
 */
export function noting({ tell }: Target, answered = () => {}): Hear {
  return (opcode, payload) => {
    if (opcode === CLOSE) tell(`close ${payload[0]! << 8 | payload[1]!}`);
    if (opcode !== TEXT) return;
    const end = new TextDecoder().decode(payload.subarray(-2000));
    const code = /"error":\{"code":(\d+)/.exec(end)?.[1];
    if (!end.endsWith('"success":true}') && code === undefined) return;
    tell(code === undefined ? "answered" : `error ${code}`);
    answered();
  };
}

/** Opens a WebSocket that notes all it is told; undefined where it is let in no more. */
export async function noted(
  target: Target,
  options: { from?: string; token?: string; isTls?: boolean; answered?: () => void } = {},
): Promise<Wire | undefined> {
  const { answered, ...rest } = options;
  const wire = await openWire(rest.isTls ? target.tlsPort : target.port, {
    ...rest,
    hear: noting(target, answered),
  })
    .catch(() => undefined);
  if (wire?.status === 101) {
    noteEnd(target, wire.socket);
    return wire;
  }
  target.tell(wire === undefined ? "no connection" : `HTTP ${wire.status}`);
  wire?.socket.destroy();
}

/** Notes when a connection ends while the attack goes on. */
export function noteEnd(target: Target, socket: Socket): void {
  gone(socket).then(() => target.over || target.tell("cut off"));
}

/** Notes the answer to a request over HTTP/1.1, or that the connection ends without one. */
export async function noteAnswer(target: Target, socket: Socket): Promise<void> {
  const head = await headOf(socket);
  if (head !== "") target.tell(`HTTP ${statusOf(head)}`);
  socket.resume();
  await gone(socket);
  if (head === "" && !target.over) target.tell("cut off");
}
