/** The audit trail of a data folder: gathered, rotated, bounded, and never in the way. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { AuditEntry } from "../../core/audit.ts";
import {
  AUDIT_FILE_BYTES,
  AUDIT_MERGE_MS,
  AUDIT_ROOM,
  AUDIT_WAITING,
  AUDIT_WRITE_MS,
} from "../../core/limits.ts";
import { createAuditFile } from "../../program/audit-file.ts";
import { sayInLog } from "../../program/print.ts";
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
  const medium = { isFull: false };
  const isFull = () => medium.isFull;
  const file = createAuditFile(folder.path, { clock: stillClock(), timer: time.timer, isFull });
  const path = `${folder.path}/audit.log`;
  const lines = (): Json[] => linesOf(path);
  return {
    ...file,
    ...time,
    medium,
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
  const bytes = trail.tell(change);
  trail.tell({ ...change, user: undefined });
  trail.pass(AUDIT_WRITE_MS - 1);
  assertEquals(trail.lines(), []);
  trail.pass(1);
  await until(() => trail.lines().length === 2);
  const { user, ...rest } = change;
  const at = "1970-01-01T00:00:00.000Z";
  assertEquals(trail.lines(), [{ at, user, ...rest }, { at, ...rest }]);
  assertEquals(bytes, textOf(trail.path).indexOf("\n") + 1);
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
    trail.pass(AUDIT_MERGE_MS);
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
  const said: string[] = [];
  sayInLog((_level, line) => said.push(line));
  // Where a folder stands, no file can be written.
  Deno.mkdirSync(trail.path);
  for (let count = 1; count <= 3; count++) {
    trail.tell({ ...change, what: `set ${count}` });
    await trail.close();
  }
  assertEquals(said.map((line) => line.replace(/:.*/, "")), [`${trail.path} could not be written`]);
  sayInLog();
  Deno.removeSync(trail.path);
  trail.tell(change);
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 2);
  const [loss, told] = trail.lines();
  assertEquals([loss.what, loss.lost, told.what], ["audit", 3, "set"]);
  trail.tell({ ...change, what: "set 4" });
  await trail.close();
  assertEquals(trail.lines().length, 3);
});

Deno.test("after its folder is removed and made again the trail goes on there, and says what it lost", async () => {
  await using trail = await auditFile();
  const folder = trail.path.slice(0, trail.path.lastIndexOf("/"));
  trail.tell(change);
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 1);
  Deno.removeSync(folder, { recursive: true });
  for (const what of ["login", "logout"]) trail.tell({ ...change, what });
  await trail.close();
  Deno.mkdirSync(folder);
  trail.tell({ ...change, what: "savesnapshot" });
  await trail.close();
  const [loss, told] = trail.lines();
  assertEquals([loss?.what, loss?.lost, told?.what], ["audit", 2, "savesnapshot"]);
});

Deno.test("what waits is bounded: more is lost and counted", async () => {
  await using trail = await auditFile();
  const path = "x".repeat(1000);
  const told = Math.ceil(3 * AUDIT_WAITING / 1000);
  // Nothing can be written before the event loop has its turn.
  for (let count = 0; count < told; count++) {
    trail.tell({ ...change, what: `set ${count}`, changes: [{ path, before: 0, after: 1 }] });
    trail.pass(count % 20 === 0 ? AUDIT_MERGE_MS : 0);
  }
  await trail.close();
  const lines = trail.lines();
  const [{ lost }] = lines.filter(({ what }) => what === "audit") as [Json];
  assertEquals(lines.filter(({ changes }) => changes).length, told - lost);
  assert(told - lost < 2 * AUDIT_WAITING / 1000, String(lost));
});

Deno.test("half of what may wait is written at once", async () => {
  await using trail = await auditFile();
  const path = "x".repeat(AUDIT_WAITING / 2);
  trail.tell({ ...change, changes: [{ path, before: 0, after: 1 }] });
  await until(() => textOf(trail.path).endsWith("\n"));
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
  trail.pass(AUDIT_MERGE_MS);
  await until(() => trail.lines().length === 5);
  const { at: _, ...sum } = trail.lines().at(-1);
  const no = { code: 4, message: "no" };
  assertEquals(sum, { from: "192.0.2.7", what: "auth", refused: no, again: 999 });
  trail.tell(refused("auth"));
  await trail.close();
  assertEquals(trail.lines().at(-1).refused, { code: 4, message: "no" });
});

Deno.test("changes of one kind are told at once, then once a minute, with the last values and how many there were", async () => {
  await using trail = await auditFile();
  const sizes = Array.from({ length: 3000 }, (_, after) => {
    const path = "/audio/pots/1/value";
    return trail.tell({ ...change, changes: [{ path, before: after - 1, after }] });
  });
  trail.tell({ ...change, changes: [{ path: "/audio/pots/2/value", before: 0, after: 1 }] });
  // The second is told of by the line at the end of the minute.
  assertEquals([sizes[1], sizes.slice(2).some((size) => size > 0)], [sizes[0], false]);
  trail.pass(AUDIT_MERGE_MS);
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 3);
  const told = trail.lines().map(({ changes: [{ path, after }], again }) => [path, after, again]);
  assertEquals(told, [
    ["/audio/pots/1/value", 0, undefined],
    ["/audio/pots/2/value", 1, undefined],
    ["/audio/pots/1/value", 2999, 2999],
  ]);
  await trail.close();
});

