/** The audit trail of a data folder: gathered, rotated, bounded, and never in the way. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { AuditEntry } from "../../core/audit.ts";
import {
  AUDIT_FILE_BYTES,
  AUDIT_REFUSED,
  AUDIT_REFUSED_MS,
  AUDIT_WAITING,
  AUDIT_WRITE_MS,
} from "../../core/limits.ts";
import { createAuditFile } from "../../program/audit-file.ts";
import type { Json } from "../service.ts";
import { stillClock, until } from "../service.ts";
import { passingTime } from "../timers.ts";
import { temporaryFolder } from "./faderd.ts";

const change: AuditEntry = {
  user: "anna",
  from: "192.0.2.7",
  what: "set",
  changes: [{ path: "/audio/pots/1/value", before: 0, after: 1 }],
};

/** An attempt that was refused. */
function refused(what: string, code: 4 | 6 = 4, from = "192.0.2.7"): AuditEntry {
  return { user: undefined, from, what, refused: { code, message: "no" } };
}

/** An audit trail in a folder of its own, whose time passes when the test says so. */
async function auditFile() {
  const folder = await temporaryFolder();
  const time = passingTime();
  const file = createAuditFile(folder.path, { clock: stillClock(), timer: time.timer });
  const path = `${folder.path}/audit.log`;
  const lines = (): Json[] => linesOf(path);
  return {
    ...file,
    ...time,
    path,
    older: `${folder.path}/audit.1.log`,
    lines,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function linesOf(path: string): Json[] {
  return textOf(path).split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** What a file holds; nothing where it is not there. */
function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

Deno.test("entries are gathered for a second, and written as one JSON object a line", async () => {
  await using trail = await auditFile();
  trail.tell(change);
  trail.tell({ ...change, user: undefined });
  trail.pass(AUDIT_WRITE_MS - 1);
  assertEquals(trail.lines(), []);
  trail.pass(1);
  await until(() => trail.lines().length === 2);
  const { user, ...rest } = change;
  const at = "1970-01-01T00:00:00.000Z";
  assertEquals(trail.lines(), [{ at, user, ...rest }, { at, ...rest }]);
  await trail.close();
});

Deno.test("closing writes what waits; without anything to say there is no file", async () => {
  await using silent = await auditFile();
  await silent.close();
  assertEquals(linesOf(silent.path), []);
  await using trail = await auditFile();
  trail.tell(change);
  await trail.close();
  assertEquals(trail.lines().length, 1);
});

Deno.test("the file is for its owner only, also where it was not", async () => {
  await using trail = await auditFile();
  Deno.writeTextFileSync(trail.path, "", { mode: 0o644 });
  trail.tell(change);
  await trail.close();
  assertEquals(Deno.statSync(trail.path).mode! & 0o777, 0o600);
});

Deno.test("a line that was cut off is ended, and whole lines follow", async () => {
  await using trail = await auditFile();
  Deno.writeTextFileSync(trail.path, '{"at":"1970-01-01T00:00:00.000Z"}\n{"at":"19');
  trail.tell(change);
  await trail.close();
  const lines = Deno.readTextFileSync(trail.path).split("\n");
  assertEquals([lines.length, lines[1], lines.at(-1)], [4, '{"at":"19', ""]);
  assertEquals(JSON.parse(lines[2]!).what, "set");
});

Deno.test("a full file is kept as audit.1.log, and both together have at most 8 MiB", async () => {
  await using trail = await auditFile();
  for (let round = 0; round < 90; round++) {
    const path = `${"x".repeat(AUDIT_WAITING / 4)}/${round}`;
    for (let line = 0; line < 2; line++) {
      trail.tell({ ...change, changes: [{ path, before: 0, after: line }] });
    }
    // Half of what may wait is written at once.
    await until(() => textOf(trail.path).slice(-99).includes(`/${round}","before":0,"after":1`));
  }
  await trail.close();
  const sizes = [trail.path, trail.older].map((path) => Deno.statSync(path).size);
  for (const size of sizes) assert(size <= AUDIT_FILE_BYTES, String(size));
  assert(sizes[1]! > AUDIT_FILE_BYTES - AUDIT_WAITING, String(sizes[1]));
  const rounds = [trail.older, trail.path].flatMap(linesOf)
    .map(({ changes: [{ path, after }] }) => `${path.split("/")[1]} ${after}`);
  const last = Array.from({ length: 180 }, (_, at) => `${at >> 1} ${at & 1}`).slice(-rounds.length);
  assertEquals(rounds, last);
  assertEquals(Deno.statSync(trail.older).mode! & 0o777, 0o600);
});

Deno.test("what a medium does not take is lost and counted, and the next line says so", async () => {
  await using trail = await auditFile();
  // Where a folder stands, no file can be written.
  Deno.mkdirSync(trail.path);
  for (let count = 0; count < 3; count++) trail.tell(change);
  trail.pass(AUDIT_WRITE_MS);
  await settled();
  Deno.removeSync(trail.path);
  trail.tell(change);
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 2);
  const [loss, told] = trail.lines();
  assertEquals([loss.what, loss.lost, told.what], ["audit", 3, "set"]);
  trail.tell(change);
  await trail.close();
  assertEquals(trail.lines().length, 3);
});

Deno.test("what waits is bounded: more is lost and counted", async () => {
  await using trail = await auditFile();
  const large = { ...change, changes: [{ path: "x".repeat(1000), before: 0, after: 1 }] };
  const told = Math.ceil(3 * AUDIT_WAITING / 1000);
  // Nothing can be written before the event loop has its turn.
  for (let count = 0; count < told; count++) trail.tell(large);
  await trail.close();
  const lines = trail.lines();
  const [{ lost }] = lines.filter(({ what }) => what === "audit") as [Json];
  assertEquals(lines.filter(({ what }) => what === "set").length, told - lost);
  assert(told - lost < 2 * AUDIT_WAITING / 1000, String(lost));
});

Deno.test("half of what may wait is written at once", async () => {
  await using trail = await auditFile();
  const large = { ...change, changes: [{ path: "x".repeat(1000), before: 0, after: 1 }] };
  for (let size = 0; size < AUDIT_WAITING / 2; size += 1000) trail.tell(large);
  await until(() => trail.lines().length > 0);
  await trail.close();
});

Deno.test("of an attempt that is refused again and again the first is told, and after a minute how many more", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 1000; count++) trail.tell(refused("auth"));
  trail.tell(refused("auth", 6));
  trail.tell(refused("auth", 4, "192.0.2.8"));
  trail.tell(refused("set"));
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 4);
  trail.pass(AUDIT_REFUSED_MS);
  await until(() => trail.lines().length === 5);
  const { at: _, ...sum } = trail.lines().at(-1);
  assertEquals(sum, { from: "192.0.2.7", what: "auth", refused: { code: 4 }, again: 999 });
  trail.tell(refused("auth"));
  await trail.close();
  assertEquals(trail.lines().at(-1).refused, { code: 4, message: "no" });
});

Deno.test("refused attempts from ever other addresses take no more room than a hundred", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 10_000; count++) trail.tell(refused("auth", 4, `2001:db8::${count}`));
  await trail.close();
  const lines = trail.lines();
  assertEquals(lines.length, AUDIT_REFUSED + 1);
  const { at: _, ...others } = lines.at(-1);
  assertEquals(others, { what: "other refused attempts", again: 10_000 - AUDIT_REFUSED });
});

Deno.test("a line has no control characters and none that turn the writing round", async () => {
  await using trail = await auditFile();
  const after = "a\u202e\n\u2028b";
  trail.tell({ ...change, changes: [{ path: "/x", before: "", after }] });
  await trail.close();
  const text = Deno.readTextFileSync(trail.path);
  assertMatch(text, /"after":"a\\u202e\\n\\u2028b"/);
  assertEquals(trail.lines()[0].changes[0].after, after);
});

/** Waits for what tasks of the machine bring about, where nothing is to be seen of it. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 200));
}
