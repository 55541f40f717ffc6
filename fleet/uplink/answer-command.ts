/**
 * The answers of a console to commands, which it carries out, and to previews of commands.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { errorCodes } from "../../core/errors.ts";
import type { WouldChange } from "../../core/fleet-commands/fleet-command.ts";
import type { Leaf } from "../../core/tree/tree.ts";
import { MAY_BE_FOUND } from "../../storage/storage-error.ts";
import { ANSWER_BYTES, type FromConsole, RESULT_BYTES, WHY_CHARACTERS } from "../wire.ts";
import type { CommandCaller } from "./command-caller.ts";
import type { HubClock } from "./hub-clock.ts";
import type { CommandFrame } from "./read-command.ts";

type Do = Extract<CommandFrame, { readonly type: "do" }>;
type Preview = Extract<CommandFrame, { readonly type: "preview" }>;
type Did = Extract<FromConsole, { readonly type: "did" }>;
type Would = Extract<FromConsole, { readonly type: "would" }>;

/**
 * Carries a command out; undefined if only a restart of this console can tell whether its change
 * is stored. Such a command is not answered before that: it becomes `unknown`, and the hub sends a
 * kept one again to the restarted console.
 */
export async function carryOut(
  console: Console,
  caller: CommandCaller,
  command: Do,
  clock: HubClock,
): Promise<Did | undefined> {
  const { id, batch, kind, expires, require, request, as, from } = command;
  // A command that was done before is done, even if its time is over.
  if (console.state.commandsDone.ids.has(id)) return { type: "did", id, outcome: "done" };
  const now = clock.latest();
  if (now === undefined || now >= expires) {
    return { type: "did", id, outcome: "expired", why: "the console got it too late" };
  }
  const answer = await caller.ask(request, as, from, {
    id,
    batch,
    ...(kind === "kept" ? { kept: { expires, now } } : {}),
    ...(require === undefined ? {} : { require: require as Readonly<Record<string, Leaf>> }),
  });
  if ("refused" in answer) {
    const { code, message } = answer.refused;
    if (code === errorCodes.notStored && message.includes(MAY_BE_FOUND)) return undefined;
    return { type: "did", id, outcome: "refused", code, why: message.slice(0, WHY_CHARACTERS) };
  }
  const { result } = answer;
  const isShort = result !== undefined && isWithin(RESULT_BYTES, result);
  return { type: "did", id, outcome: "done", ...(isShort ? { result } : {}) };
}

/** Returns what a command would change, and why the console would refuse it; nothing changes. */
export async function previewOf(
  caller: CommandCaller,
  { id, require, request, as, from }: Preview,
): Promise<Would> {
  let would: WouldChange | undefined;
  const answer = await caller.ask(request, as, from, {
    id,
    batch: id,
    ...(require === undefined ? {} : { require: require as Readonly<Record<string, Leaf>> }),
    preview: (changes) => void (would = changes),
  });
  const refused = "refused" in answer
    ? { refused: answer.refused.message.slice(0, WHY_CHARACTERS) }
    : {};
  return { type: "would", id, ...(would === undefined ? {} : withinAnswer(would)), ...refused };
}

/** Returns the changes of a preview for which an answer has room, and counts the others. */
function withinAnswer({ before, after, others, all }: WouldChange): Omit<Would, "type" | "id"> {
  const whole = { before, after, ...others };
  if (all === undefined || isWithin(ANSWER_BYTES, whole)) return whole;
  return isWithin(ANSWER_BYTES, all) ? all : { more: all.changes.length + (all.more ?? 0) };
}

function isWithin(bytes: number, value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.length <= bytes && new TextEncoder().encode(text).length <= bytes;
}
