/**
 * The values of the sections that are not parts of the control tree, made from the lists that a
 * console gives of its content: so a console and its hub make the same value from the same content.
 *
 * @module
 */
import { hexOf } from "../../core/hex.ts";
import { canonicalForm, type Json, jsonPieces } from "../../core/json.ts";
import type { PictureListEntry } from "../../core/pictures/getpicturelist.ts";
import type { Steps } from "../../core/ports.ts";
import { createSha256 } from "../../core/sha256.ts";
import type { SettingsTag } from "../../core/settings/documents.ts";
import type { SnapshotListEntry } from "../../core/snapshots/getsnapshotlist.ts";
import { DEFAULT_ID } from "../../core/snapshots/snapshot.ts";
import type { UserListEntry } from "../../core/users/getuserlist.ts";

/** The settings documents that are compared: all others differ from console to console. */
export const COMPARED_SETTINGS = [
  "TIMEZONE",
  "SERVICES",
  "LOG",
  "SNMP",
] as const satisfies readonly SettingsTag[];

/** Number of characters or bytes that are hashed in one step, in a fraction of a millisecond. */
const STEP = 4 * 1024;

const encoder = new TextEncoder();

/** Returns the SHA-256 of the canonical JSON (RFC 8785) of a value, in hexadecimal, in steps. */
export function* digestOf(value: unknown): Steps<string> {
  const hash = createSha256();
  let text = "";
  for (const piece of jsonPieces(value, canonicalForm)) {
    text += piece;
    if (text.length < STEP) continue;
    hash.update(encoder.encode(text));
    text = "";
    yield;
  }
  hash.update(encoder.encode(text));
  return hexOf(hash.digest());
}

/** Returns the SHA-256 of a text in UTF-8, in hexadecimal, in steps. */
export function* textDigest(text: string): Steps<string> {
  const hash = createSha256();
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = Math.min(at + STEP, text.length);
    // A pair of surrogates is one character.
    if (end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!)) end++;
    hash.update(encoder.encode(text.slice(at, end)));
    yield;
  }
  return hexOf(hash.digest());
}

/** Returns the SHA-256 of bytes, in hexadecimal, in steps. */
export function* bytesDigest(bytes: Uint8Array): Steps<string> {
  const hash = createSha256();
  for (let at = 0; at < bytes.length; at += STEP) {
    hash.update(bytes.subarray(at, at + STEP));
    yield;
  }
  return hexOf(hash.digest());
}

/** Says whether a snapshot of a list is compared. */
export function isCompared({ id, factory }: Pick<SnapshotListEntry, "id" | "factory">): boolean {
  return !factory && id !== DEFAULT_ID;
}

/** A snapshot of a list, with the digest of its content. */
export interface DigestedSnapshot extends SnapshotListEntry {
  readonly content: string;
}

/**
 * Makes the value of the snapshots of one list: by their names, since each console gives a snapshot
 * an id of its own. Of several snapshots with one name, each further one has a number behind its
 * name.
 */
export function snapshotsValue(snapshots: readonly DigestedSnapshot[]): Json {
  const value = new Map<string, Json>();
  for (const { name, readgroups, writegroups, content } of snapshots) {
    let key = name;
    for (let count = 2; value.has(key); count++) key = `${name} (${count})`;
    value.set(key, { readgroups, writegroups, content });
  }
  return Object.fromEntries(value);
}

/** Makes the value of the section of users. */
export function usersValue(
  users: readonly Pick<UserListEntry, "name" | "groups" | "admin" | "engine" | "may" | "expires">[],
): Json {
  return Object.fromEntries(
    users.map(({ name, groups, admin, engine, may, expires }) => [
      name,
      { groups, admin, engine, may, expires },
    ]),
  );
}

/** Makes the value of the section of pictures; `digests` has the SHA-256 of each picture. */
export function picturesValue(
  pictures: readonly Pick<PictureListEntry, "id" | "name">[],
  digests: ReadonlyMap<number, string>,
): Json {
  return Object.fromEntries(
    pictures.map(({ id, name }) => [id, { name, picture: digests.get(id) ?? null }]),
  );
}
