import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Command } from "../../core/command.ts";
import type { ConsoleEvent } from "../../core/events.ts";
import { bytesOf } from "../../core/growth.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { USERS } from "../../core/limits.ts";
import { registerList } from "../../core/lists/registerextlist.ts";
import { setList } from "../../core/lists/setextlist.ts";
import { updatePicture } from "../../core/pictures/resource.ts";
import { modifySnapshot } from "../../core/snapshots/modifysnapshot.ts";
import { saveNumbered, uploadNumbered } from "../../core/snapshots/numbered.ts";
import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { setSnapshot } from "../../core/snapshots/setsnapshot.ts";
import { encodeRecord } from "../../core/record.ts";
import { set } from "../../core/tree/set.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import { whole } from "../../storage/records.ts";
import { demoWith, testConsole } from "../service.ts";
import { actor, codeOf, keptText, refusalOf, restoring, resultOf } from "./actors.ts";
import { checkpointOf } from "./stores.ts";

const fader = "/audio/mixers/0/faders/0";

/** The command that saves a new snapshot of a type. */
function saving(type: 1 | 2 | 3, id = "") {
  return saveSnapshot({ type, id, fader: 0, fp: 0, writegroups: 1, readgroups: 0 });
}

/** A snapshot as a console of the same site made it. */
function foreign(content = "{}") {
  return {
    id: crypto.randomUUID(),
    type: 1,
    name: "From afar",
    writegroups: 1,
    readgroups: 0,
    content,
  } as const;
}

/** A picture of a number of bytes, as if it had been checked. */
function picture(bytes: number): Command<object> {
  return updatePicture(1, { bytes: new Uint8Array(bytes) });
}

function backupOf(snapshots: number) {
  const all = Array.from({ length: snapshots }, (_, at) => ({
    ...foreign(),
    number: at + 1,
    factory: false,
  }));
  return { settings: {}, snapshots: { CHSNAPS: all } };
}

async function consoleWith(limits: object, records: Iterable<Uint8Array> = []) {
  const console = await testConsole({ configuration: demoWith({ limits }), records });
  return { console, by: actor(console, "one") };
}

/** A console with `limits` that starts on the records of a console without limits. */
async function olderConsole(limits: object, ...commands: readonly Command<unknown>[]) {
  const before = await testConsole();
  for (const command of commands) await resultOf(before, command, actor(before, "one"));
  return await consoleWith(limits, checkpointOf(before.state));
}

const makers: readonly (readonly [string, Command<unknown>])[] = [
  ["savesnapshot", saving(1)],
  ["savech", saveNumbered({ type: 1, number: 7 }, { sourceid: 1 }, undefined)],
  ["setsnapshot", setSnapshot(foreign())],
  ["an upload", uploadNumbered({ type: 1, number: 7 }, foreign())],
];

for (const [name, command] of makers) {
  Deno.test(`${name} beyond limits.snapshots of a type is error 11`, async () => {
    const { console, by } = await consoleWith({ snapshots: 2 });
    for (let saved = 0; saved < 2; saved++) await resultOf(console, saving(1), by);
    const before = keptText(console);
    const refusal = await refusalOf(console, command, by);
    const message = "there would be 3 snapshots of type 1 (limits.snapshots), expected at most 2";
    assertEquals(refusal, { code: 11, message });
    assertEquals(keptText(console), before);
    for (const type of [2, 3] as const) await resultOf(console, saving(type), by);
  });

  Deno.test(`${name} beyond limits.stateBytes is error 11`, async () => {
    const { console, by } = await consoleWith({ stateBytes: 1100 });
    const refusal = await refusalOf(console, command, by);
    assertEquals(refusal.code, 11);
    assertStringIncludes(refusal.message, "limits.stateBytes");
  });
}

Deno.test("factory and default snapshots do not count for limits.snapshots, and a removed snapshot makes room", async () => {
  const { console, by } = await consoleWith({ snapshots: 1 });
  await resultOf(console, saving(2, "default"), by);
  await resultOf(console, saving(2), by);
  await resultOf(console, saving(2, "default"), by);
  assertEquals(await codeOf(console, saving(2), by), 11);
  const saved = [...console.state.snapshots.values()].find((one) => one.number > 0 && !one.factory);
  await resultOf(console, saving(2, saved!.id), by);
  await resultOf(console, removeSnapshot(saved!.id), by);
  await resultOf(console, saving(2), by);
});

