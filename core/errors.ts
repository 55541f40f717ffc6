/**
 * The published error codes of the control API (decisions.md, "Control API endpoints") and the value
 * that carries one. A refusal is made where the fault is known and turned into an answer in one place
 * per transport; nothing in the core throws for bad input.
 *
 * @module
 */

/** Every code an RPC or control-tree answer can carry in `error.code`. */
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

/** The name of an error code, as the code table spells it. */
export type ErrorName = keyof typeof errorCodes;

/** Why something was refused: a code of the published table and one sentence for people. */
export interface Refusal {
  readonly code: (typeof errorCodes)[ErrorName];
  /** Names the parameter, the value and what was expected. */
  readonly message: string;
}

/** Makes a refusal: `refuse("noSuchObject", "no such path: /nowhere")`. */
export function refuse(name: ErrorName, message: string): Refusal {
  return { code: errorCodes[name], message };
}

/** Tells a refusal from what was asked for. */
export function isRefusal(outcome: object): outcome is Refusal {
  return "code" in outcome && "message" in outcome;
}
