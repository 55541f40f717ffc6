/** Reading of the files of an audit trail. */
import { assert, assertEquals } from "@std/assert";
import type { AuditEntry } from "../../core/audit.ts";
import type { AuditLine } from "../../core/audit-query.ts";
import { isRefusal } from "../../core/errors.ts";
import { AUDIT_FILE_BYTES, AUDIT_MERGE_MS } from "../../core/limits.ts";
import { createAuditFile } from "../../program/audit-file.ts";
import { readAuditLines } from "../../program/audit-lines.ts";
import { stillClock } from "../service.ts";
import { passingTime } from "../timers.ts";
import { temporaryFolder } from "./faderd.ts";

/** The text of a line; a larger number is newer. */
function lineText(number: number, after: unknown = number): string {
  const at = new Date(number * 1000).toISOString();
  return JSON.stringify({ at, user: "anna", what: "set", changes: [{ path: "/a", after }] });
}

const numbersOf = (lines: readonly AuditLine[]) => lines.map(({ at }) => Date.parse(at) / 1000);

/** The numbers from the last to the first. */
function down(last: number, first: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => last - index);
}

/** A folder with both files of a trail. */
async function filesWith(older: string, newest: string) {
  const folder = await temporaryFolder();
  const paths = [`${folder.path}/audit.log`, `${folder.path}/audit.1.log`] as const;
  Deno.writeTextFileSync(paths[0], newest);
  Deno.writeTextFileSync(paths[1], older);
  return { paths, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

Deno.test("lines come from the last of the newest file to the first of the older one, up to the limit", async () => {
  const long = "ü".repeat(50_000);
  const texts = (from: number, to: number) =>
    down(to, from).toReversed().map((number) => lineText(number, number % 50 ? number : long))
      .join("\n") + "\n";
  await using files = await filesWith(texts(1, 600), texts(601, 900));
  const read = async (limit: number) => await readAuditLines(files.paths, { limit });
  assertEquals(numbersOf(await read(1000)), down(900, 1));
  assertEquals(numbersOf(await read(5)), down(900, 896));
  assertEquals(numbersOf(await read(400)), down(900, 501));
  const [, , ...rest] = await readAuditLines(files.paths, { limit: 1000, since: 600_000 });
  assertEquals(numbersOf(rest), down(898, 600));
  assertEquals((await read(51)).at(-1)?.changes?.[0]?.after, long);
});

Deno.test("cut-off lines and lines of other programs are left out", async () => {
  const odd = ["", "null", "[]", "7", '{"at":"x"}', '{"at":1,"what":"set"}', '{"at":"19'];
  const changes = '{"at":"1970","what":"set","changes":{}}';
  await using files = await filesWith(
    `${lineText(1)}\n`,
    [...odd, changes, lineText(2)].join("\n"),
  );
  assertEquals(numbersOf(await readAuditLines(files.paths, { limit: 10 })), [2, 1]);
});

Deno.test("a file that is rotated during the reading is read once", async () => {
  await using files = await filesWith("", `${lineText(1)}\n`);
  Deno.removeSync(files.paths[1]);
  Deno.linkSync(files.paths[0], files.paths[1]);
  assertEquals(numbersOf(await readAuditLines(files.paths, { limit: 10 })), [1]);
});

Deno.test("missing files have no lines; a file that cannot be read is error 6", async () => {
  await using folder = await temporaryFolder();
  const isFull = () => false;
  const parts = { clock: stillClock(), timer: passingTime().timer, isFull };
  const trail = createAuditFile(folder.path, parts);
  assertEquals(await trail.read({ limit: 10 }), []);
  Deno.mkdirSync(`${folder.path}/audit.log`);
  const refusal = await trail.read({ limit: 10 });
  assert(isRefusal(refusal));
  assertEquals(refusal.code, 6);
});

Deno.test("entries can be read before they are written; a merged line stands at the time of its last call", async () => {
  await using folder = await temporaryFolder();
  const time = passingTime();
  let now = 0;
  const clock = { ...stillClock(), now: () => now };
  const trail = createAuditFile(folder.path, { clock, timer: time.timer, isFull: () => false });
  const tell = (at: number, user: string) => {
    now = at;
    const changes: AuditEntry["changes"] = [{ path: "/a", before: 0, after: at }];
    trail.tell({ user, from: "192.0.2.7", what: "set", changes });
  };
  const users = async () => {
    const lines = await trail.read({ limit: 10 });
    assert(!isRefusal(lines));
    return lines.map(({ user, again }) => again === undefined ? user : `${user} ${again}`);
  };
  tell(1, "anna");
  tell(2, "anna");
  tell(3, "carl");
  assertEquals(await users(), ["carl", "anna 1", "anna"]);
  time.pass(AUDIT_MERGE_MS);
  assertEquals(await users(), ["carl", "anna 1", "anna"]);
  await trail.close();
});

Deno.test("reading a full trail without a match pauses for other work", async () => {
  const full = `${lineText(1)}\n`.repeat(Math.floor(AUDIT_FILE_BYTES / (lineText(1).length + 1)));
  await using files = await filesWith(full, full);
  let turns = 0;
  let isOver = false;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  turn();
  assertEquals(await readAuditLines(files.paths, { limit: 10, user: "nobody" }), []);
  isOver = true;
  assert(turns > 50, `${turns} turns`);
});
