import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { AuditEntry } from "../../core/audit.ts";
import type { Command } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import { events, tell } from "../../core/events.ts";
import { tellsNothing } from "../../core/event.ts";
import { createFadeDriver } from "../../core/fades/fade-driver.ts";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { refreshGeneral } from "../../core/general.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { pressList } from "../../core/lists/pressextlist.ts";
import { closeConnection, registerList } from "../../core/lists/registerextlist.ts";
import { setList } from "../../core/lists/setextlist.ts";
import { AUDIT_CHANGES, AUDIT_CHARACTERS } from "../../core/limits.ts";
import { updatePicture } from "../../core/pictures/resource.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { set } from "../../core/tree/set.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { login } from "../../core/users/login.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import type { Actor } from "../../core/users/user.ts";
import { heldStore, refusing, stillClock, testConsole, tokens } from "../service.ts";
import { passingTime } from "../timers.ts";
import { actor } from "./actors.ts";

const FADER = "/audio/mixers/0/faders/0";
const from = "192.0.2.7";

/** A console with an audit trail, and a caller with a login and an address. */
async function audited(options: Parameters<typeof testConsole>[0] = {}) {
  const entries: AuditEntry[] = [];
  const console = await testConsole({ ...options, audit: (entry) => entries.push(entry) });
  const anna: Actor = { ...actor(console, "admin"), connection: 1, address: from, call: "test" };
  const ask = (command: Command<unknown>) => console.dispatch(command, anna);
  return { console, entries, anna, ask, taken: () => entries.splice(0) };
}

/** The changes of the one entry that came. */
function changesOf(entries: readonly AuditEntry[]) {
  assertEquals(entries.length, 1);
  return entries[0]!.changes;
}

Deno.test("a change says who, from where, by which call, and the values before and after", async () => {
  const { ask, taken } = await audited();
  await ask(set(`${FADER}/fader`, -12));
  assertEquals(taken(), [{
    user: "admin",
    from,
    what: "test",
    changes: [{ path: `${FADER}/fader`, before: -160, after: -12 }],
  }]);
  await ask(set(FADER, { fader: -20, on: true }));
  assertEquals(changesOf(taken()), [
    { path: `${FADER}/fader`, before: -12, after: -20 },
    { path: `${FADER}/on`, before: false, after: true },
  ]);
});

Deno.test("an entry without a login has no name, and one without an address is from the command line", async () => {
  const { console, taken } = await audited();
  await console.dispatch(set(`${FADER}/on`, true), { call: "user add" });
  const [entry] = taken();
  const expected = { user: undefined, from: "command line", what: "user add" };
  assertEquals({ ...entry, changes: undefined }, { ...expected, changes: undefined });
});

Deno.test("commands without a change, and changes by the console itself, have no entry", async () => {
  const { console, ask, taken } = await audited();
  await ask(set(`${FADER}/fader`, -160));
  await console.dispatch(set(`${FADER}/on`, true), {});
  await console.dispatch(refreshGeneral(), {});
  assertEquals(taken(), []);
});

Deno.test("a change has an entry once it is in force; a change that could not be stored has none", async () => {
  const store = heldStore();
  const { ask, taken } = await audited({ store, configuration: refusing });
  store.hold();
  const first = ask(set(`${FADER}/on`, true));
  assertEquals(taken(), []);
  store.store();
  await first;
  assertEquals(taken().length, 1);
  const second = ask(set(`${FADER}/on`, false));
  store.fail("no space left");
  assert(isRefusal(await second));
  assertEquals(taken(), []);
});

Deno.test("a fade has an entry for its start, with target and time, and for a set that ends it, but not for its steps and its end", async () => {
  const { timer, pass } = passingTime();
  const { console, ask, taken } = await audited();
  const fadeDriver = createFadeDriver(console, timer);
  await ask(fadeToValue({ mixer: 0, fader: 0, seconds: 2, value: -10 }));
  pass(3000);
  const path = `${FADER}/fader`;
  assertEquals(changesOf(taken()), [{ path, before: -160, after: { value: -10, seconds: 2 } }]);
  await ask(fadeToValue({ mixer: 0, fader: 0, seconds: 2, value: 0 }));
  taken();
  await ask(set(path, -10));
  assertEquals(changesOf(taken()), [{ path, before: -10, after: -10 }]);
  await fadeDriver.stop();
});

