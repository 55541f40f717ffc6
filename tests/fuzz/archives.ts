/**
 * Valid backups that are altered and then given to a restore.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { MANIFEST, SUMS } from "../../core/backup/manifest.ts";
import { tagNames } from "../../core/backup/tags.ts";
import { entriesOf, type Entry, filesIn, gunzip, gzip, tarOf } from "../core/backup/archives.ts";
import { tokens } from "../service.ts";
import { assertUnchanged, atDesk } from "./desk.ts";
import {
  byteMutated,
  type ByteMutation,
  byteMutation,
  few,
  mutated,
  mutation,
  oddText,
} from "./odd.ts";

/** The files of a backup of everything. */
const files: Entry[] = [];
await atDesk(async (desk) => {
  const answer = await desk.ask(`/action/backup?Tags=ALL&Token=${tokens.admin}`, {});
  const archive = new Uint8Array(await answer!.arrayBuffer());
  for (const [name, content] of filesIn(await gunzip(archive))) {
    if (name !== MANIFEST && name !== SUMS) files.push({ name, content });
  }
});

/** An alteration of an archive, before it is packed. */
const entryMutation = fc.record({
  kind: fc.constantFrom("json", "json", "json", "drop", "copy", "rename", "flag", "size", "bytes"),
  at: fc.nat(1000),
  /** Whether the sums are those of the altered files, so that the restore reads the files. */
  summed: fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
  mutations: fc.array(mutation, { minLength: 1, maxLength: 2 }),
  bytes: fc.array(byteMutation, { minLength: 1, maxLength: 2 }),
  name: fc.oneof(
    oddText,
    fc.constantFrom("../network.json", "/etc/passwd", "mxsnaps/x.sfp", "fwconfig.json"),
  ),
  flag: fc.constantFrom("1", "2", "5", "L", "x", "g", "\0", "7"),
  size: fc.constantFrom(0, 1, 511, 512, 513, 2 ** 33 - 1),
});

type EntryMutation = typeof entryMutation extends fc.Arbitrary<infer One> ? One : never;

function altered(entries: readonly Entry[], one: EntryMutation): Entry[] {
  const at = one.at % Math.max(1, entries.length);
  const entry = entries[at];
  if (entry === undefined) return [];
  const put = (...instead: Entry[]) => entries.toSpliced(at, 1, ...instead);
  switch (one.kind) {
    case "drop":
      return put();
    case "copy":
      return put(entry, { ...entry });
    case "rename":
      return put({ ...entry, name: one.name.slice(0, 90) });
    case "flag":
      return put({ ...entry, type: one.flag, link: one.name.slice(0, 90) });
    case "size":
      return put({ ...entry, size: one.size });
    case "bytes":
      return put({ ...entry, content: byteMutated(bytesOf(entry), one.bytes) });
    default:
      return put({ ...entry, content: jsonMutated(bytesOf(entry), one) });
  }
}

function bytesOf({ content = "" }: Entry): Uint8Array<ArrayBuffer> {
  return typeof content === "string" ? new TextEncoder().encode(content) : content.slice();
}

function jsonMutated(bytes: Uint8Array<ArrayBuffer>, { mutations, bytes: instead }: EntryMutation) {
  try {
    const document = JSON.parse(new TextDecoder().decode(bytes));
    return JSON.stringify(mutated(document, mutations)) ?? "";
  } catch {
    // Not JSON: a certificate, or the encrypted users.
    return byteMutated(bytes, instead);
  }
}

/** An archive that was altered before or after its sums were made, or as packed bytes. */
async function archiveOf(
  mutations: readonly EntryMutation[],
  tar: readonly ByteMutation[],
  packed: readonly ByteMutation[],
): Promise<Uint8Array<ArrayBuffer>> {
  const [summed, later] = [true, false].map((is) => mutations.filter((one) => one.summed === is));
  const entries = later!.reduce(altered, entriesOf(summed!.reduce(altered, files), tagNames));
  return byteMutated(await gzip(byteMutated(tarOf(entries), tar)), packed);
}

const rarely = fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, few(byteMutation, 2));

/** An archive is restored, or it is refused and changes nothing. */
export const archivesProperty = fc.asyncProperty(
  few(entryMutation, 2),
  rarely,
  rarely,
  fc.oneof(
    { weight: 4, arbitrary: fc.constant("ALL") },
    { weight: 4, arbitrary: fc.subarray([...tagNames], { minLength: 1 }).map(String) },
    { weight: 1, arbitrary: oddText },
  ),
  async (mutations, tar, packed, tags) => {
    const archive = await archiveOf(mutations, tar, packed);
    await atDesk(async (desk) => {
      const before = desk.state;
      const body = new FormData();
      body.append("Tags", tags);
      body.append("Token", tokens.admin);
      body.append("file", new File([archive], "backup.bin"));
      const answer = (await desk.ask("/action/restore", { method: "POST", body }))!;
      assertEquals(answer.status, 200);
      const read = await answer.json();
      if (read.Error === undefined) assert(Array.isArray(read.Restored), JSON.stringify(read));
      else assertUnchanged(before, desk.state, read.Error);
    });
  },
);
