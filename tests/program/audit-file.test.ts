/** The audit trail of a data folder: gathered, rotated, bounded, and never delaying a change. */
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

/** A change at a path. */
function changed(path: string, after: unknown = 1): AuditEntry {
  return { ...change, changes: [{ path, before: 0, after }] };
}

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
  return {
    ...file,
    ...time,
    medium,
    folder: folder.path,
    path,
    older: `${folder.path}/audit.1.log`,
    lines: (): Json[] => linesOf(path),
    /** Closes the file, which the next entry opens again; returns the lines. */
    async written(): Promise<Json[]> {
      await file.close();
      return linesOf(path);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The complete lines of a file; a last line without its end is still being written. */
function linesOf(path: string): Json[] {
  return textOf(path).split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** The text of a file; empty if there is none. */
function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

Deno.test("entries are gathered for a second, and written as one JSON object per line", async () => {
  await using trail = await auditFile();
  const bytes = trail.tell(change);
  trail.tell({ ...change, user: undefined });
  trail.pass(AUDIT_WRITE_MS - 1);
  assertEquals(trail.lines(), []);
  trail.pass(1);
  await until(() => trail.lines().length === 2);
  const { user, ...rest } = change;
  const at = "1970-01-01T00:00:00.000Z";
  assertEquals(await trail.written(), [{ at, user, ...rest }, { at, ...rest }]);
  assertEquals(bytes, textOf(trail.path).indexOf("\n") + 1);
});

Deno.test("closing writes the waiting entries; without entries there is no file", async () => {
  await using trail = await auditFile();
  assertEquals(await trail.written(), []);
  trail.tell(change);
  assertEquals((await trail.written()).length, 1);
});

Deno.test("only the owner can read the file, also if others could before; a cut-off line is ended", async () => {
  await using trail = await auditFile();
  const cutOff = '{"at":"1970-01-01T00:00:00.000Z"}\n{"at":"19';
  Deno.writeTextFileSync(trail.path, cutOff, { mode: 0o644 });
  trail.tell(change);
  await trail.close();
  assertEquals(Deno.statSync(trail.path).mode! & 0o777, 0o600);
  const lines = textOf(trail.path).split("\n");
  assertEquals([lines.length, lines[1], lines.at(-1)], [4, '{"at":"19', ""]);
  assertEquals(JSON.parse(lines[2]!).what, "set");
});

Deno.test("a full file is kept as audit.1.log, and both together have at most 8 MiB", async () => {
  await using trail = await auditFile();
  for (let round = 0; round < 90; round++) {
    const path = `${"x".repeat(AUDIT_WAITING / 4)}/${round}`;
    for (let line = 0; line < 2; line++) trail.tell(changed(path, line));
    await trail.close();
  }
  const sizes = [trail.path, trail.older].map((path) => Deno.statSync(path).size);
  for (const size of sizes) assert(size <= AUDIT_FILE_BYTES, String(size));
  assert(sizes[1]! > AUDIT_FILE_BYTES - AUDIT_WAITING, String(sizes[1]));
  const rounds = [trail.older, trail.path].flatMap(linesOf)
    .map(({ changes: [{ path, after }] }) => `${path.split("/")[1]} ${after}`);
  const last = Array.from({ length: 180 }, (_, at) => `${at >> 1} ${at & 1}`).slice(-rounds.length);
  assertEquals(rounds, last);
  assertEquals(Deno.statSync(trail.older).mode! & 0o777, 0o600);
});

Deno.test("lines that a medium refuses are lost and counted, and the next line says so", async () => {
  await using trail = await auditFile();
  const said: string[] = [];
  sayInLog((_level, line) => said.push(line));
  // No file can be written at the path of a folder.
  Deno.mkdirSync(trail.path);
  for (let count = 1; count <= 3; count++) {
    trail.tell({ ...change, what: `set ${count}` });
    await trail.close();
  }
  sayInLog();
  assertEquals(said.map((line) => line.replace(/:.*/, "")), [`${trail.path} could not be written`]);
  Deno.removeSync(trail.path);
  trail.tell(change);
  const [loss, told] = await trail.written();
  assertEquals([loss.what, loss.lost, told.what], ["audit", 3, "set"]);
  trail.tell({ ...change, what: "set 4" });
  assertEquals((await trail.written()).length, 3);
});

Deno.test("after its folder is removed and made again the trail goes on there, with the number of lost lines", async () => {
  await using trail = await auditFile();
  trail.tell(change);
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 1);
  Deno.removeSync(trail.folder, { recursive: true });
  for (const what of ["login", "logout"]) trail.tell({ ...change, what });
  await trail.close();
  Deno.mkdirSync(trail.folder);
  trail.tell({ ...change, what: "savesnapshot" });
  const [loss, told] = await trail.written();
  assertEquals([loss?.what, loss?.lost, told?.what], ["audit", 2, "savesnapshot"]);
});

Deno.test("the number of waiting lines is limited: further ones are lost and counted", async () => {
  await using trail = await auditFile();
  const told = Math.ceil(3 * AUDIT_WAITING / 1000);
  // Nothing can be written before the event loop has its turn.
  for (let count = 0; count < told; count++) {
    trail.tell({ ...changed("x".repeat(1000)), what: `set ${count}` });
    trail.pass(count % 20 === 0 ? AUDIT_MERGE_MS : 0);
  }
  const lines = await trail.written();
  const [{ lost }] = lines.filter(({ what }) => what === "audit") as [Json];
  assertEquals(lines.filter(({ changes }) => changes).length, told - lost);
  assert(told - lost < 2 * AUDIT_WAITING / 1000, String(lost));
});

Deno.test("half of the maximum of waiting bytes is written at once", async () => {
  await using trail = await auditFile();
  trail.tell(changed("x".repeat(AUDIT_WAITING / 2)));
  await until(() => textOf(trail.path).endsWith("\n"));
  await trail.close();
});

Deno.test("the first of repeated refused attempts has a line, and after a minute a line has the number of the others", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 1000; count++) trail.tell(refused("auth"));
  trail.tell(refused("auth", 6));
  trail.tell(refused("auth", 4, "192.0.2.8"));
  trail.tell(refused("set"));
  trail.pass(AUDIT_MERGE_MS);
  trail.tell(refused("auth"));
  const lines = await trail.written();
  assertEquals(lines.length, 6);
  const { at: _, ...sum } = lines[4];
  const no = { code: 4, message: "no" };
  assertEquals(sum, { from: "192.0.2.7", what: "auth", refused: no, again: 999 });
  assertEquals(lines[5].refused, no);
});