Deno.test("the entry of a change of many values has the first values and the number of further ones", async () => {
  const { ask, taken } = await audited({ configuration: { mixers: [{ faders: 64 }] } });
  const faders = Array.from({ length: 64 }, (_, id) => [id, { on: true }]);
  await ask(set("/audio/mixers/0/faders", Object.fromEntries(faders)));
  const [{ changes, more }] = taken() as [AuditEntry];
  assertEquals([changes?.length, more], [AUDIT_CHANGES, 64 - AUDIT_CHANGES]);
});

Deno.test("the entry of a snapshot has everything but its content, and that of a load the changed values", async () => {
  const { console, ask, taken } = await audited({ clock: stillClock() });
  const rights = { writegroups: 1, readgroups: 0 };
  await ask(saveSnapshot({ ...rights, type: 1, mixer: 0, fader: 0, id: "", name: "Anna" }));
  const [saved] = changesOf(taken())!;
  const { id, number, content } = [...console.state.snapshots.values()].at(-1)!;
  const characters = content.length;
  const told = { number, name: "Anna", type: 1, ...rights, factory: false, characters };
  assertEquals(saved, { path: `/snapshots/${id}`, before: undefined, after: told });
  await ask(set(`${FADER}/fader`, -3));
  taken();
  await ask(loadSnapshot({ id, fader: 0 }));
  assertEquals(changesOf(taken())?.at(0), { path: `${FADER}/fader`, before: -3, after: -160 });
  await ask(modifySnapshot({ id, name: "Bert" }));
  const [modified] = changesOf(taken())!;
  const renamed = { ...told, name: "Bert" };
  assertEquals(modified, { path: `/snapshots/${id}`, before: told, after: renamed });
  await ask(removeSnapshot(id));
  const [removed] = changesOf(taken())!;
  assertEquals(removed, { path: `/snapshots/${id}`, before: modified!.after, after: undefined });
});

Deno.test("the entry of a user has everything but the token, and says if the token is new", async () => {
  const { ask, taken } = await audited({ clock: stillClock() });
  await ask(addUser({ name: "carl", groups: 3, admin: false }));
  const created = "1970-01-01T00:00:00.000Z";
  const is = { groups: 3, admin: false, engine: false, may: "operate", created };
  const path = "/users/carl";
  assertEquals(changesOf(taken()), [{ path, before: undefined, after: is }]);
  await ask(modifyUser({ name: "carl", newtoken: true }));
  assertEquals(changesOf(taken()), [{ path, before: is, after: { ...is, newtoken: true } }]);
  await ask(removeUser("carl"));
  assertEquals(changesOf(taken()), [{ path, before: is, after: undefined }]);
});

Deno.test("the entry of a picture has the old and the new size, that of a login the user of the mixer", async () => {
  const { ask, taken } = await audited();
  await ask(updatePicture(1, { bytes: new Uint8Array(70) }));
  await ask(updatePicture(1, { bytes: new Uint8Array(90) }));
  await ask(login(0));
  assertEquals(taken().map(({ changes }) => changes), [
    [{ path: "/pictures/1", before: undefined, after: { bytes: 70 } }],
    [{ path: "/pictures/1", before: { bytes: 70 }, after: { bytes: 90 } }],
    [{ path: "/audio/mixers/0/_user", before: "", after: "admin" }],
  ]);
});

Deno.test("entries about a list name the user who fills it, presses a button, or releases one by closing the connection", async () => {
  const { ask, taken } = await audited();
  const list = "/control/extlists/1";
  await ask(registerList(1));
  const begun = { path: `${list}/_exists`, before: false, after: true };
  assertEquals(changesOf(taken())?.at(0), begun);
  await ask(setList({ list: 1, entries: [{ label: "One" }, { label: "Two" }] }));
  assertEquals(changesOf(taken()), [
    { path: `${list}/_entries`, before: "0 items", after: "2 items" },
  ]);
  await ask(pressList({ list: 1, entry: 1, on: 1 }));
  assertEquals(changesOf(taken()), [
    { path: `${list}/_entries/1/_on`, before: false, after: true },
  ]);
  await ask(closeConnection(1));
  assertEquals(changesOf(taken())?.at(0), { path: `${list}/_exists`, before: true, after: false });
});

