/**
 * The published error codes of the control API (decisions.md, "Control API endpoints") and the
 * refusal that carries such a code. A refusal is made where the fault is found, and turned into an
 * answer in one place of each transport; nothing in the core throws because of bad input.
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

/** The name of an error code, as in the table of codes. */
export type ErrorName = keyof typeof errorCodes;

/** The reason why a call was refused: a code of the published table and a readable sentence. */
export interface Refusal {
  readonly code: (typeof errorCodes)[ErrorName];
  /** Names the parameter, the value and what was expected. */
  readonly message: string;
  /** The invalid parameter, by its name in the RPC interface; the message begins with that name. */
  readonly parameter?: string;
}

/**
 * Makes a refusal. A text in the form of a token is masked in its sentence.
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

/**
 * Makes the same refusal with another name of its parameter, for the interface that uses that name.
 */
export function renamed(refusal: Refusal, names: Readonly<Record<string, string>>): Refusal {
  const { message, parameter } = refusal;
  const name = parameter === undefined ? undefined : names[parameter];
  if (parameter === undefined || name === undefined) return refusal;
  return { ...refusal, message: name + message.slice(parameter.length), parameter: name };
}

/** Says whether an outcome is a refusal. */
export function isRefusal(outcome: object): outcome is Refusal {
  return "code" in outcome && "message" in outcome;
}

/** Returns the message of a thrown value, without its stack. */
export function reasonOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