Deno.test("the first changes of one kind have a line at once, later ones one a minute with the last values and their number", async () => {
  await using trail = await auditFile();
  const sizes = Array.from({ length: 3000 }, (_, after) => trail.tell(changed("/one", after)));
  trail.tell(changed("/two"));
  // The line at the end of the minute is for the second change and all after it.
  assertEquals([sizes[1], sizes.slice(2).some((size) => size > 0)], [sizes[0], false]);
  trail.pass(AUDIT_MERGE_MS);
  const told = (await trail.written())
    .map(({ changes: [{ path, after }], again }) => [path, after, again]);
  assertEquals(told, [["/one", 0, undefined], ["/two", 1, undefined], ["/one", 2999, 2999]]);
});

Deno.test("each batch of a fleet has a line, also if it changes the same values as the batch before", async () => {
  await using trail = await auditFile();
  for (const batch of ["a", "b", "c"]) {
    for (let count = 0; count < 2; count++) trail.tell({ ...changed("/one", count), batch });
  }
  trail.pass(AUDIT_MERGE_MS);
  const told = (await trail.written()).map(({ batch, again = 0 }) => `${batch} ${again}`);
  assertEquals(told, ["a 0", "b 0", "c 0", "a 1", "b 1", "c 1"]);
});

Deno.test("one caller gets a quarter of the lines of a minute, and every change by another has its line", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 50_000; count++) {
    trail.tell({ ...changed(`/flood/${count}`), from: "192.0.2.66", user: undefined });
    if (count >= 49_000 && count % 10 === 0) trail.tell(changed(`/honest/${count}`));
  }
  trail.pass(AUDIT_MERGE_MS);
  const lines = await trail.written();
  const ofFlood = lines.filter(({ from }) => from === "192.0.2.66");
  const bytes = JSON.stringify(ofFlood).length;
  assert(bytes < AUDIT_ROOM.changes / 4 + 500, String(bytes));
  assertEquals(lines.filter(({ from }) => from === change.from).length, 100);
  const { what, again } = ofFlood.at(-1);
  assertEquals([what, again], ["other changes", 50_000 - (ofFlood.length - 1)]);
});

