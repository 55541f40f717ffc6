/**
 * A backup that no restore would take is refused, before any of it is given out where that is
 * known.
 */
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { packFiles } from "../../../core/backup/pack.ts";
import { sizeRefusal } from "../../../core/backup/size.ts";
import { tagTable } from "../../../core/backup/tags.ts";
import { BACKUP_FILE_BYTES, BACKUP_FILES, BACKUP_JSON_VALUES } from "../../../core/limits.ts";
import { defaultSnapshot } from "../../../core/snapshots/find.ts";
import type { Snapshot } from "../../../core/snapshots/snapshot.ts";
import type { State } from "../../../core/state.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { testConsole } from "../../service.ts";
import { granted } from "../actors.ts";
import { collected, documentOf, filesIn, gunzip, packed, read, restoredFrom } from "./archives.ts";

const idOf = (number: number) => `0f0c0002-0000-4000-8000-${String(number).padStart(12, "0")}`;
const NAME = `mxsnaps/${idOf(1)}.sfp`;

function snapshot(number: number, content: Branch): Snapshot {
  const id = idOf(number);
  const groups = { readgroups: 0, writegroups: 1 };
  return {
    id,
    number,
    type: 2,
    name: "x",
    ...groups,
    mixer: 0,
    factory: false,
    content: JSON.stringify(content),
  };
}

async function stateOf(count: number, content: Branch): Promise<State> {
  const { state } = await testConsole();
  const snapshots = Array.from({ length: count }, (_, at) => snapshot(at + 1, content));
  return { ...state, snapshots: new Map(snapshots.map((one) => [one.id, one])) };
}

/** Content with which the file of the snapshot has this many bytes. */
async function contentOf(bytes: number): Promise<Branch> {
  const files = filesIn(await gunzip(await packed(await stateOf(1, { label: "" }), ["MXSNAPS"])));
  return { label: "x".repeat(bytes - files.get(NAME)!.length) };
}

/** Number of snapshots, content of each, maximum of the backup in bytes, what is exceeded. */
const ZEROS = { list: Array(BACKUP_JSON_VALUES).fill(0) } as unknown as Branch;
const rows = [
  [1, await contentOf(BACKUP_FILE_BYTES + 1), undefined, `${BACKUP_FILE_BYTES} bytes in ${NAME}`],
  [1, ZEROS, undefined, `${BACKUP_JSON_VALUES} values in ${NAME}`],
  [BACKUP_FILES + 1, {}, undefined, `${BACKUP_FILES} files`],
  [10, await contentOf(1024), 16_384, "16384 bytes"],
  [33, await contentOf(BACKUP_FILE_BYTES - 1), undefined, `${256 * 1024 * 1024} bytes`],
] as const;
for (const [count, content, most, expected] of rows) {
  Deno.test(`a backup that has more than ${expected} is refused`, async () => {
    const refused = await sizeRefusal(
      await stateOf(count, content),
      ["MXSNAPS"],
      withoutPauses,
      most,
    );
    assertEquals(refused, {
      code: 11,
      message: `this backup could not be restored: it has more than ${expected}`,
    });
  });
}

Deno.test("files of the maximum size, which compress to very little, are packed and read", async () => {
  const state = await stateOf(2, await contentOf(BACKUP_FILE_BYTES));
  const contents = granted(await read(await packed(state, ["MXSNAPS"]), ["MXSNAPS"]));
  assertEquals(contents.snapshots.MXSNAPS?.length, 2);
});

Deno.test("the maximum number of files is packed", async () => {
  const state = await stateOf(BACKUP_FILES, {});
  assertEquals(await sizeRefusal(state, ["MXSNAPS"], withoutPauses), undefined);
});

/** A list of default snapshots with this many values in the content of each. */
async function zerosOf(...counts: readonly number[]): Promise<State> {
  const snapshots = counts.map((count, mixer) => {
    const content = JSON.stringify({ list: Array(count).fill(0) });
    return [`default/${mixer}`, defaultSnapshot(mixer, content)] as const;
  });
  return { ...(await testConsole()).state, snapshots: new Map(snapshots) };
}

Deno.test("the values of default snapshots are counted for each of them, as a restore reads them", async () => {
  const state = await zerosOf(BACKUP_JSON_VALUES / 2, BACKUP_JSON_VALUES * 0.9);
  assertEquals(await sizeRefusal(state, ["SNAPZERO"], withoutPauses), undefined);
  const contents = granted(await read(await packed(state, ["SNAPZERO"]), ["SNAPZERO"]));
  assertEquals(contents.snapshots.SNAPZERO, [...state.snapshots.values()]);
  assertEquals(await sizeRefusal(await zerosOf(BACKUP_JSON_VALUES), ["SNAPZERO"], withoutPauses), {
    code: 11,
    message: "this backup could not be restored: it has more than 500000 values in snapzero.json",
  });
});

Deno.test("a document that would be too large if it were indented is written without indents", async () => {
  const console = await testConsole();
  const servers = Array.from({ length: 2400 }, (_, at) => ({
    host: `syslog-${at}.studio-network.example.org`,
    port: 514,
    protocol: "udp",
  }));
  granted(await restoredFrom(console, await documentOf("log.json", { servers }), "LOG"));
  const archive = await packed(console.state, ["LOG"]);
  assertEquals(granted(await read(archive, ["LOG"])).settings, { LOG: { servers } });
  const { bytes } = tagTable.LOG;
  assert(JSON.stringify({ servers }, null, 2).length > bytes, "it is too large with indents");
});

Deno.test("the stream of a backup whose packed size is over the maximum fails at its end", async () => {
  async function* files() {
    yield { name: "tls.pem", bytes: crypto.getRandomValues(new Uint8Array(20_000)) };
  }
  const [fits, fails] = [30_000, 10_000].map((most) => packFiles(files(), withoutPauses, most));
  assert((await collected(fits!)).length > 20_000);
  await assertRejects(() => collected(fails!), Error, "at most 10000 bytes packed");
});
