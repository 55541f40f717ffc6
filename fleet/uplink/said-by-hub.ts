/**
 * Parts of the frames of a hub that several of them have.
 *
 * @module
 */
import { isBranch } from "../../core/tree/tree.ts";
import { USER_NAME } from "../../core/users/adduser.ts";
import { FLEET_MAY } from "../wire.ts";

/** Maximum length of an address in an audit trail. */
const FROM_LENGTH = 64;

/** Says whether a value is a time, in ms. */
export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

/** Says whether a value is a user of a fleet. */
export function isFleetUser(value: unknown): boolean {
  return isBranch(value) && typeof value.name === "string" && USER_NAME.test(value.name) &&
    (FLEET_MAY as readonly unknown[]).includes(value.may);
}

/** Returns an address without control characters, as an audit trail may have it. */
export function shownAddress(from: string): string {
  return from.replaceAll(/\p{Cc}/gu, "").slice(0, FROM_LENGTH);
}
