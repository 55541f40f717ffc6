/**
 * Valid messages over a WebSocket that are altered.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { errorCodes } from "../../core/errors.ts";
import { isBranch } from "../../core/tree/tree.ts";
import { type Json, tokens } from "../service.ts";
import { envelopes } from "./corpus.ts";
import { assertUnchanged, atDesk, ENGINE_TOKEN } from "./desk.ts";
import { few, mutated, mutation, textMutated, textMutation } from "./odd.ts";

const CODES: ReadonlySet<number> = new Set(Object.values(errorCodes));

/** The codes with which a connection may be closed because of its client's messages. */
const CLOSES: ReadonlySet<number> = new Set([1008, 1009, 1012, 1013]);

const { admin, one, two, none } = tokens;

/** The token of any user, or none. */
export const caller = fc.constantFrom(admin, admin, one, two, none, ENGINE_TOKEN, undefined);

/** The methods with the most code have the largest weights. */
const WEIGHTS = {
  rpc: 8,
  set: 4,
  get: 3,
  report: 3,
  subscribe: 2,
  engine: 1,
  unsubscribe: 1,
  auth: 1,
};

const message = fc.oneof(
  ...Object.entries(WEIGHTS)
    .map(([method, weight]) => ({ weight, arbitrary: fc.constantFrom(...envelopes[method]!) })),
);

/** The text of a request, valid or altered. */
export const messageText: fc.Arbitrary<string> = fc.tuple(
  message,
  few(mutation, 3),
  fc.oneof({ weight: 12, arbitrary: fc.constant([]) }, few(textMutation, 2)),
).map(([message, mutations, textMutations]) =>
  textMutated(JSON.stringify(mutated(message, mutations)) ?? "", textMutations)
);

/** Data of a message: text, or the bytes of a binary frame. */
const data: fc.Arbitrary<string | ArrayBuffer> = fc.oneof(
  { weight: 50, arbitrary: messageText },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }).map((bytes) => bytes.slice().buffer) },
);

/**
 * Every message is answered in its turn, or closes its connection; only a report without a `msgID`
 * needs no answer. A refusal changes nothing. The messages are sent one by one, or all at once.
 */
export const messagesProperty = fc.asyncProperty(
  caller,
  fc.array(data, { minLength: 1, maxLength: 3 }),
  fc.boolean(),
  (token, sent, together) =>
    atDesk(async (desk) => {
      const socket = await desk.open(token);
      for (const some of together ? [sent] : sent.map((one) => [one])) {
        const before = desk.state;
        const answers = await socket.send(...some);
        const loud = some.filter((request) => !mayBeQuiet(request));
        // If some of the reports were refused, answers cannot be matched to requests.
        const asked = [some, loud].find(({ length }) => length === answers.length) ?? [];
        for (const [at, answer] of answers.entries()) assertAnswer(answer, asked[at]);
        const areRefused = answers.length === some.length && answers.every(isRefusing);
        if (areRefused && !mayLogOut(token, some)) {
          assertUnchanged(before, desk.state, String(answers));
        }
        if (answers.some((answer) => typeof answer === "number")) return;
        assert(loud.length <= answers.length && answers.length <= some.length, String(answers));
      }
    }),
);

/** Whether a request has no answer on success: a report without a `msgID`. */
function mayBeQuiet(request: unknown): boolean {
  try {
    const { method, msgID } = JSON.parse(String(request));
    return method === "report" && msgID === undefined;
  } catch {
    return false;
  }
}

/** Whether an `auth`, also a refused one, may log the engine out, which ends its claim. */
function mayLogOut(token: string | undefined, some: readonly unknown[]): boolean {
  return token === ENGINE_TOKEN && some.some((request) => String(request).includes('"auth"'));
}

function assertAnswer(answer: string | number, request: unknown): void {
  if (typeof answer === "number") assert(CLOSES.has(answer), `closed with ${answer}`);
  else assertEnvelope(JSON.parse(answer), typeof request === "string" ? request : "");
}

function isRefusing(answer: string | number): boolean {
  return typeof answer === "number" || JSON.parse(answer).success === false;
}

/** Asserts that an answer is a valid envelope, and belongs to its request. */
export function assertEnvelope(answer: Json, request: string): void {
  assertEquals(typeof answer.success, "boolean");
  if (!answer.success) assertError(answer.error);
  let sent: Json;
  try {
    sent = JSON.parse(request);
  } catch {
    return;
  }
  if (!isBranch(sent) || sent.msgID === undefined) return;
  // A message over a limit is refused without being parsed, so its msgID cannot be echoed.
  if (answer.msgID === undefined && answer.error?.code === errorCodes.malformed) return;
  assertEquals(JSON.stringify(answer.msgID), JSON.stringify(sent.msgID));
}

/** Asserts that an error has a published code and a message. */
export function assertError(error: Json): void {
  assert(CODES.has(error.code), `code ${error.code}`);
  assert(typeof error.message === "string" && error.message.length > 0, "no message");
}
