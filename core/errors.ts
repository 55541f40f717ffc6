/**
 * This file has the published error codes of the control API (decisions.md, "Control API
 * endpoints") and the value that carries one. A refusal is made where the fault is known and turned
 * into an answer in one place per transport; nothing in the core throws for bad input.
 *
 * @module
 */

import { withoutTokens } from "./shown.ts";

/** An RPC or control-tree answer carries one of these codes in `error.code`. */
export const errorCodes = {
  malformed: 1,
  unknownMethod: 2,
  invalidParameter: 3,
  notLoggedIn: 4,
  noRight: 5,
  noSuchObject: 6,
  readOnly: 7,
  webSocketOnly: 8,
  licenseMissing: 9,
  alteredSnapshotData: 10,
  limitReached: 11,
  notStored: 12,
} as const;

/** An error code has a name, as the code table spells it. */
export type ErrorName = keyof typeof errorCodes;

/**
 * A refusal says why something was refused: a code of the published table and one sentence for
 * people.
 */
export interface Refusal {
  readonly code: (typeof errorCodes)[ErrorName];
  /** Names the parameter, the value and what was expected. */
  readonly message: string;
  /**
   * The parameter that is at fault, by the name the RPC interface gives it; the message begins so.
   */
  readonly parameter?: string;
}

/**
 * Makes a refusal. Its sentence shows no text in the form of a token.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 *
 * const refusal = refuse("noSuchObject", "there is no mixer 7", "mixer");
 * assertEquals(refusal, { code: 6, message: "mixer: there is no mixer 7", parameter: "mixer" });
 * ```
 */
export function refuse(name: ErrorName, sentence: string, parameter?: string): Refusal {
  const code = errorCodes[name];
  const said = withoutTokens(sentence);
  return parameter === undefined
    ? { code, message: said }
    : { code, message: `${parameter}: ${said}`, parameter };
}

/** Makes the same refusal for an interface that gives its parameter another name. */
export function renamed(refusal: Refusal, names: Readonly<Record<string, string>>): Refusal {
  const { message, parameter } = refusal;
  const name = parameter === undefined ? undefined : names[parameter];
  if (parameter === undefined || name === undefined) return refusal;
  return { ...refusal, message: name + message.slice(parameter.length), parameter: name };
}

/** Tells a refusal from a result. */
export function isRefusal(outcome: object): outcome is Refusal {
  return "code" in outcome && "message" in outcome;
}
