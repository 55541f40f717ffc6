/** Changes of users, after which there is always an admin (decisions.md, "Users"). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import type { Console } from "../../../core/console.ts";
import { isRefusal } from "../../../core/errors.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { byAdmin } from "../../../core/users/admin.ts";
import { listUsers, type UserListEntry } from "../../../core/users/getuserlist.ts";
import { login } from "../../../core/users/login.ts";
import { type ModifyUser, modifyUser } from "../../../core/users/modifyuser.ts";
import { isToken, userOfToken } from "../../../core/users/token.ts";
import { result, stillClock, testConsole, tokens } from "../../service.ts";
import { actor, codeOf, refusalOf, resultOf, valueAt } from "../actors.ts";
import { checkpointOf, recordingStore, stagedStore } from "../stores.ts";

const entry = (console: Console, name: string) =>
  listUsers(console.state).find((user) => user.name === name);

/** The types of the events that a command makes, and its result. */
async function told(console: Console, command: Command<object>) {
  const events: string[] = [];
  const unwatch = console.watch(({ type }) => events.push(type));
  const given = await result(console, command);
  unwatch();
  return { events, given };
}

const before = {
  name: "one",
  groups: 1,
  admin: false,
  engine: false,
  may: "operate",
  expires: null,
  lastused: null,
} as const;

const changes: readonly (readonly [Omit<ModifyUser, "name">, Partial<UserListEntry>, number])[] = [
  [{ groups: 6 }, { groups: 6 }, 1],
  [{ groups: 0 }, { groups: 0 }, 1],
  [{ admin: true }, { admin: true, may: "configure" }, 1],
  [{ engine: true }, { engine: true }, 1],
  [
    { groups: 255, admin: true, engine: true },
    { groups: 255, admin: true, engine: true, may: "configure" },
    1,
  ],
  [{ may: "view" }, { may: "view" }, 1],
  [{ may: "configure" }, { may: "configure" }, 1],
  [{ expires: "2999-01-31" }, { expires: "2999-02-01T00:00:00.000Z" }, 1],
  [{}, {}, 0],
  [{ expires: null }, {}, 0],
  [
    { groups: 1, admin: false, engine: false, may: "operate", newtoken: false },
    {},
    0,
  ],
];

for (const [change, changed, events] of changes) {
  Deno.test(`modifyuser changes the attributes that are given, and no others: ${JSON.stringify(change)}`, async () => {
    const store = recordingStore();
    const console = await testConsole({ store });
    const names = listUsers(console.state).map(({ name }) => name);
    const { created } = entry(console, "one")!;
    const { length } = store.records;
    const answer = await told(console, modifyUser({ name: "one", ...change }));
    assertEquals(answer.events, Array(events).fill("userwritten"));
    assertEquals(store.records.length, length + events);
    assertEquals(entry(console, "one"), { ...before, created, ...changed });
    assertEquals(userOfToken(console.state.users, tokens.one)?.name, "one", "the token stays");
    assertEquals(listUsers(console.state).map(({ name }) => name), names, "and so does the order");
    const again = await testConsole({ records: store.records });
    assertEquals(listUsers(again.state), listUsers(console.state));
  });
}

Deno.test("a new token replaces the old one, and logs the user out everywhere", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  await resultOf(console, login(0), actor(console, "one"));
  await resultOf(console, login(1), actor(console, "two"));
  const { events, given } = await told(console, modifyUser({ name: "one", newtoken: true }));
  assertEquals(events, ["userwritten", "treechanged"]);
  const { token } = given as { token: string };
  assert(isToken(token));
  assertEquals(userOfToken(console.state.users, tokens.one), undefined);
  assertEquals(userOfToken(console.state.users, token)?.name, "one");
  const users = [0, 1].map((mixer) => valueAt(console, `/audio/mixers/${mixer}/_user`));
  assertEquals(users, ["", "two"]);
  const text = store.records.map((record) => new TextDecoder().decode(record)).join();
  assert(!text.includes(token), "the token is in the records");
});

Deno.test("a login with a token that is being replaced is refused", async () => {
  const store = stagedStore();
  const console = await testConsole({ store });
  store.hold();
  const one = actor(console, "one");
  const replacing = console.dispatch(modifyUser({ name: "one", newtoken: true }), {});
  assertEquals(await codeOf(console, login(0), one), 4);
  await store.release();
  await replacing;
  assertEquals(valueAt(console, "/audio/mixers/0/_user"), "");
});

Deno.test("a change of an unknown user is error 6", async () => {
  const console = await testConsole();
  const { state } = console;
  for (const name of ["nobody", "", "One", "constructor"]) {
    const { code, message } = await refusalOf(console, modifyUser({ name, newtoken: true }));
    assertEquals(code, 6);
    assertStringIncludes(message, `"${name}"`);
  }
  assert(console.state === state);
});