Deno.test("each change of users, configuration, certificates and snapshots has its own line, whatever the number of other changes of the caller", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 2000; count++) trail.tell(changed(`/audio/pots/${count}/value`));
  const rights = [{ admin: false }, { admin: true }, { admin: true, newtoken: true }];
  const users = [...rights, { admin: false }];
  for (const after of users) {
    trail.tell({ ...changed("/users/mallory", after), what: "modifyuser" });
  }
  for (const path of ["/configuration", "/settings/view", "/tls", "/snapshots/2.a"]) {
    trail.tell({ ...changed(path), what: "restore" });
  }
  trail.tell({ ...changed("/snapshots/2.a", undefined), what: "removesnapshot" });
  const lines = await trail.written();
  const ofUsers = lines.filter(({ what }) => what === "modifyuser");
  const told = ofUsers.map(({ changes, again }) => [changes[0].after, again]);
  assertEquals(told, users.map((after) => [after, undefined]));
  assertEquals(lines.filter(({ what }) => what === "restore").length, 4);
  assertEquals(lines.filter(({ what }) => what === "removesnapshot").length, 1);
});

Deno.test("during a flood from many addresses the first change and refusal of every other caller have a line", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 26 * 200; count++) {
    const from = `192.0.2.${100 + count % 26}`;
    trail.tell({ ...changed(`/flood/${count}`), user: undefined, from });
    trail.tell({ ...refused(`call ${count}`), from });
  }
  trail.tell({ ...change, what: "fadetovalue" });
  for (let user = 0; user < 100; user++) {
    trail.tell({ ...change, user: `user ${user}` });
    trail.tell({ ...refused("removeuser"), user: `user ${user}` });
  }
  const honest = (await trail.written()).filter(({ from }) => from === change.from);
  for (const [call, times] of Object.entries({ fadetovalue: 1, set: 100, removeuser: 100 })) {
    assertEquals(honest.filter(({ what }) => what === call).length, times, call);
  }
});

Deno.test("refused attempts of one address push out no lines of others, and no changes", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 10_000; count++) trail.tell(refused(`call ${count}`));
  for (const user of ["anna", "bert"]) {
    trail.tell({ ...refused("removeuser"), user, from: "192.0.2.8" });
    trail.tell({ ...change, user });
  }
  const others = (await trail.written()).filter(({ user }) => user !== undefined);
  const expected = ["anna removeuser", "anna set", "bert removeuser", "bert set"];
  assertEquals(others.map(({ user, what }) => `${user} ${what}`), expected);
});

Deno.test("refused attempts from ever new addresses take at most the quota of a minute", async () => {
  await using trail = await auditFile();
  for (let count = 0; count < 10_000; count++) trail.tell(refused("auth", 4, `2001:db8::${count}`));
  const lines = await trail.written();
  assert(Deno.statSync(trail.path).size < AUDIT_ROOM.refused + 500);
  const { at: _, ...others } = lines.at(-1);
  assertEquals(others, { what: "other refused attempts", again: 10_000 - (lines.length - 1) });
});

Deno.test("while the log is full the trail takes no space, and goes on once the log is not", async () => {
  await using trail = await auditFile();
  trail.tell(change);
  trail.pass(AUDIT_WRITE_MS);
  await until(() => trail.lines().length === 1);
  const { size } = Deno.statSync(trail.path);
  trail.medium.isFull = true;
  for (let second = 0; second < 300; second++) {
    const from = `192.0.2.${second % 10}`;
    trail.tell({ ...changed(`/${"x".repeat(2000)}/${second}`), from });
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

Deno.test("a line has neither control characters nor characters that change the direction of text", async () => {
  await using trail = await auditFile();
  const after = "a\u202e\n\u2028b";
  trail.tell(changed("/x", after));
  const [line] = await trail.written();
  assertMatch(textOf(trail.path), /"after":"a\\u202e\\n\\u2028b"/);
  assertEquals(line.changes[0].after, after);
});
