/** A code that hands a user over, once (docs/interfaces.md, "Users"). */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import type { AuditEntry } from "../../../core/audit.ts";
import { isRefusal } from "../../../core/errors.ts";
import { HANDOVER_MINUTES, HANDOVERS } from "../../../core/limits.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { makeHandover } from "../../../core/users/makehandover.ts";
import { takeHandover } from "../../../core/users/takehandover.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { isToken, userOfToken } from "../../../core/users/token.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { heldStore, result, stillClock, testConsole, tokens } from "../../service.ts";
import { refusalOf } from "../actors.ts";
import { checkpointOf } from "../stores.ts";

const MINUTE_MS = 60_000;

/** Removes a user and adds one of the same name. */
const anotherOne = [removeUser("one"), addUser({ name: "one", groups: 1, admin: false })];

Deno.test("a code replaces the token of its user with a new one, once", async () => {
  const console = await testConsole({ clock: stillClock() });
  const { code, expires } = await result(console, makeHandover("one", 15));
  assert(isToken(code));
  assertEquals(expires, "1970-01-01T00:15:00.000Z");
  const { users } = console.state;
  assertEquals(userOfToken(users, tokens.one)?.name, "one", "the old token is good until then");
  const taken = await result(console, takeHandover(code));
  assertEquals(taken.name, "one");
  assertNotEquals(taken.token, code);
  assertEquals(userOfToken(console.state.users, taken.token)?.name, "one");
  assertEquals(userOfToken(console.state.users, tokens.one), undefined);
  const { message } = await refusalOf(console, takeHandover(code), DEVICE);
  assertEquals(message, "code: it was used already");
});

Deno.test("of two requests with the same code at the same time one gets the token", async () => {
  const store = heldStore();
  const console = await testConsole({ store });
  const { code } = await result(console, makeHandover("one", 15));
  store.hold();
  const both = [1, 2].map(() => console.dispatch(takeHandover(code), DEVICE));
  store.store();
  const refused = (await Promise.all(both)).map((outcome) => isRefusal(outcome));
  assertEquals(refused, [false, true]);
});

Deno.test("a code whose token could not be stored is not used up", async () => {
  const store = heldStore();
  const console = await testConsole({ store });
  const { code } = await result(console, makeHandover("one", 15));
  store.hold();
  const first = console.dispatch(takeHandover(code), DEVICE);
  store.fail("no space left");
  assertEquals(((await first) as { code?: number }).code, 12);
  const second = console.dispatch(takeHandover(code), DEVICE);
  store.store();
  assertEquals(isRefusal(await second), false);
});

for (
  const [what, commands, sentence] of [
    ["not the latest code of its user", [makeHandover("one", 5)], /expected the latest code/],
    ["older than the token of its user", [modifyUser({ name: "one", newtoken: true })], /another/],
    ["for a user who was removed", [removeUser("one")], /removed/],
    ["for an earlier user of the same name", anotherOne, /removed/],
  ] as const
) {
  Deno.test(`a code is refused (4) if it is ${what}`, async () => {
    const console = await testConsole();
    const { code: handover } = await result(console, makeHandover("one", 15));
    for (const command of commands) await console.dispatch<unknown>(command, DEVICE);
    const { users } = console.state;
    const { code, message } = await refusalOf(console, takeHandover(handover), DEVICE);
    assertEquals(code, 4);
    assertMatch(message, sentence);
    assert(console.state.users === users);
  });
}

Deno.test("a code is valid for its number of minutes; after that the refusal says when it expired", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 0, max: 61 * MINUTE_MS }),
      async (minutes, ms) => {
        const clock = stillClock();
        const console = await testConsole({ clock });
        const { code, expires } = await result(console, makeHandover("one", minutes));
        clock.tick(ms);
        const outcome = await console.dispatch(takeHandover(code), DEVICE);
        assertEquals(isRefusal(outcome), ms >= minutes * MINUTE_MS);
        if (isRefusal(outcome)) assertEquals(outcome.message, `code: it expired at ${expires}`);
      },
    ),
    { numRuns: 20 },
  );
});

