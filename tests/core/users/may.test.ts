import { assert, assertEquals } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { setGlobalLabel } from "../../../core/labels/setgloballabel.ts";
import { pressList } from "../../../core/lists/pressextlist.ts";
import { registerList } from "../../../core/lists/registerextlist.ts";
import { setList } from "../../../core/lists/setextlist.ts";
import { updatePicture } from "../../../core/pictures/resource.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { setSnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { byAdmin } from "../../../core/users/admin.ts";
import { login, logout } from "../../../core/users/login.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { DEVICE, MAY, type May } from "../../../core/users/user.ts";
import { demoWith, result, testConsole } from "../../service.ts";
import { checked, smallPng } from "../pictures/made-png.ts";
import { actor, codeOf, refusalOf, resultOf, valueAt } from "../actors.ts";
import { dataOf, saved, verified } from "../snapshots/saved.ts";

async function consoleWithUsers(anonymous: "operate" | "view" | "none" = "operate") {
  const console = await testConsole({ configuration: demoWith({ anonymous }) });
  for (const may of MAY) {
    await result(console, addUser({ name: may, groups: 255, admin: false, may }));
  }
  const id = await saved(console, { name: "Mine" });
  const data = await verified(console, await dataOf(console, id));
  const panel = { ...actor(console, "admin"), connection: 1 };
  await console.dispatch(registerList(1), panel);
  await console.dispatch(setList({ list: 1, entries: [{ label: "A" }] }), panel);
  const snapshot = { type: 2, id: "", name: "New", writegroups: 1, readgroups: 0 } as const;
  const commands: Readonly<Record<string, Command<unknown>>> = {
    "a global label": setGlobalLabel(1, "News"),
    "a channel label": setChannelLabel(1, "Anna"),
    "a fade": fadeToValue({ mixer: 0, fader: 0, seconds: 1, value: 0 }),
    "a picture": updatePicture(1, checked(smallPng)),
    "a login": login(0),
    "a logout": logout(0),
    "registering a list": registerList(1),
    "filling a list": setList({ list: 1, entries: [] }),
    "pressing a button": pressList({ list: 1, entry: 0, on: 1 }),
    "loading a snapshot": loadSnapshot({ id }),
    "saving a snapshot": saveSnapshot(snapshot),
    "modifying a snapshot": modifySnapshot({ id, name: "Other" }),
    "setting a snapshot": setSnapshot(data),
    "removing a snapshot": removeSnapshot(id),
  };
  return { console, commands };
}

const { commands } = await consoleWithUsers();
for (const what of Object.keys(commands)) {
  Deno.test(`${what} is refused to a viewer (5), and an operator may do it`, async () => {
    const { console, commands } = await consoleWithUsers();
    const { state } = console;
    const by = (name: string) => ({ ...actor(console, name), connection: 1 });
    const needed = what === "pressing a button" ? "press" : "operate";
    const lesser = MAY.slice(0, MAY.indexOf(needed));
    for (const may of lesser) {
      const { code, message } = await refusalOf(console, commands[what]!, by(may));
      const sentence = `user ${may} may only ${may}, and this needs the right to ${needed}`;
      assertEquals([code, message], [5, sentence]);
    }
    assert(console.state === state);
    assertEquals(await codeOf(console, commands[what]!, by("operate")), 0);
  });
}

Deno.test("an interface without users has its configured right (5), whatever the right of callers without a token", async () => {
  for (const anonymous of ["operate", "none"] as const) {
    const { console, commands } = await consoleWithUsers(anonymous);
    const by = (may: May) => ({ address: "ember:192.0.2.7", may });
    const { code, message } = await refusalOf(console, commands["a global label"]!, by("view"));
    const sentence = "this interface may only view, and this needs the right to operate";
    assertEquals([code, message], [5, sentence]);
    await resultOf(console, commands["a global label"]!, by("operate"));
    const phantom = set("/audio/mixers/0/faders/0/params/gain/p48", true);
    assertEquals(await codeOf(console, phantom, by("operate")), 5);
    assertEquals(await codeOf(console, phantom, by("configure")), 0);
  }
});

Deno.test("a user with the right press presses and releases buttons of lists", async () => {
  const { console } = await consoleWithUsers();
  const by = { ...actor(console, "press"), connection: 2 };
  for (const on of [1, 0] as const) {
    await resultOf(console, pressList({ list: 1, entry: 0, on }), by);
    assertEquals(valueAt(console, "/control/extlists/1/_entries/0/_on"), on === 1);
  }
});

