/**
 * A backup that no restore would take is refused, before any of it is given out where that is
 * known.
 */
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { pack } from "../../../core/backup/pack.ts";
import { isRefusal } from "../../../core/errors.ts";
import { BACKUP_FILE_BYTES, BACKUP_FILES, BACKUP_JSON_VALUES } from "../../../core/limits.ts";
import type { Snapshot } from "../../../core/snapshots/snapshot.ts";
import type { State } from "../../../core/state.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { act, refusalOf, startService, testConsole, tokens, unlimitedWith } from "../../service.ts";
import { collected, filesIn, gunzip, packed, read } from "./archives.ts";

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

function packing(state: State) {
  return pack(state, ["MXSNAPS"], { time: 0, scheduler: withoutPauses });
}

/** Content with which the file of the snapshot has so many bytes. */
async function contentOf(bytes: number): Promise<Branch> {
  const files = filesIn(await gunzip(await packed(await stateOf(1, { label: "" }), ["MXSNAPS"])));
  return { label: "x".repeat(bytes - files.get(NAME)!.length) };
}

Deno.test("a file as large as may be is packed and read, one a byte larger is refused", async () => {
  const largest = await packed(await stateOf(1, await contentOf(BACKUP_FILE_BYTES)), ["MXSNAPS"]);
  assert(!isRefusal(await read(largest, ["MXSNAPS"])));
  const larger = await stateOf(1, await contentOf(BACKUP_FILE_BYTES + 1));
  const { code, message } = refusalOf(await packing(larger));
  const expected = `${NAME} has ${
    BACKUP_FILE_BYTES + 1
  } bytes, expected at most ${BACKUP_FILE_BYTES}`;
  assertEquals([code, message], [11, `this backup could not be restored: ${expected}`]);
});

Deno.test("a file of more values than a restore takes is refused", async () => {
  const content = { list: Array(BACKUP_JSON_VALUES).fill(0) } as unknown as Branch;
  const { code, message } = refusalOf(await packing(await stateOf(1, content)));
  assertEquals(code, 11);
  assertStringIncludes(message, `${NAME} has 5000`);
  assertStringIncludes(message, " values, expected at most 500000");
});

Deno.test("more files than a restore takes are refused", async () => {
  assert(!isRefusal(await packing(await stateOf(BACKUP_FILES, {}))));
  const { code, message } = refusalOf(await packing(await stateOf(BACKUP_FILES + 1, {})));
  assertEquals([code, message], [
    11,
    `this backup could not be restored: it has more files, expected at most ${BACKUP_FILES}`,
  ]);
});

Deno.test("a console of 20,000 snapshots is told at once that it has too many", async () => {
  const state = await stateOf(20_000, {});
  const begun = performance.now();
  assertEquals(refusalOf(await packing(state)).code, 11);
  assert(performance.now() - begun < 1000);
});

Deno.test("more bytes than a restore unpacks are refused", async () => {
  const content = await contentOf(BACKUP_FILE_BYTES - 1);
  const { code, message } = refusalOf(await packing(await stateOf(32, content)));
  assertEquals(code, 11);
  assertStringIncludes(message, "it has more bytes, expected at most 268435456");
});

Deno.test("the stream of one that is packed too large fails at its end", async () => {
  const random = crypto.getRandomValues(new Uint8Array(65_536)).toBase64();
  const content = { label: random.repeat(95) };
  const stream = await packing(await stateOf(11, content));
  if (isRefusal(stream)) throw new Error(stream.message);
  await assertRejects(() => collected(stream), Error, "at most 67108864 bytes packed");
});

Deno.test("the action says why, instead of a file", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const content = await contentOf(BACKUP_FILE_BYTES + 1);
  await service.console.dispatch(
    () => ({ events: [{ type: "snapshotwritten", snapshot: snapshot(1, content) }], result: {} }),
    {},
  );
  const answer = await act(service, "backup", { Tags: "MXSNAPS", Token: tokens.admin });
  assertStringIncludes(answer.json.Error, "this backup could not be restored");
});

Deno.test("users who take as many bytes as may be are packed and read, one more is refused", async () => {
  const { state } = await testConsole();
  const hash = (at: number) => at.toString(16).padStart(64, "0");
  const users = (count: number): State["users"] =>
    new Map(
      Array.from({ length: count }, (_, at) => {
        const name = `user${String(at).padStart(6, "0")}`;
        return [name, { name, groups: 1, admin: true, tokenHash: hash(at) }];
      }),
    );
  const [one, two] = await Promise.all([1, 2].map(async (count) => {
    const archive = await packed({ ...state, users: users(count) }, ["USERS"]);
    return filesIn(await gunzip(archive)).get("users.bin")!.length;
  }));
  const most = Math.floor((BACKUP_FILE_BYTES - one!) / (two! - one!)) + 1;
  const archive = await packed({ ...state, users: users(most) }, ["USERS"]);
  assert(!isRefusal(await read(archive, ["USERS"])));
  const options = { time: 0, scheduler: withoutPauses };
  const refusal = refusalOf(await pack({ ...state, users: users(most + 1) }, ["USERS"], options));
  assertStringIncludes(refusal.message, "users.bin has 8388");
});

Deno.test("large files that pack to next to nothing are read, one after the other", async () => {
  const state = await stateOf(12, await contentOf(BACKUP_FILE_BYTES - 100));
  const contents = await read(await packed(state, ["MXSNAPS"]), ["MXSNAPS"]);
  if (isRefusal(contents)) throw new Error(contents.message);
  assertEquals(contents.snapshots.MXSNAPS?.length, 12);
});
