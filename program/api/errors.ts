/**
 * The meaning of each error code, in a sentence.
 *
 * @module
 */
import { errorCodes, type ErrorName } from "../../core/errors.ts";

const meanings: Readonly<Record<ErrorName, string>> = {
  malformed: "The message is not a request.",
  unknownMethod: "There is no such method.",
  invalidParameter: "A parameter is missing, or is not as expected.",
  notLoggedIn: "A token is missing, or belongs to no user.",
  noRight: "The user may not do this.",
  noSuchObject: "There is no such object.",
  readOnly: "The value or the object cannot be changed.",
  webSocketOnly: "The request works over a WebSocket only.",
  licenseMissing: "A license is missing.",
  alteredSnapshotData:
    "The snapshotdata was altered, or comes from a console with another site key.",
  limitReached: "A limit is reached, or another engine has claimed the path.",
  notStored: "The change could not be stored, so it is not in force.",
};

/** Describes the errors, in the order of their codes. */
export function describeErrors() {
  return Object.entries(errorCodes).map(([name, code]) => ({
    name,
    code,
    means: meanings[name as ErrorName],
  }));
}