Deno.test("a user whose token has expired is not handed over, also where it expires before the code is used", async () => {
  const clock = stillClock();
  const console = await testConsole({ clock });
  await result(console, modifyUser({ name: "one", expires: "1970-01-01T00:10:00Z" }));
  const { code } = await result(console, makeHandover("one", 15));
  clock.tick(10 * MINUTE_MS);
  const { message } = await refusalOf(console, takeHandover(code), DEVICE);
  assertEquals(message, "code: the token of one expired at 1970-01-01T00:10:00.000Z");
  assertEquals((await refusalOf(console, makeHandover("one", 15), DEVICE)).parameter, "name");
});

Deno.test("a code beyond the maximum number of open codes is error 11; a used or expired code makes room", async () => {
  const clock = stillClock();
  const console = await testConsole({ clock });
  const names = Array.from({ length: HANDOVERS + 2 }, (_, at) => `user${at}`);
  for (const name of names) {
    await result(console, addUser({ name, groups: 0, admin: false }));
  }
  const [last, next, ...first] = names.toReversed() as [string, string, ...string[]];
  const codes: string[] = [];
  for (const name of first.reverse()) {
    codes.push((await result(console, makeHandover(name, 15))).code);
  }
  assertEquals((await refusalOf(console, makeHandover(next, 15), DEVICE)).code, 11);
  await result(console, makeHandover(first[5]!, 15));
  await result(console, takeHandover(codes[3]!));
  await result(console, makeHandover(next, 15));
  assertEquals(console.state.handovers.has(first[3]!), false);
  clock.tick(15 * MINUTE_MS);
  await result(console, makeHandover(last, 15));
  assertEquals(console.state.handovers.size, HANDOVERS);
});

Deno.test("a code that was made while the clock was ahead is refused (4), and makes room, once the clock is right", async () => {
  const clock = stillClock();
  const console = await testConsole({ clock });
  for (let at = 0; at <= HANDOVERS; at++) {
    await result(console, addUser({ name: `user${at}`, groups: 0, admin: false }));
  }
  clock.tick(10 * 365 * 24 * 60 * MINUTE_MS);
  const codes: string[] = [];
  for (let at = 0; at < HANDOVERS; at++) {
    const { max } = HANDOVER_MINUTES;
    codes.push((await result(console, makeHandover(`user${at}`, max))).code);
  }
  clock.tick(-9 * 365 * 24 * 60 * MINUTE_MS);
  const { code, message } = await refusalOf(console, takeHandover(codes[0]!), DEVICE);
  assertEquals(code, 4);
  assertEquals(message, "code: it was made while the clock was ahead");
  await result(console, makeHandover(`user${HANDOVERS}`, 1));
});

Deno.test("a code of the longest duration is taken although the clock was set back by some minutes", async () => {
  const clock = stillClock();
  const console = await testConsole({ clock });
  clock.tick(60 * MINUTE_MS);
  const { code } = await result(console, makeHandover("one", HANDOVER_MINUTES.max));
  clock.tick(-10 * MINUTE_MS);
  assertEquals((await result(console, takeHandover(code))).name, "one");
});

Deno.test("neither a code nor its hash is on the medium or in the audit trail", async () => {
  const entries: AuditEntry[] = [];
  const console = await testConsole({ audit: (entry) => entries.push(entry) });
  const by = { ...DEVICE, address: "192.0.2.7", call: "test" };
  const made = await console.dispatch(makeHandover("one", 15), by);
  if (isRefusal(made)) throw new Error(made.message);
  const { code, expires } = made.result;
  await console.dispatch(takeHandover(code), by);
  console.tellRefused(by, await refusalOf(console, takeHandover(code), DEVICE), { code });
  const path = "/users/one/handover";
  assertEquals(entries.map(({ changes }) => changes?.filter((change) => change.path === path)), [
    [{ path, before: undefined, after: { expires } }],
    [{ path, before: { expires }, after: undefined }],
    undefined,
  ]);
  const { codeHash } = console.state.handovers.get("one")!;
  const medium = checkpointOf(console.state).map((bytes) =>
    new TextDecoder("latin1").decode(bytes)
  );
  const kept = JSON.stringify(entries) + medium.join();
  for (const secret of [code, codeHash]) assertEquals(kept.includes(secret), false);
});