Deno.test("one caller takes a quarter of a minute's room, and every change of another is told beside it", async () => {
  await using trail = await auditFile();
  const at = (path: string) => [{ path, before: 0, after: 1 }];
  for (let count = 0; count < 50_000; count++) {
    trail.tell({ ...change, from: "192.0.2.66", user: undefined, changes: at(`/flood/${count}`) });
    const isHonest = count >= 49_000 && count % 10 === 0;
    if (isHonest) trail.tell({ ...change, changes: at(`/honest/${count}`) });
  }
  trail.pass(AUDIT_MERGE_MS);
  await trail.close();
  const lines = trail.lines();
  const ofFlood = lines.filter(({ from }) => from === "192.0.2.66");
  const bytes = JSON.stringify(ofFlood).length;
  assert(bytes < AUDIT_ROOM.changes / 4 + 500, String(bytes));
  assertEquals(lines.filter(({ from }) => from === change.from).length, 100);
  const { what, again } = ofFlood.at(-1);
  assertEquals([what, again], ["other changes", 50_000 - (ofFlood.length - 1)]);
});

Deno.test("whatever a caller does beside it, each change of users, configuration and certificates is told, unmerged", async () => {
  await using trail = await auditFile();
  const admin = { user: "admin", from: "192.0.2.7" };
  for (let count = 0; count < 2000; count++) {
    const changes = [{ path: `/audio/pots/${count}/value`, before: 0, after: 1 }];
    trail.tell({ ...change, ...admin, changes });
  }
  const users = [{ admin: false }, { admin: true }, { admin: true, newtoken: true }, {
    admin: false,
  }];
  for (const after of users) {
    const changes = [{ path: "/users/mallory", before: {}, after }];
    trail.tell({ ...admin, what: "modifyuser", changes });
  }
  for (const path of ["/configuration", "/settings/view", "/tls", "/snapshots/2.a"]) {
    trail.tell({ ...admin, what: "restore", changes: [{ path, before: "a", after: "b" }] });
  }
  await trail.close();
  const lines = trail.lines();
  const ofUsers = lines.filter(({ what }) => what === "modifyuser");
  assertEquals(ofUsers.map(({ changes, again }) => [changes[0].after, again]), [
    ...users.map((after) => [after, undefined]),
  ]);
  assertEquals(lines.filter(({ what }) => what === "restore").length, 4);
});

Deno.test("sets push no snapshot that is saved or removed out of the trail", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 2000; count++) {
    const changes = [{ path: `/audio/pots/${count}/value`, before: 0, after: 1 }];
    trail.tell({ ...change, changes });
  }
  const gone = [{ path: "/snapshots/2.a", before: { name: "Morning" }, after: undefined }];
  trail.tell({ ...change, what: "removesnapshot", changes: gone });
  await trail.close();
  assertEquals(trail.lines().filter(({ what }) => what === "removesnapshot").length, 1);
});

Deno.test("a flood from many addresses leaves everybody else a first line", async () => {
  await using trail = await auditFile();
  const at = (path: string) => [{ path, before: 0, after: 1 }];
  for (let count = 0; count < 26 * 200; count++) {
    const from = `192.0.2.${100 + count % 26}`;
    trail.tell({ user: undefined, from, what: "set", changes: at(`/flood/${count}`) });
    trail.tell({ ...refused(`call ${count}`), from });
  }
  trail.tell({ ...change, what: "fadetovalue" });
  for (let user = 0; user < 100; user++) {
    trail.tell({ ...change, user: `user ${user}` });
    trail.tell({ ...refused("removeuser"), user: `user ${user}` });
  }
  await trail.close();
  const honest = trail.lines().filter(({ from }) => from === change.from);
  const calls = honest.map(({ what }) => what);
  assertEquals(calls.filter((what) => what === "fadetovalue").length, 1);
  assertEquals(calls.filter((what) => what === "set").length, 100);
  assertEquals(calls.filter((what) => what === "removeuser").length, 100);
});

Deno.test("refused attempts of one address push out no other's, and no change", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 10_000; count++) trail.tell(refused(`call ${count}`));
  for (const user of ["anna", "bert"]) {
    trail.tell({ ...refused("removeuser"), user, from: "192.0.2.8" });
    trail.tell({ ...change, user });
  }
  await trail.close();
  const others = trail.lines().filter(({ user }) => user !== undefined);
  assertEquals(others.map(({ user, what }) => `${user} ${what}`), [
    "anna removeuser",
    "anna set",
    "bert removeuser",
    "bert set",
  ]);
});

Deno.test("refused attempts from ever other addresses take no more than the room of a minute", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 10_000; count++) trail.tell(refused("auth", 4, `2001:db8::${count}`));
  await trail.close();
  const lines = trail.lines();
  assert(Deno.statSync(trail.path).size < AUDIT_ROOM.refused + 500);
  const { at: _, ...others } = lines.at(-1);
  const what = "other refused attempts";
  assertEquals(others, { what, again: 10_000 - (lines.length - 1) });
});

Deno.test("while the log has no room the trail takes none, and goes on once it has", async () => {
  await using trail = await auditFile();
  trail.tell(change);
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 1);
  const { size } = Deno.statSync(trail.path);
  trail.medium.isFull = true;
  for (let second = 0; second < 300; second++) {
    const path = `/${"x".repeat(2000)}/${second}`;
    const from = `192.0.2.${second % 10}`;
    trail.tell({ ...change, from, changes: [{ path, before: 0, after: 1 }] });
    trail.pass(AUDIT_WRITE_MS);
  }
  assertEquals(Deno.statSync(trail.path).size, size);
  trail.medium.isFull = false;
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length > 100);
  assertEquals(trail.lines()[1].what, "audit");
  trail.medium.isFull = true;
  trail.tell({ ...change, what: "too late" });
  await trail.close();
  assert(!textOf(trail.path).includes("too late"));
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
