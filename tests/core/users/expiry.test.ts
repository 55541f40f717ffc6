import { assertEquals, assertMatch } from "@std/assert";
import { isRefusal } from "../../../core/errors.ts";
import { setGlobalLabel } from "../../../core/labels/setgloballabel.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { readExpiry } from "../../../core/users/expiry.ts";
import { listUsers } from "../../../core/users/getuserlist.ts";
import { login } from "../../../core/users/login.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { result, stillClock, testConsole, tokens } from "../../service.ts";
import { actor, codeOf, granted, refusal } from "../actors.ts";
import { recordingStore } from "../stores.ts";

const NOW = Date.UTC(2027, 0, 15, 12);

/** A text for `expires`, and the instant that it means; undefined where it is refused. */
const table: readonly (readonly [string, string | undefined])[] = [
  ["2027-01-31", "2027-02-01T00:00:00.000Z"],
  ["2027-01-15", "2027-01-16T00:00:00.000Z"],
  ["2028-02-29", "2028-03-01T00:00:00.000Z"],
  ["2027-01-31T18:00:00Z", "2027-01-31T18:00:00.000Z"],
  ["2027-01-31T18:00Z", "2027-01-31T18:00:00.000Z"],
  ["2027-01-31T18:00:00.250+01:00", "2027-01-31T17:00:00.250Z"],
  ["9999-12-31", "9999-12-31T23:59:59.999Z"],
  ["9999-12-31T23:30:00-01:00", "9999-12-31T23:59:59.999Z"],
  ["2027-01-14", undefined],
  ["2027-01-15T12:00:00Z", undefined],
  ["2027-02-30", undefined],
  ["2027-02-30T18:00:00Z", undefined],
  ["2027-13-01", undefined],
  ["2027-01-31T25:00:00Z", undefined],
  ["2027-01-31T18:00:00", undefined],
  ["31.1.2027", undefined],
  ["2027", undefined],
  ["tomorrow", undefined],
  ["", undefined],
  [" 2027-01-31", undefined],
  ["+012027-01-31", undefined],
];

for (const [text, expected] of table) {
  Deno.test(`expires "${text}" is ${expected ?? "refused (3)"}`, () => {
    const read = readExpiry(text, NOW);
    if (expected !== undefined) return assertEquals(read, expected);
    const { code, message } = refusal(read as object);
    assertEquals(code, 3);
    assertMatch(message, /^expires: expected a date to come like 2027-01-31, .*, got "/);
  });
}

async function consoleAt(now: number) {
  const clock = stillClock();
  clock.tick(now);
  const store = recordingStore();
  const console = await testConsole({ clock, store });
  return { console, clock, store };
}

Deno.test("an expired token is refused as a wrong one, and the message says since when it has expired", async () => {
  const { console, clock } = await consoleAt(NOW);
  const guest = { name: "guest", groups: 1, admin: false, expires: "2027-01-31" };
  const { token } = await result(console, addUser(guest));
  const by = actor(console, "guest");
  clock.tick(Date.UTC(2027, 1, 1) - NOW - 1);
  assertEquals(granted(console.userOf(token)).name, "guest");
  assertEquals(await codeOf(console, login(0), by), 0);
  clock.tick(1);
  const expected = { code: 4, message: "token: it expired at 2027-02-01T00:00:00.000Z" };
  const { parameter: _, ...refused } = refusal(console.userOf(token)) as { parameter: string };
  assertEquals(refused, expected as object);
  assertEquals(await codeOf(console, login(0), by), 4, "who was logged in is nobody");
  assertEquals(await codeOf(console, setGlobalLabel(1, "A"), by), 0, "and may what nobody may");
});

Deno.test("expires can be changed and removed, and is kept over a restart", async () => {
  const { console, clock, store } = await consoleAt(NOW);
  const expires = async () => {
    const again = await testConsole({ clock, records: store.records });
    const [here, there] = [console, again].map(({ state }) =>
      listUsers(state).find(({ name }) => name === "one")!.expires
    );
    assertEquals(there, here);
    return here;
  };
  assertEquals(await expires(), null);
  await result(console, modifyUser({ name: "one", expires: "2027-01-31" }));
  assertEquals(await expires(), "2027-02-01T00:00:00.000Z");
  await result(console, modifyUser({ name: "one", groups: 3 }));
  assertEquals(await expires(), "2027-02-01T00:00:00.000Z");
  assertEquals(await codeOf(console, modifyUser({ name: "one", expires: "2026-01-31" })), 3);
  clock.tick(Date.UTC(2027, 5, 1) - NOW);
  assertEquals(isRefusal(console.userOf(tokens.one)), true);
  await result(console, modifyUser({ name: "one", expires: null }));
  assertEquals(await expires(), null);
  assertEquals(granted(console.userOf(tokens.one)).name, "one");
});

Deno.test("the last admin whose token does not expire cannot be removed, demoted or given an expiry: error 7", async () => {
  const { console } = await consoleAt(NOW);
  const limited = { name: "boss", groups: 1, admin: true, expires: "2027-01-31" };
  assertEquals(await codeOf(console, modifyUser({ name: "admin", expires: "2027-01-31" })), 7);
  await result(console, addUser(limited));
  for (
    const command of [
      modifyUser({ name: "admin", expires: "2027-01-31" }),
      modifyUser({ name: "admin", admin: false }),
      removeUser("admin"),
    ]
  ) {
    const outcome = await console.dispatch<object>(command, {});
    assertMatch(refusal(outcome).message, /^name: admin is the last admin whose token does not/);
  }
  assertEquals(await codeOf(console, modifyUser({ name: "boss", expires: null })), 0);
  assertEquals(await codeOf(console, removeUser("admin")), 0);
  assertEquals(await codeOf(console, modifyUser({ name: "boss", expires: "2027-01-31" })), 7);
  assertEquals(await codeOf(console, removeUser("boss")), 7);
});

Deno.test("an admin whose token expires may be removed while there is one whose token does not", async () => {
  const { console } = await consoleAt(NOW);
  await result(console, addUser({ name: "boss", groups: 1, admin: true, expires: "2027-01-31" }));
  assertEquals(await codeOf(console, removeUser("boss")), 0);
});

Deno.test("an admin whose token has expired does not count as an admin", async () => {
  const { console, clock } = await consoleAt(NOW);
  for (const [name, expires] of [["early", "2027-01-31"], ["late", "2027-02-28"]] as const) {
    await result(console, addUser({ name, groups: 1, admin: true, expires }));
  }
  // Only a restore can leave a console where the tokens of all admins expire.
  const events = [{ type: "userremoved", name: "admin" } as const];
  await result(console, () => ({ events, result: {} }));
  clock.tick(Date.UTC(2027, 1, 1) - NOW);
  assertEquals(await codeOf(console, removeUser("late")), 7);
  assertEquals(await codeOf(console, removeUser("early")), 0);
});
