/**
 * The meaning of each error code, in a sentence.
 *
 * @module
 */
import { errorCodes, type ErrorName } from "../../core/errors.ts";

const meanings: Readonly<Record<ErrorName, string>> = {
  malformed: "The message is not a request.",
  unknownMethod: "There is no such method.",
  invalidParameter: "A parameter is missing, or not as expected.",
  notLoggedIn: "A token is missing, or is that of nobody.",
  noRight: "The user may not.",
  noSuchObject: "There is no such object.",
  readOnly: "It cannot be changed.",
  webSocketOnly: "It works over WebSocket only.",
  licenseMissing: "A license is missing.",
  alteredSnapshotData: "The snapshotdata was altered, or is of a console with another site key.",
  limitReached: "A limit is reached, or another engine has claimed the path.",
  notStored: "It could not be stored, so it is not in force.",
};

/** Describes the errors, in the order of their codes. */
export function describeErrors() {
  return Object.entries(errorCodes).map(([name, code]) => ({
    name,
    code,
    means: meanings[name as ErrorName],
  }));
}
