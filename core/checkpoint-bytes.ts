/**
 * Estimates the size of a checkpoint of a state, so that space is reserved for it.
 *
 * @module
 */
import type { Snapshot } from "./snapshots/snapshot.ts";
import type { State } from "./state.ts";
import { type Branch, isBranch } from "./tree/tree.ts";

/** Approximate overhead of a record in bytes: its header, the names of its members. */
const AROUND_RECORD = 128;
/** Approximate overhead of a large record in bytes, up to the end of a block of the medium. */
const AROUND_LARGE = 512 + AROUND_RECORD;
/** Approximate size of a user in bytes: names, a hash, groups. */
const USER = 512;
/** Number of characters of a long text that are examined, spread over all of it. */
const LOOKED_AT = 64;
/** Approximate maximum size in bytes of a certificate with its key and chain. */
const TLS = 65_536;

/**
 * Estimates the size in bytes of all records of a checkpoint of a state. Large items are counted by
 * their length and the rest by their kind, because requests wait for the answer: it takes about a
 * millisecond for a console of 1000 faders and 1000 snapshots.
 */
export function checkpointBytes(state: State): number {
  const { pictures, snapshots, staged, users, settingsBytes, tls, replaces, stored } = state;
  const { viewDocuments } = state;
  let bytes = users.size * USER + storedBytes(stored, 0);
  for (const picture of pictures.values()) bytes += AROUND_LARGE + picture.bytes.length;
  for (const snapshot of snapshots.values()) bytes += snapshotBytes(snapshot);
  for (const waiting of staged.values()) {
    for (const snapshot of waiting) bytes += snapshotBytes(snapshot);
  }
  for (const length of settingsBytes.values()) bytes += AROUND_RECORD + length;
  // Quotation marks in a text take two bytes.
  for (const { text } of viewDocuments.byName.values()) {
    bytes += AROUND_RECORD + aboutUtf8(text) + Math.ceil(text.length / 2);
  }
  if (tls !== undefined) bytes += TLS;
  if (replaces !== undefined) bytes += aboutUtf8(JSON.stringify(state.configuration.written));
  return bytes;
}

function snapshotBytes({ factory, name, content }: Snapshot): number {
  return factory ? 0 : 2 * AROUND_RECORD + AROUND_LARGE + aboutUtf8(name) + aboutUtf8(content);
}

/** A checkpoint has a record for each branch that holds values, with the whole path in it. */
function storedBytes(branch: Branch, path: number): number {
  let below = 0;
  let leaves = 0;
  for (const member of Object.keys(branch)) {
    const value = branch[member]!;
    const named = aboutUtf8(member) + '"":,'.length;
    if (isBranch(value)) below += storedBytes(value, path + named + "{}".length);
    else leaves += named + (typeof value === "string" ? aboutUtf8(value) : 8);
  }
  return leaves === 0 ? below : below + AROUND_RECORD + path + leaves;
}

/**
 * Estimates the size of a text in UTF-8, in bytes. In a long text the characters beyond ASCII count
 * twice, because they may be clustered between the examined characters.
 */
function aboutUtf8(text: string): number {
  const step = Math.ceil(text.length / LOOKED_AT);
  let beyond = 0;
  for (let at = 0; at < text.length; at += step) beyond += utf8Of(text.charCodeAt(at)) - 1;
  return text.length + (step > 1 ? 2 * step : 1) * beyond;
}

/**
 * Returns the bytes of a UTF-16 code unit in UTF-8; a surrogate counts half of the 4 of its pair.
 */
function utf8Of(code: number): number {
  if (code < 0x80) return 1;
  const isHalf = code >= 0xd800 && code < 0xe000;
  return code < 0x800 || isHalf ? 2 : 3;
}
