import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import type { Console } from "../../../core/console.ts";
import { errorCodes, isRefusal } from "../../../core/errors.ts";
import { get } from "../../../core/tree/get.ts";
import { find } from "../../../core/tree/tree.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import {
  endExpiredLogins,
  followExpiredLogins,
  login,
  logout,
  logoutEverywhere,
} from "../../../core/users/login.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { type Actor, DEVICE } from "../../../core/users/user.ts";
import { refusalOf, result, stillClock, testConsole } from "../../service.ts";
import { actor, resultOf, valueAt } from "../actors.ts";
import { recordingStore, settled, stagedStore } from "../stores.ts";

const users = (console: Console) => [0, 1].map((mixer) => valueAt(console, userPath(mixer)));
const userPath = (mixer: number) => `/audio/mixers/${mixer}/_user`;

Deno.test("login puts the user on the mixer in place of any other user, and on no other mixer", async () => {
  const console = await testConsole();
  assertEquals(users(console), ["", ""]);
  assertEquals(await resultOf(console, login(0), actor(console, "one")), { user: "one" });
  assertEquals(users(console), ["one", ""]);
  await resultOf(console, login(0), actor(console, "none"));
  await resultOf(console, login(1), actor(console, "none"));
  assertEquals(users(console), ["none", "none"], "a user may be on several");
  await resultOf(console, logout(0), actor(console, "two"));
  assertEquals(users(console), ["", "none"], "any user may log another out");
});

Deno.test("only a user of the console logs in or out, and only on a configured mixer", async () => {
  const console = await testConsole();
  const before = console.state;
  const attempts = [
    (mixer: number, by: Actor) => console.dispatch(login(mixer), by),
    (mixer: number, by: Actor) => console.dispatch(logout(mixer), by),
  ];
  for (const attempt of attempts) {
    assertEquals(refusalOf(await attempt(0, {})).code, errorCodes.notLoggedIn);
    for (const mixer of [2, -1, NaN, 0.5]) {
      const { code, message } = refusalOf(await attempt(mixer, actor(console, "one")));
      assertEquals(code, errorCodes.noSuchObject);
      assertMatch(message, /^mixer: /);
    }
  }
  assert(console.state === before);
});

Deno.test("a login makes one event if the user changes, and none otherwise", async () => {
  const console = await testConsole();
  const told: unknown[] = [];
  console.watch((event) => told.push(event.type === "treechanged" ? event.patch : event.type));
  await resultOf(console, logout(0), actor(console, "one"));
  for (let time = 0; time < 2; time++) {
    await resultOf(console, login(0), actor(console, "one"));
  }
  assertEquals(told, [{ audio: { mixers: { 0: { _user: "one" } } } }]);
});

Deno.test("_user is volatile: it never touches the medium, and nobody is logged in after a restart", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  const { length } = store.records;
  await resultOf(console, login(0), actor(console, "one"));
  await resultOf(console, logout(1), actor(console, "one"));
  assertEquals(store.records.length, length);
  const user = { name: "new", groups: 1, admin: false };
  await result(console, addUser(user));
  const restarted = await testConsole({ records: store.records });
  assertEquals(users(restarted), ["", ""]);
  assert(restarted.state.users.has("new"));
});

Deno.test("a removed user is logged out everywhere, and nobody else is", async () => {
  const console = await testConsole();
  for (const mixer of [0, 1]) await resultOf(console, login(mixer), actor(console, "one"));
  await resultOf(console, login(1), actor(console, "two"));
  await result(console, removeUser("one"));
  assertEquals(users(console), ["", "two"]);
  await result(console, removeUser("two"));
  assertEquals(users(console), ["", ""]);
});

Deno.test("a user who may no longer log in on a mixer is logged out everywhere, and nobody else is", async () => {
  const console = await testConsole();
  await result(console, modifyUser({ name: "two", admin: true }));
  const logIn = async () => {
    await resultOf(console, login(0), actor(console, "one"));
    await resultOf(console, login(1), actor(console, "two"));
  };
  for (const may of ["view", "press"] as const) {
    await logIn();
    await result(console, modifyUser({ name: "one", may }));
    assertEquals(users(console), ["", "two"], may);
    await result(console, modifyUser({ name: "one", may: "configure" }));
  }
  await logIn();
  await result(console, modifyUser({ name: "one", may: "operate", groups: 0 }));
  await result(console, modifyUser({ name: "two", may: "view" }));
  assertEquals(users(console), ["one", "two"], "an admin may configure");
  await result(console, modifyUser({ name: "two", admin: false }));
  assertEquals(users(console), ["one", ""]);
});

