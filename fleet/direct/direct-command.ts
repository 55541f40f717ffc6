/**
 * A live command to a console that the hub dials itself. Such a console knows no ids and no clock
 * of the hub: the hub begins the command at its time, and sends it once, in a session of its user.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { after } from "../../core/ports.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Command } from "../commands/command.ts";
import {
  type Became,
  type CommandsParts,
  EXPIRED,
  refusedBy,
  type Tell,
} from "../commands/command-way.ts";
import type { HeldConsole } from "../hub/hub-core.ts";
import { COMMAND_ANSWER_MS } from "../hub/hub-limits.ts";
import type { Json } from "../json.ts";

const NORMAL = 1000;

const LOST: Became = {
  outcome: "unknown",
  why: "the console did not answer: nobody knows whether it was carried out",
};

/** Has a console carry out a command, and tells what has become of it. */
export async function askDirectly(
  held: HeldConsole,
  command: Command,
  { clock, timer, vouchedAt }: CommandsParts,
  tell: Tell,
): Promise<void> {
  const { console, by, from, at, expires, require, request } = command;
  if (require !== undefined) {
    const why = "the hub dials this console, which cannot require values";
    return tell(command, refusedBy(refuse("invalidParameter", why, "require")));
  }
  const as = vouchedAt(by, console);
  if (isRefusal(as)) return tell(command, refusedBy(as));
  const answer = Promise.withResolvers<Became>();
  const socket = await held.session(console, as, from, {
    receive(data) {
      const became = answerIn(data);
      if (became !== undefined) answer.resolve(became);
    },
    closed: () => answer.resolve(LOST),
  });
  if (isRefusal(socket)) return tell(command, refusedBy(socket));
  const wait = (at ?? 0) - clock.now();
  if (wait > 0) await new Promise<void>((resolve) => after(timer, wait, resolve));
  if (clock.now() >= expires) {
    socket.close(NORMAL, "");
    return tell(command, EXPIRED);
  }
  tell(command, { outcome: "sent" });
  const cancel = after(timer, COMMAND_ANSWER_MS, () => answer.resolve(LOST));
  socket.send(JSON.stringify({ msgID: 1, ...request }));
  tell(command, await answer.promise);
  cancel();
  socket.close(NORMAL, "");
}

/** Returns what a message of a console says of the command; undefined for updates. */
function answerIn(data: unknown): Became | undefined {
  let message: unknown;
  try {
    message = JSON.parse(data as string);
  } catch {
    return undefined;
  }
  if (!isBranch(message) || message.msgID !== 1) return undefined;
  if (message.success !== true) return refusedBy(message.error as unknown as Refusal);
  const { payload } = message as { readonly payload?: Json };
  const isOfRpc = isBranch(payload) && payload.method !== undefined;
  const result = (isOfRpc ? payload.result : payload) as Json | undefined;
  return { outcome: "done", ...(result === undefined ? {} : { result }) };
}