Deno.test("a button that a connection holds is released by it, whatever its right has become; nobody else without the right releases it", async () => {
  const { console } = await consoleWithUsers("none");
  const press = (on: 0 | 1, entry = 0) => pressList({ list: 1, entry, on });
  const on = () => valueAt(console, "/control/extlists/1/_entries/0/_on");
  const holder = { ...actor(console, "operate"), connection: 2 };
  const viewer = { ...actor(console, "view"), connection: 3 };
  await resultOf(console, press(1), holder);
  await result(console, modifyUser({ name: "operate", may: "view" }));
  assertEquals(await codeOf(console, press(0), viewer), 5);
  assertEquals(await codeOf(console, press(0, 1), holder), 5, "it holds only entry 0");
  assertEquals(await codeOf(console, press(1), holder), 5);
  assertEquals(on(), true);
  assertEquals(await codeOf(console, press(0), holder), 0);
  assertEquals(on(), false);
  assertEquals(await codeOf(console, press(0), holder), 5, "it holds nothing any more");
  await result(console, modifyUser({ name: "operate", may: "press" }));
  await resultOf(console, press(1), holder);
  await result(console, removeUser("operate"));
  assertEquals(await codeOf(console, press(0), { connection: 4 }), 4);
  assertEquals(await codeOf(console, press(0), holder), 0, "until its connection is closed");
  assertEquals(on(), false);
});

for (const anonymous of ["view", "none"] as const) {
  Deno.test(`with anonymous "${anonymous}" a change without a token is refused (4), except by the device itself`, async () => {
    const { console, commands } = await consoleWithUsers(anonymous);
    const { state } = console;
    for (const [what, command] of Object.entries(commands)) {
      const refusal = await refusalOf(console, command, { connection: 1, address: "192.0.2.7" });
      assertEquals([what, refusal.code], [what, 4]);
      const needed = what === "pressing a button" ? "press" : "operate";
      assertEquals(refusal.message, `token: expected the token of a user who may ${needed}`);
    }
    assert(console.state === state);
    await resultOf(console, commands["a global label"]!, DEVICE);
  });
}

Deno.test("a snapshot that an operator loads also sets its routing and processing", async () => {
  const { console } = await consoleWithUsers();
  const path = "/audio/mixers/0/faders/0/params/gain/p48";
  await resultOf(console, set(path, true), actor(console, "configure"));
  const id = await saved(console, { writegroups: 1 });
  await resultOf(console, set(path, false), actor(console, "configure"));
  await resultOf(console, loadSnapshot({ id }), actor(console, "operate"));
  assertEquals(valueAt(console, path), true);
});

Deno.test("an admin may configure, whatever may says; a demoted admin has the right that may says", async () => {
  const console = await testConsole();
  await result(console, addUser({ name: "boss", groups: 1, admin: true, may: "view" }));
  assertEquals(await codeOf(console, setGlobalLabel(1, "A"), actor(console, "boss")), 0);
  await result(console, modifyUser({ name: "boss", admin: false }));
  assertEquals(await codeOf(console, setGlobalLabel(1, "B"), actor(console, "boss")), 5);
});

/** Parts of a configuration with which no caller may operate without a token. */
const closing = [
  { anonymous: "view" },
  { anonymous: "none" },
  { auth: "required" },
  { websocket: { auth: "required" }, restApi: { auth: "required" } },
] as const;

Deno.test("the answer for the first user who may not operate has a notice: a logout gives more rights", async () => {
  const sentence = (name: string) =>
    `user ${name} may only view, but may operate by logging out: a caller without a token may, ` +
    'unless the configuration has "anonymous": "view"';
  const guest = (name: string) => addUser({ name, groups: 1, admin: false, may: "view" });
  const console = await testConsole();
  assertEquals((await result(console, guest("anna"))).notice, sentence("anna"));
  assertEquals((await result(console, guest("bert"))).notice, undefined, "it was said");
  const presser = await testConsole();
  const intern = addUser({ name: "intern", groups: 1, admin: false, may: "press" });
  const { notice } = await result(presser, intern);
  assertEquals(notice, sentence("intern").replace("view", "press"));
  const other = await testConsole();
  assertEquals(await result(other, modifyUser({ name: "one", groups: 3 })), {});
  const changed = await result(other, modifyUser({ name: "one", may: "view" }));
  assertEquals(changed, { notice: sentence("one") });
  for (const parts of closing) {
    const closed = await testConsole({ configuration: demoWith(parts) });
    assertEquals((await result(closed, guest("anna"))).notice, undefined);
  }
});

Deno.test("a command is decided by the rights at that moment, not at the login", async () => {
  const console = await testConsole();
  const before = actor(console, "one");
  await result(console, modifyUser({ name: "one", may: "view" }));
  assertEquals(await codeOf(console, setGlobalLabel(1, "A"), before), 5);
  await result(console, modifyUser({ name: "one", may: "operate" }));
  assertEquals(await codeOf(console, setGlobalLabel(1, "A"), before), 0);
  assertEquals(await codeOf(console, byAdmin(modifyUser({ name: "two", may: "view" })), before), 5);
});
