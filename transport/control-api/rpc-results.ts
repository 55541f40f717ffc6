/**
 * The results that several RPC methods share, as they are published.
 *
 * @module
 */
import * as v from "valibot";

/** A result without members: what was asked for is done. */
export const done = v.strictObject({});

/** Describes text. */
export function says(description: string) {
  return v.pipe(v.string(), v.description(description));
}

/** Describes a number. */
export function counts(description: string) {
  return v.pipe(v.number(), v.description(description));
}

/** Describes what is so or not. */
export function tells(description: string) {
  return v.pipe(v.boolean(), v.description(description));
}

/** Describes an instant, in ISO 8601 and UTC, and when there is none. */
export function instant(description: string) {
  return v.pipe(v.nullable(v.string()), v.description(`${description}, in ISO 8601 and UTC`));
}

/** A token that was made, which is not shown again. */
export const madeToken = says("the token, which is not shown again");

/** What an admin is told of the first user who gains by logging out. */
export const notice = v.exactOptional(
  says("set where this is the first user who may do more without the token: how to close that"),
);

/** The external list that was asked for. */
export const theList = v.object({ list: counts("the external list") });
