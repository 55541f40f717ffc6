import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Console } from "../../../core/console.ts";
import { isIncrement, isLeafDefinition, type Ranges } from "../../../core/tree/leaf.ts";
import { set } from "../../../core/tree/set.ts";
import { type Branch, find, formatPath, parsePath, type Path } from "../../../core/tree/tree.ts";
import { addUser } from "../../../core/users/adduser.ts";
import type { May } from "../../../core/users/user.ts";
import { result, testConsole } from "../../service.ts";
import { actor, codeOf, refusalOf, resultOf } from "../actors.ts";

async function consoleWithUsers(): Promise<Console> {
  const console = await testConsole();
  for (const may of ["view", "operate", "configure"] as const) {
    await result(console, addUser({ name: may, groups: 255, admin: false, may }));
  }
  await result(console, addUser({ name: "boss", groups: 0, admin: true, may: "view" }));
  return console;
}

/** The path of each writable leaf. */
function* leavesOf(ranges: Ranges, path: Path = []): Generator<Path> {
  for (const [member, node] of Object.entries(ranges)) {
    const at = [...path, member];
    if (!isLeafDefinition(node)) yield* leavesOf(node, at);
    else if (!isIncrement(node)) yield at;
  }
}

const ofFader =
  "altinput bypass fader isolate label memo offair on pfl1 pfl2 preparation solo voice";

/** The leaves that an operator may set, with `*` for every number; no other leaf. */
const operated = [
  ...ofFader.split(" ").map((member) => `/audio/mixers/*/faders/*/${member}`),
  "/audio/mixers/*/mutegroups/*",
  "/audio/pots/*/value",
  "/control/labels/*/label",
  "/control/logics/*/value",
];

Deno.test("an operator sets faders, keys and labels, and no other leaf of the tree", async () => {
  const console = await consoleWithUsers();
  const operator = actor(console, "operate");
  const allowed = new Set<string>();
  let refused = 0;
  for (const path of leavesOf(console.state.ranges)) {
    const text = formatPath(path);
    const value = find(console.state.tree, path);
    const code = await codeOf(console, set(text, value), operator);
    if (code === 0) allowed.add(text.replaceAll(/\/\d+/g, "/*"));
    else {
      assertEquals(code, 5, text);
      refused++;
    }
  }
  assertEquals([...allowed].toSorted(), operated);
  assert(refused > 1000, `${refused} leaves`);
});

const FADER = "/audio/mixers/0/faders/0";

/** A set, and the codes that a viewer, an operator, a configurer, an admin and nobody get. */
const rows: readonly (readonly [string, string, unknown, readonly number[]])[] = [
  ["a level", `${FADER}/fader`, -20, [5, 0, 0, 0, 0]],
  ["a key", `${FADER}/on`, true, [5, 0, 0, 0, 0]],
  ["what is in force already", `${FADER}/fader`, -160, [5, 0, 0, 0, 0]],
  ["phantom power", `${FADER}/params/gain/p48`, true, [5, 5, 0, 0, 0]],
  ["an increment of the gain", `${FADER}/params/gain/again/inc`, 1, [5, 5, 0, 0, 0]],
  ["an equalizer", `${FADER}/params/eq1`, { on: true, gain: 3 }, [5, 5, 0, 0, 0]],
  ["which channel a fader carries", `${FADER}/sourceid`, 0, [5, 5, 0, 0, 0]],
  ["the mute groups of a fader", `${FADER}/mutegroups/1`, true, [5, 5, 0, 0, 0]],
  ["the options of a mixer", "/audio/mixers/0/options/directoffair", true, [5, 5, 0, 0, 0]],
  ["a route", "/audio/routing/routes/1", "", [5, 5, 0, 0, 0]],
  ["a selector", "/audio/selectors/selectors/1", { left: "1", right: "2" }, [5, 5, 0, 0, 0]],
  ["a fader with one leaf too many", FADER, { on: true, vcagroup: 1 }, [5, 5, 0, 0, 0]],
  ["nothing", FADER, {}, [5, 0, 0, 0, 0]],
  ["a path that is not there", "/audio/routing/nowhere", 1, [5, 6, 6, 6, 6]],
  ["a value of a wrong type", `${FADER}/params/gain/p48`, 1, [5, 3, 3, 3, 3]],
];

for (const [what, path, value, codes] of rows) {
  Deno.test(`the right to set ${what} is enforced for viewer, operator, configurer, admin and nobody; a refusal changes nothing`, async () => {
    for (const [at, name] of ["view", "operate", "configure", "boss", "nobody"].entries()) {
      const console = await consoleWithUsers();
      const { state } = console;
      const code = await codeOf(console, set(path, value), actor(console, name));
      assertEquals(code, codes[at], name);
      if (code !== 0) assert(console.state === state, name);
    }
  });
}

Deno.test("the refusal names the user, the leaf and the missing right", async () => {
  const console = await consoleWithUsers();
  const refusal = async (may: May) => {
    const value = { faders: { 0: { on: true, params: { gain: { p48: true } } } } };
    const { message } = await refusalOf(
      console,
      set("/audio/mixers/0", value),
      actor(console, may),
    );
    return message;
  };
  assertMatch(
    await refusal("operate"),
    /^user operate may only operate, and \/audio\/mixers\/0\/faders\/0\/params\/gain\/p48 needs the right to configure$/,
  );
  assertMatch(await refusal("view"), /^user view may only view, and this needs .* operate$/);
});

Deno.test("constructor, __proto__ and toString give an operator no further rights", async () => {
  const console = await consoleWithUsers();
  const operator = actor(console, "operate");
  for (const member of ["constructor", "__proto__", "toString", "*"]) {
    const payload = JSON.parse(`{"${member}":{"on":true}}`);
    assertEquals(await codeOf(console, set("/audio/mixers/0/faders", payload), operator), 6);
  }
});

Deno.test("an operator may set many faders, keys and labels in one set", async () => {
  const console = await consoleWithUsers();
  const faders = { 0: { on: true, fader: -3 }, 1: { label: "Anna" } };
  await resultOf(
    console,
    set("/audio/mixers/0", { faders, mutegroups: {} }),
    actor(console, "operate"),
  );
  const tree = console.state.tree as Branch;
  assertEquals(find(tree, parsePath(`${FADER}/fader`)), -3);
  assertEquals(find(tree, parsePath("/audio/mixers/0/faders/1/label")), "Anna");
});