Deno.test("a picture, a user and a backup beyond limits.stateBytes are error 11, and change nothing", async () => {
  const { console, by } = await consoleWith({ stateBytes: 4096 });
  await resultOf(console, picture(3000), by);
  const table: readonly Command<unknown>[] = [
    picture(3500),
    restoring(console.state, backupOf(5)),
    restoring(console.state, {
      settings: { SNMP: { location: "x".repeat(200), contact: "y".repeat(200) } },
      snapshots: {},
    }),
  ];
  const before = keptText(console);
  for (const command of table) {
    assertStringIncludes((await refusalOf(console, command, by)).message, "limits.stateBytes");
  }
  assertEquals(keptText(console), before);
  // A picture may be replaced by one of the same size or smaller.
  await resultOf(console, picture(2900), by);
  const user = { groups: 1, admin: false };
  for (let room = 4096 - bytesOf(console.state); room >= 256; room -= 256) {
    await resultOf(console, addUser({ ...user, name: `user${room}` }), by);
  }
  assertEquals(await codeOf(console, addUser({ ...user, name: "last" }), by), 11);
});

Deno.test("a backup with more snapshots than limits.snapshots is refused as a whole: error 11", async () => {
  const { console, by } = await consoleWith({ snapshots: 4 });
  assertEquals(await codeOf(console, restoring(console.state, backupOf(5)), by), 11);
  const configuration = demoWith({ limits: { snapshots: 5 } });
  await resultOf(console, restoring(console.state, { ...backupOf(0), configuration }), by);
  await resultOf(console, saving(1), by);
});

Deno.test("settings documents count for limits.stateBytes once, however often they are restored, also after a restart", async () => {
  const { console, by } = await consoleWith({});
  const before = bytesOf(console.state);
  const LOG = { level: "debug" };
  for (const location of ["x".repeat(1000), "x".repeat(500)]) {
    const contents = { settings: { LOG, SNMP: { location } }, snapshots: {} };
    await resultOf(console, restoring(console.state, contents), by);
  }
  const length = JSON.stringify(LOG).length + JSON.stringify({ location: "" }).length + 500;
  assertEquals(bytesOf(console.state) - before, length);
  const { console: again } = await consoleWith({}, checkpointOf(console.state));
  assertEquals(bytesOf(again.state), bytesOf(console.state));
});

Deno.test("external lists do not count for limits.stateBytes: each has its own limit, and a restart forgets them", async () => {
  const { console } = await consoleWith({});
  const before = bytesOf(console.state);
  await resultOf(console, registerList(1), { connection: 1 });
  await resultOf(console, setList({ list: 1, entries: [{ label: "A caller" }] }), {
    connection: 1,
  });
  assertEquals([console.state.lists.size, bytesOf(console.state)], [1, before]);
});

Deno.test("a console whose stored state is over a limit starts, and its state can be reduced", async () => {
  const { console, by } = await olderConsole(
    { snapshots: 1, stateBytes: 10_000 },
    saving(1),
    saving(1),
    saving(2),
    picture(9000),
  );
  const [first, second] = [...console.state.snapshots.values()].filter((one) => !one.factory);
  assertEquals(await codeOf(console, saving(1), by), 11);
  assertEquals(await codeOf(console, saving(3), by), 11);
  const goes: readonly Command<unknown>[] = [
    saving(1, first!.id),
    modifySnapshot({ id: first!.id, name: "Another name" }),
    picture(8000),
    set(`${fader}/fader`, -20),
    setChannelLabel(1, "Anna"),
    modifyUser({ name: "one", groups: 3 }),
    removeSnapshot(second!.id),
    removeUser("two"),
    restoring(console.state, backupOf(1)),
  ];
  for (const command of goes) await resultOf(console, command, by);
});

Deno.test(`there are at most ${USERS} users: error 11`, async () => {
  const user = { groups: 1, admin: false, tokenHash: "00".repeat(32) };
  const { console: before } = await consoleWith({});
  const users = Array.from({ length: USERS - before.state.users.size }, (_, at): ConsoleEvent => ({
    type: "userwritten",
    user: { ...user, name: `user${at}`, engine: false, may: "operate", created: "1970-01-01" },
  }));
  const records = [...checkpointOf(before.state), whole(encodeRecord(users))];
  const { console } = await consoleWith({}, records);
  const refusal = await refusalOf(console, addUser({ ...user, name: "one-more" }));
  const message = `there would be ${USERS + 1} users, expected at most ${USERS}`;
  assertEquals(refusal, { code: 11, message });
  await resultOf(console, removeUser("user500"));
  await resultOf(console, addUser({ ...user, name: "one-more" }));
});