Deno.test("the entry of a refused attempt has the reason and the target; a UUID in it is not masked", async () => {
  const { console, anna, taken } = await audited();
  const target = { id: crypto.randomUUID() };
  console.tellRefused(anna, refuse("noSuchObject", "no such path: /nowhere"), target);
  const refused = { code: 6, message: "no such path: /nowhere" } as const;
  assertEquals(taken(), [{ user: "admin", from, what: "test", target, refused }]);
});

Deno.test("an entry is small, whatever a client sends", async () => {
  const { console, anna, taken } = await audited();
  const long = "x".repeat(1_000_000);
  const members = Array.from({ length: 10_000 }, (_, at) => [`${at}${long.slice(0, 999)}`, long]);
  const targets = [long, Object.fromEntries(members), { deep: { [long]: long } }, [long], null];
  for (const target of targets) {
    const by = { ...anna, address: long };
    console.tellRefused(by, refuse("noSuchObject", `no such path: ${long}`), target);
  }
  for (const entry of taken()) assert(JSON.stringify(entry).length < 40 * AUDIT_CHARACTERS);
});

/** Events without an entry: they prepare, follow or end a change that another event tells of. */
const SILENT = [
  "commanddone",
  "configurationwritten",
  "snapshotstaged",
  "restoregivenup",
  "valueskept",
  "fadeended",
  "listchanged",
  "listnotified",
  "tokenused",
];

Deno.test("every event has an entry, except events that no caller caused", () => {
  const silent = [...events].filter(([, { tell }]) => tell === tellsNothing).map(([type]) => type);
  assertEquals(silent.toSorted(), SILENT.toSorted());
});

Deno.test("the entry of a restore names what it replaces, and has no content of the documents", async () => {
  const { console } = await audited();
  const told: unknown[][] = [];
  const added = { engine: false, may: "configure", created: "2026-10-02T07:30:00.005Z" } as const;
  const user = { name: "anna", groups: 1, admin: true, ...added, tokenHash: "ab".repeat(32) };
  tell(console.state, {
    type: "restored",
    settings: { SNMP: { community: "a secret" } },
    tls: { certificate: "public", key: "private" },
    users: [user, ...console.state.users.values()],
  }, (...noted) => told.push(noted));
  assertEquals(told, [
    ["/settings/SNMP", undefined, "a document"],
    ["/tls", undefined, "a certificate"],
    ["/users/anna", undefined, { groups: 1, admin: true, ...added }],
  ]);
});

/** Any parameters that a client may send, with tokens where they do not belong. */
const secret = fc.constantFrom(...Object.values(tokens), "AB".repeat(16), "0f".repeat(32));
const around = fc.string({ maxLength: 20 }).filter((text) => !/[0-9a-f-]$/i.test(text));
const text = fc.tuple(around, secret).map(([before, token]) => `${before}${token}`);
const command: fc.Arbitrary<Command<unknown>> = fc.oneof(
  text.map((label) => setChannelLabel(1, label)),
  text.map((path) => set(`/${path}`, 1)),
  text.map((value) => set("/control/labels/1/label", value)),
  fc.tuple(fc.constantFrom("a", "b"), secret).map(([name, token]) =>
    addUser({ name, groups: 1, admin: false, token })
  ),
  secret.map((name) => addUser({ name, groups: 1, admin: false })),
  fc.constantFrom("a", "b").map((name) => modifyUser({ name, newtoken: true })),
  fc.constantFrom("a", "b").map(removeUser),
  text.map((name) =>
    saveSnapshot({ type: 1, fader: 0, id: "", name, writegroups: 1, readgroups: 0 })
  ),
  text.map((id) => loadSnapshot({ id })),
);

function hashesOf({ state }: Console): string[] {
  return [...state.users.values()].map(({ tokenHash }) => tokenHash);
}

Deno.test("no token and no hash is in any entry, wherever a client put one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 12 }), text, async (commands, target) => {
      const { console, anna, ask, entries } = await audited();
      const secrets = new Set<string>(Object.values(tokens));
      for (const one of commands) {
        const outcome = await ask(one);
        for (const hash of hashesOf(console)) secrets.add(hash);
        if (isRefusal(outcome)) {
          console.tellRefused(anna, outcome, { token: target, [target]: target });
        } else {
          const { token } = outcome.result as { token?: string };
          if (token !== undefined) secrets.add(token);
        }
      }
      const told = JSON.stringify(entries).toLowerCase();
      for (const one of secrets) assert(!told.includes(one.toLowerCase()), one);
    }),
    { numRuns: 100 },
  );
});
