import { assertEquals } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import type { Console } from "../../../core/console.ts";
import { isRefusal } from "../../../core/errors.ts";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { setSnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { uploadNumbered } from "../../../core/snapshots/numbered.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { result, testConsole } from "../../service.ts";
import { actor, codeIn, codeOf, refusalOf } from "../actors.ts";
import { dataOf, saved, verified } from "./saved.ts";

/** `one` is in the snapshot's write group, `reader` in its read group, `two` and `boss` (an admin)
 * in another one, `none` in no group, `nobody` is not logged in. */
const who = ["nobody", "one", "reader", "two", "none", "boss"] as const;

const codeOfOutcome = (outcome: object) => isRefusal(outcome) ? outcome.code : 0;

type Asked = (console: Console, id: string) => Command<unknown> | Promise<Command<unknown>> | "get";

const kept = { type: 2, writegroups: 255, readgroups: 0 } as const;
const factory = "0f0c0002-0000-4000-8000-000000000001";
const other = await testConsole();
const foreign = await dataOf(other, await saved(other, {}));

const asked: Readonly<Record<string, Asked>> = {
  "load": (_, id) => loadSnapshot({ id }),
  "get": () => "get",
  "overwrite": (_, id) => saveSnapshot({ ...kept, id, name: "B" }),
  "modify": (_, id) => modifySnapshot({ id, name: "B" }),
  "remove": (_, id) => removeSnapshot(id),
  "set, over an existing one": async (console, id) =>
    setSnapshot(await verified(console, await dataOf(console, id))),
  "create": () => saveSnapshot({ ...kept, id: "" }),
  "set, a new one": async (console) => setSnapshot(await verified(console, foreign)),
};

/** The error code for each actor of `who`; 0 where the command is carried out. */
const rights: readonly (readonly [string, string, readonly number[]])[] = [
  ["of groups", "load", [4, 0, 0, 5, 5, 5]],
  ["of groups", "get", [4, 0, 0, 5, 5, 5]],
  ["of groups", "overwrite", [4, 0, 5, 5, 5, 0]],
  ["of groups", "modify", [4, 0, 5, 5, 5, 0]],
  ["of groups", "remove", [4, 0, 5, 5, 5, 0]],
  ["of groups", "set, over an existing one", [4, 0, 5, 5, 5, 0]],
  ["of groups", "create", [4, 0, 0, 0, 5, 0]],
  ["of groups", "set, a new one", [4, 0, 0, 0, 5, 0]],
  ["that all may load", "load", [0, 0, 0, 0, 0, 0]],
  ["that all may load", "get", [0, 0, 0, 0, 0, 0]],
  ["that all may load", "overwrite", [4, 0, 5, 5, 5, 0]],
  ["default", "load", [0, 0, 0, 0, 0, 0]],
  ["default", "get", [0, 0, 0, 0, 0, 0]],
  ["default", "overwrite", [4, 0, 0, 0, 5, 0]],
  ["default", "set, over an existing one", [4, 0, 0, 0, 5, 0]],
  ["default", "modify", [7, 7, 7, 7, 7, 7]],
  ["default", "remove", [7, 7, 7, 7, 7, 7]],
  ["factory", "load", [0, 0, 0, 0, 0, 0]],
  ["factory", "get", [0, 0, 0, 0, 0, 0]],
  ["factory", "overwrite", [7, 7, 7, 7, 7, 7]],
  ["factory", "modify", [7, 7, 7, 7, 7, 7]],
  ["factory", "remove", [7, 7, 7, 7, 7, 7]],
  ["factory", "set, over an existing one", [7, 7, 7, 7, 7, 7]],
];

async function consoleWith(kind: string): Promise<{ console: Console; id: string }> {
  const console = await testConsole();
  await result(console, addUser({ name: "reader", groups: 4, admin: false }));
  await result(console, addUser({ name: "boss", groups: 2, admin: true }));
  if (kind === "default") return { console, id: "default" };
  if (kind === "factory") return { console, id: factory };
  const readgroups = kind === "of groups" ? 4 : 0;
  return { console, id: await saved(console, { writegroups: 1, readgroups }) };
}

for (const [kind, what, codes] of rights) {
  Deno.test(`the rights of each user to a snapshot ${kind} are enforced: ${what}`, async () => {
    const { console, id } = await consoleWith(kind);
    const command = await asked[what]!(console, id);
    for (const [index, name] of who.entries()) {
      const by = actor(console, name);
      const code = command === "get"
        ? codeOfOutcome(await getSnapshot(console.state, { id }, by))
        : codeIn(console.state, command, by);
      assertEquals(code, codes[index], name);
    }
  });
}

/**
 * Write groups of a command, and the error codes for `one` (group 1), `both` (1 and 3), an admin.
 */
const given: readonly (readonly [number, readonly number[]])[] = [
  [1, [0, 0, 0]],
  [4, [5, 0, 0]],
  [2, [5, 5, 0]],
  [255, [0, 0, 0]],
];

for (const [writegroups, codes] of given) {
  Deno.test(`the right to give a snapshot write groups ${writegroups} is enforced: ${codes} for a user, one of more groups, an admin`, async () => {
    const console = await testConsole();
    await result(console, addUser({ name: "both", groups: 5, admin: false }));
    await result(console, addUser({ name: "boss", groups: 8, admin: true }));
    const id = await saved(console, { writegroups: 1 });
    const brought = await verified(
      console,
      await dataOf(other, await saved(other, { writegroups })),
    );
    const commands: readonly Command<unknown>[] = [
      saveSnapshot({ ...kept, id: "", writegroups }),
      saveSnapshot({ ...kept, id, writegroups }),
      setSnapshot(brought),
      uploadNumbered({ type: 2, number: 77 }, { ...brought, id: crypto.randomUUID() }),
      modifySnapshot({ id, writegroups }),
    ];
    for (const [index, name] of ["one", "both", "boss"].entries()) {
      for (const [at, command] of commands.entries()) {
        const code = codeIn(console.state, command, actor(console, name));
        assertEquals([name, at, code], [name, at, codes[index]]);
      }
    }
  });
}

Deno.test("the refusal of write groups names them and the groups of the user", async () => {
  const console = await testConsole();
  const by = actor(console, "one");
  const save = saveSnapshot({ ...kept, id: "", writegroups: 6 });
  const { message } = await refusalOf(console, save, by);
  const expected = "expected one of the groups of user one (1) at least, got 6 (2, 3)";
  assertEquals(message, `writegroups: ${expected}`);
});

Deno.test("the device itself saves, loads, changes and removes snapshots, though it is not a user", async () => {
  const { console, id } = await consoleWith("of groups");
  const save = { ...kept, writegroups: 4 };
  const commands = [
    saveSnapshot({ ...save, id: "" }),
    saveSnapshot({ ...save, id: "default" }),
    saveSnapshot({ ...save, id }),
    setSnapshot(await verified(console, foreign)),
    loadSnapshot({ id }),
    modifySnapshot({ id, name: "B" }),
    removeSnapshot(id),
  ];
  for (const [at, command] of commands.entries()) {
    assertEquals([at, await codeOf(console, command, DEVICE)], [at, 0]);
  }
  assertEquals(await codeOf(console, removeSnapshot(factory), DEVICE), 7);
});

Deno.test("a user who may change a snapshot may load it, though not in its readgroups", async () => {
  const { console, id } = await consoleWith("of groups");
  const data = await dataOf(console, id, actor(console, "one"));
  assertEquals([data.readgroups, data.writegroups], [4, 1]);
});