Deno.test("no two users have the same token, whatever the random source gives", async () => {
  const console = await testConsole();
  const stuck = {
    clock: stillClock(),
    random: { bytes: (count: number) => new Uint8Array(count) },
  };
  const commands = [
    addUser({ name: "new", groups: 1, admin: false }),
    modifyUser({ name: "two", newtoken: true }),
    modifyUser({ name: "one", newtoken: true }),
  ];
  const [first, ...others] = commands.map((command): Command<object> => (state, by) =>
    command(state, by, stuck)
  );
  assertEquals(await codeOf(console, first!), 0);
  for (const other of others) assertEquals(await codeOf(console, other), 3);
  const hashes = [...console.state.users.values()].map(({ tokenHash }) => tokenHash);
  assertEquals(new Set(hashes).size, hashes.length);
});

Deno.test("created is the time of adduser, and engine its parameter", async () => {
  const clock = stillClock();
  const store = recordingStore();
  const console = await testConsole({ clock, store });
  clock.tick(Date.UTC(2026, 9, 2, 7, 30, 0, 5));
  await result(console, addUser({ name: "desk", groups: 3, admin: true, engine: true }));
  clock.tick(1000);
  await result(console, modifyUser({ name: "desk", groups: 1, newtoken: true }));
  const desk = {
    name: "desk",
    groups: 1,
    admin: true,
    engine: true,
    may: "configure" as const,
    expires: null,
    lastused: null,
  };
  const expected = { ...desk, created: "2026-10-02T07:30:00.005Z" };
  for (const records of [store.records, checkpointOf(console.state)]) {
    assertEquals(entry(await testConsole({ records }), "desk"), expected);
  }
});

Deno.test("a caller has the present rights of the user, and none without the user or the token", async () => {
  const console = await testConsole();
  const one = actor(console, "one");
  const now = () => console.actorNow(one).user;
  assert(console.actorNow(one) === one);
  assertEquals(console.actorNow({}), {});
  await result(console, modifyUser({ name: "one", groups: 6 }));
  assertEquals(now()?.groups, 6);
  await result(console, modifyUser({ name: "one", newtoken: true }));
  assertEquals(now(), undefined);
  await result(console, removeUser("one"));
  assertEquals(now(), undefined);
  await result(console, addUser({ name: "one", groups: 1, admin: false }));
  assertEquals(now(), undefined, "one of the same name is another");
  await result(console, removeUser("one"));
  await result(console, addUser({ name: "one", groups: 1, admin: false, token: tokens.one }));
  assertEquals(now()?.name, "one", "with the same name and token it is the same");
});

const remove = (name: string): Command<object> => removeUser(name);
const demote = (name: string): Command<object> => modifyUser({ name, admin: false });

for (const [how, command] of [["removed", remove], ["demoted", demote]] as const) {
  Deno.test(`the last admin cannot be ${how}: error 7, and the message says to add another admin first`, async () => {
    const console = await testConsole();
    const { state } = console;
    const { code, message } = await refusalOf(console, command("admin"));
    assertEquals([code, message.split(":", 2)], [7, ["name", " admin is the last admin"]]);
    assertStringIncludes(message, "first add another");
    assert(console.state === state);
    await result(console, modifyUser({ name: "two", admin: true }));
    assertEquals(await codeOf(console, command("admin")), 0);
    assertEquals(await codeOf(console, command("two")), 7);
    assertEquals(await codeOf(console, command("one")), 0, "who is not an admin is no matter");
  });
}

Deno.test("any other attribute of the last admin can be changed", async () => {
  const console = await testConsole();
  const change = { name: "admin", groups: 1, engine: true, admin: true, newtoken: true };
  assertEquals(await codeOf(console, modifyUser(change)), 0);
});

/** Commands of two admins, the second before the first is on the medium; code of the second. */
const together: readonly (readonly [string, Command<object>, Command<object>, number])[] = [
  ["remove each other", remove("two"), remove("admin"), 4],
  ["demote each other", demote("two"), demote("admin"), 5],
  ["remove themselves", remove("admin"), remove("two"), 7],
  ["demote themselves", demote("admin"), demote("two"), 7],
  ["demote and remove", demote("admin"), remove("two"), 7],
  ["the second has a new token", modifyUser({ name: "two", newtoken: true }), remove("admin"), 4],
  [
    "another attribute of the second is changed",
    modifyUser({ name: "two", groups: 7 }),
    remove("admin"),
    0,
  ],
];

for (const [what, first, second, code] of together) {
  Deno.test(`commands of two admins in flight at the same time leave an admin: ${what}`, async () => {
    const store = stagedStore();
    const console = await testConsole({ store });
    await result(console, modifyUser({ name: "two", admin: true }));
    const admin = actor(console, "admin");
    const two = actor(console, "two");
    store.hold();
    const outcomes = [
      console.dispatch(byAdmin(first), admin),
      console.dispatch(byAdmin(second), two),
    ];
    await store.release();
    const codes = (await Promise.all(outcomes)).map((one) => isRefusal(one) ? one.code : 0);
    assertEquals(codes, [0, code]);
    assert([...console.state.users.values()].some((user) => user.admin));
  });
}
