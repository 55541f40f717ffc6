/**
 * A live command to a console that the hub dials itself. Such a console knows no ids and no clock
 * of the hub: the hub begins the command at its time, and sends it once, in a session of its user.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { type Json, objectIn } from "../../core/json.ts";
import { after, within } from "../../core/ports.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Command } from "../commands/command.ts";
import {
  type Became,
  type CommandsParts,
  EXPIRED,
  refusedBy,
  type Tell,
} from "../commands/command-way.ts";
import { refusalOf } from "../hub/console-state.ts";
import type { HeldConsole } from "../hub/hub-core.ts";
import { COMMAND_ANSWER_MS, LIVE_GRACE_MS } from "../hub/hub-limits.ts";
import { NORMAL_CLOSURE } from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";

const CANNOT_REQUIRE = refuse(
  "invalidParameter",
  "the hub dials this console, which cannot check required values in the step of the change: " +
    "use force, which requires none",
  "require",
);

const NOT_KEPT = refuse(
  "invalidParameter",
  "the hub dials this console, which takes no kept commands: it knows no ids",
  "kind",
);

const OTHER_RIGHTS = refuse("noRight", "the user has other rights since it was asked for");

const LOST = refuse(
  "noSuchObject",
  "the connection to the console was lost before the time of the command: nothing was sent",
);

const UNANSWERED: Became = {
  outcome: "unknown",
  why: "the console did not answer: nobody knows whether it was carried out",
};

/** Refuses a command that cannot be sent to a console that the hub dials itself. */
export function directRefusal(
  { kind, require }: Pick<Command, "kind" | "require">,
): Refusal | undefined {
  if (kind === "kept") return NOT_KEPT;
  return require === undefined ? undefined : CANNOT_REQUIRE;
}

/** Has a console carry out a command, and reports the outcome. */
export async function askDirectly(
  held: HeldConsole,
  command: Command,
  { clock, timer, vouchedAt }: CommandsParts,
  tell: Tell,
): Promise<void> {
  const { console, by, from, at, expires, request } = command;
  const refusal = directRefusal(command);
  if (refusal !== undefined) return tell(command, refusedBy(refusal));
  const as = vouchedAt(by, console);
  if (isRefusal(as)) return tell(command, refusedBy(as));
  const answer = Promise.withResolvers<Became>();
  let isLost = false;
  const opening = held.session(console, as, from, {
    receive(data) {
      const became = answerIn(data);
      if (became !== undefined) answer.resolve(became);
    },
    closed() {
      isLost = true;
      answer.resolve(UNANSWERED);
    },
  });
  const socket = await within(timer, expires - clock.now(), opening);
  if (socket === undefined) {
    tell(command, EXPIRED);
    return await opening.then(end);
  }
  if (isRefusal(socket)) return tell(command, refusedBy(socket));
  const wait = (at ?? 0) - clock.now();
  if (wait > 0) await new Promise<void>((resolve) => after(timer, wait, resolve));
  const left = expires - clock.now();
  const now = vouchedAt(by, console);
  if (left <= 0) tell(command, EXPIRED);
  else if (isLost) tell(command, refusedBy(LOST));
  else if (isRefusal(now)) tell(command, refusedBy(now));
  else if (now.may !== as.may) tell(command, refusedBy(OTHER_RIGHTS));
  else {
    tell(command, { outcome: "sent" });
    socket.send(JSON.stringify({ msgID: 1, ...request }));
    const soon = await within(timer, left + LIVE_GRACE_MS, answer.promise);
    tell(command, soon ?? UNANSWERED);
    const late = soon ?? await within(timer, COMMAND_ANSWER_MS - LIVE_GRACE_MS, answer.promise);
    if (soon === undefined && late !== undefined && late !== UNANSWERED) tell(command, late);
  }
  end(socket);
}

function end(socket: Socket | Refusal): void {
  if (!isRefusal(socket)) socket.close(NORMAL_CLOSURE, "");
}

/**
 * Returns the outcome of the command that a message of a console reports; undefined for updates.
 */
function answerIn(data: unknown): Became | undefined {
  const message = objectIn(data as string);
  if (message?.msgID !== 1) return undefined;
  if (message.success !== true) return refusedBy(refusalOf(message.error));
  const { payload } = message as { readonly payload?: Json };
  const isOfRpc = isBranch(payload) && payload.method !== undefined;
  const result = (isOfRpc ? payload.result : payload) as Json | undefined;
  return { outcome: "done", ...(result === undefined ? {} : { result }) };
}