Deno.test("a login on a mixer ends when the token of its user expires, for whoever reads the tree then", async () => {
  const clock = stillClock();
  const console = await testConsole({ clock });
  followExpiredLogins(console);
  const guest = { name: "guest", groups: 1, admin: false, expires: "1970-01-31" };
  await result(console, addUser(guest));
  await resultOf(console, login(0), actor(console, "guest"));
  await resultOf(console, login(1), actor(console, "one"));
  const read = (path: string) => {
    const read = get(console, path);
    return isRefusal(read) ? read : find(read.value, ["0", "_user"]) ?? read.value;
  };
  clock.tick(Date.UTC(1970, 1, 1) - 1);
  assertEquals(read(userPath(0)), "guest");
  await result(console, modifyUser({ name: "guest", expires: "1970-02-01" }));
  clock.tick(1);
  assertEquals(read(userPath(0)), "guest", "it was prolonged");
  clock.tick(Date.UTC(1970, 0, 2));
  assertEquals(users(console), ["guest", "one"]);
  assertEquals(read("/audio/mixers"), "");
  assertEquals(users(console), ["", "one"]);
  await result(console, modifyUser({ name: "guest", expires: null }));
  assertEquals(read(userPath(0)), "", "the login does not come back");
});

Deno.test("a user whose removal could not be stored stays logged in", async () => {
  const store = stagedStore();
  const console = await testConsole({ store });
  await resultOf(console, login(0), actor(console, "one"));
  store.hold();
  const removing = console.dispatch(removeUser("one"), {});
  await settled();
  assertEquals(users(console), ["one", ""], "nor is anybody told before it is on the medium");
  await store.fail("no space");
  assert(isRefusal(await removing));
  assertEquals(users(console), ["one", ""]);
});

Deno.test("an expired login waits for a change of users that is being stored; a look that finds none waits for nothing", async () => {
  const clock = stillClock();
  const store = stagedStore();
  const console = await testConsole({ store, clock });
  const guest = { name: "guest", groups: 1, admin: false, expires: "1970-01-31" };
  await result(console, addUser(guest));
  await resultOf(console, login(0), actor(console, "guest"));
  const look = () => console.dispatch(endExpiredLogins, DEVICE);
  store.hold();
  const prolonging = console.dispatch(modifyUser({ name: "one", expires: "1970-12-31" }), {});
  assertEquals(look(), { result: {} });
  clock.tick(Date.UTC(1970, 1, 1));
  const ended = look();
  assertEquals(users(console), ["guest", ""]);
  await store.release();
  await Promise.all([prolonging, ended]);
  assertEquals(users(console), ["", ""]);
});

const restoreWithoutOne: Command<object> = (state) => {
  const users = [...state.users.values()].filter(({ name }) => name !== "one");
  return { events: [{ type: "restored", users }, ...logoutEverywhere(state, "one")], result: {} };
};
const removing = removeUser("one");

/** A command that is being stored, a login meanwhile, and the users of the mixers at the end. */
const meanwhile: readonly (readonly [string, Command<object>, string, number, string[]])[] = [
  ["the removal of one", removing, "one", 1, ["", ""]],
  ["the removal of one", removing, "two", 0, ["two", ""]],
  ["a restore of users without one", restoreWithoutOne, "two", 0, ["two", ""]],
];
for (const [what, command, name, mixer, expected] of meanwhile) {
  Deno.test(`after ${name} logs in on mixer ${mixer} while ${what} is being stored, the users of the mixers are ${JSON.stringify(expected)}`, async () => {
    const store = stagedStore();
    const console = await testConsole({ store });
    await resultOf(console, login(0), actor(console, "one"));
    store.hold();
    const outcomes = [
      console.dispatch(command, {}),
      console.dispatch<object>(login(mixer), actor(console, name)),
    ];
    await store.release();
    await Promise.all(outcomes);
    assertEquals(users(console), expected);
  });
}
