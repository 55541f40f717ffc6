import { assert, assertEquals, assertMatch } from "@std/assert";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { ALL_GROUPS, groupMask, groupNumbers } from "../../../core/users/groups.ts";
import { BAD_TOKEN, isToken, makeToken, userOfToken } from "../../../core/users/token.ts";
import { result, testConsole, tokens } from "../../service.ts";
import { codeOf, granted } from "../actors.ts";
import { recordingStore } from "../stores.ts";

Deno.test("a token is 32 hexadecimal digits in four groups of eight", () => {
  const good = tokens.admin;
  const table: readonly (readonly [string, boolean])[] = [
    [good, true],
    [good.toUpperCase(), true],
    ["01234567-89abcdef-ABCDEF01-23456789", true],
    [good.replaceAll("-", ""), false],
    [`${good} `, false],
    [` ${good}`, false],
    [`${good}\n`, false],
    [good.slice(1), false],
    [`${good}0`, false],
    [good.replace("a", "g"), false],
    [good.replaceAll("-", "_"), false],
    ["", false],
  ];
  for (const [text, expected] of table) assertEquals(isToken(text), expected, text);
});

Deno.test("a token is made of 128 random bits", () => {
  const asked: number[] = [];
  const token = makeToken({
    bytes(count) {
      asked.push(count);
      return Uint8Array.from({ length: count }, (_, index) => index * 16 + index);
    },
  });
  assertEquals([asked, token], [[16], "00112233-44556677-8899aabb-ccddeeff"]);
});

Deno.test("a user is found by the token alone, compared without regard to case", async () => {
  const console = await testConsole();
  const { users } = console.state;
  assertEquals(userOfToken(users, tokens.one)?.name, "one");
  assertEquals(userOfToken(users, tokens.one.toUpperCase())?.name, "one");
  for (const wrong of ["", "one", tokens.one.replace("b", "c"), users.get("one")!.tokenHash]) {
    assertEquals(userOfToken(users, wrong), undefined);
  }
});

Deno.test("a console finds the user of a token in any case, and no more after the removal of the user", async () => {
  const console = await testConsole();
  const { token } = await result(console, addUser({ name: "Anna", groups: 9, admin: false }));
  for (const spelled of [token, token, token.toUpperCase()]) {
    assertEquals(console.userOf(spelled), console.state.users.get("Anna"));
  }
  for (let at = 0; at < 50; at++) {
    const spelled = [...token].map((digit, place) =>
      (at >> place) & 1 ? digit.toUpperCase() : digit
    );
    assertEquals(console.userOf(spelled.join("")), console.state.users.get("Anna"));
  }
  await result(console, modifyUser({ name: "Anna", groups: 2 }));
  assertEquals(granted(console.userOf(token)).groups, 2);
  await result(console, removeUser("Anna"));
  assertEquals(console.userOf(token), BAD_TOKEN);
});

Deno.test("only a hash of a token is in the state and in the records", async () => {
  const store = recordingStore();
  const console = await testConsole({ store });
  const { token } = await result(console, addUser({ name: "Anna", groups: 9, admin: false }));
  assert(isToken(token));
  const text = store.records.map((record) => new TextDecoder().decode(record)).join() +
    JSON.stringify([...console.state.users]);
  assertEquals(store.records.length, 5);
  for (const secret of [token, ...Object.values(tokens)]) {
    for (const form of [secret, secret.replaceAll("-", "")]) {
      assert(!text.toLowerCase().includes(form), "a token is in the records");
    }
  }
  assertMatch(console.state.users.get("Anna")!.tokenHash, /^[0-9a-f]{64}$/);
  const again = await testConsole({ records: store.records });
  assertEquals(userOfToken(again.state.users, token)?.name, "Anna");
});

Deno.test("a user is added once, under a name that fits a line, with a token of its own", async () => {
  const console = await testConsole();
  const add = (name: string, token?: string) =>
    codeOf(console, addUser({ name, groups: 1, admin: false, token }));
  for (const name of ["", " ", "a b", "-a", "a\n", "a".repeat(65), "a/b", "😀"]) {
    assertEquals(await add(name), 3, name);
  }
  for (const name of ["a", "Änne", "a.b_c-d@e", "__proto__".slice(2), "a".repeat(64)]) {
    assertEquals(await add(name), 0, name);
    assertEquals(await add(name), 3, name);
  }
  assertEquals(await add("new", "no token"), 3);
  assertEquals(await add("new", tokens.one.toUpperCase()), 3);
  assertEquals(await add("new"), 0);
});

Deno.test("a name that differs from that of another user in its Unicode form alone is taken", async () => {
  const console = await testConsole();
  const kim = (form: string) => ({ name: "김".normalize(form), groups: 1, admin: false });
  for (const [form, other] of [["NFC", "NFD"], ["NFD", "NFC"]] as const) {
    const user = kim(form);
    await result(console, addUser(user));
    assertEquals(await codeOf(console, addUser(kim(other))), 3);
    await result(console, removeUser(user.name));
  }
});

Deno.test("the token of a removed user is refused", async () => {
  const console = await testConsole();
  assertEquals(await codeOf(console, removeUser("one")), 0);
  assertEquals(userOfToken(console.state.users, tokens.one), undefined);
  assertEquals(await codeOf(console, removeUser("one")), 6);
  assertEquals(await codeOf(console, removeUser("constructor")), 6);
});

Deno.test("group N has the value 2^(N-1), and groups are combined by adding", () => {
  const table: readonly (readonly [string, number | undefined])[] = [
    ["1", 1],
    ["2", 2],
    ["3", 4],
    ["4", 8],
    ["5", 16],
    ["6", 32],
    ["7", 64],
    ["8", 128],
    ["1,4,8", 137],
    ["8, 4 ,1", 137],
    ["1,1", 1],
    ["1,2,3,4,5,6,7,8", ALL_GROUPS],
    ["", undefined],
    ["0", undefined],
    ["9", undefined],
    ["1,", undefined],
    ["1;2", undefined],
    ["-1", undefined],
    ["01", undefined],
    ["1.0", undefined],
  ];
  for (const [list, mask] of table) assertEquals(groupMask(list), mask, list);
  for (let mask = 1; mask <= ALL_GROUPS; mask++) {
    assertEquals(groupMask(groupNumbers(mask).join(",")), mask);
  }
  assertEquals(groupNumbers(0), []);
});
