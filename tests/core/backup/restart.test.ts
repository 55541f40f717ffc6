import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { assertEquals } from "@std/assert";
import { withoutOwnParts } from "../../../core/backup/own-parts.ts";
import { applyBackup } from "../../../core/backup/restore-backup.ts";
import { type Tag, tagNames } from "../../../core/backup/tags.ts";
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { type Console, createConsole } from "../../../core/console.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import type { State } from "../../../core/state.ts";
import { set } from "../../../core/tree/set.ts";
import { find, parsePath } from "../../../core/tree/tree.ts";
import { login } from "../../../core/users/login.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { forgetful, testConsole, unlimitedWith } from "../../service.ts";
import { actor, granted, resultOf, stillPorts } from "../actors.ts";
import { checkpointOf, recordingStore, replayed } from "../stores.ts";
import { packed, read } from "./archives.ts";

const first: WrittenConfiguration = unlimitedWith({
  pots: [{ id: 1, min: -50, max: 0, value: -3 }],
});
/** The parts of a configuration that no restore changes. */
const { device, licenses, engine } = first;
const own = { device: device!, licenses: licenses!, engine: engine! };
const second: WrittenConfiguration = {
  ...own,
  mixers: [{ name: "Second", faders: 4 }],
  pots: [{ id: 1, min: -20, max: 0, value: -5 }],
};
const third: WrittenConfiguration = { ...own, mixers: [{ name: "Third", faders: 4 }] };

/** Starts a console with a configuration file and the records of an earlier run. */
function started(file: WrittenConfiguration, records: Iterable<Uint8Array>): Console {
  const { configuration } = readConfiguration(file) as { configuration: State["configuration"] };
  return createConsole({
    ...stillPorts,
    store: forgetful,
    state: replayed(configuration, records),
  });
}

/** Starts a console with the first configuration and restores a backup of the second. */
async function reconfigured() {
  const store = recordingStore();
  const console = await testConsole({ configuration: first, store });
  const source = await testConsole({ configuration: second });
  await resultOf(source, addUser({ name: "new", groups: 1, admin: false, token: OTHER }));
  await resultOf(console, set("/audio/mixers/0/faders/3/fader", -9));
  await resultOf(console, set("/audio/mixers/0/faders/7/fader", -9));
  await resultOf(console, set("/audio/pots/1/value", -40));
  await console.dispatch(login(0), { user: console.state.users.get("admin") });
  const before = store.records.length;
  await restoreOf(console, source.state);
  return { console, store, before };
}
const OTHER = "99999999-00000000-00000000-00000009";

/** Restores some or all tags of a backup of a state. */
async function restoreOf(console: Console, state: State, tags: readonly Tag[] = tagNames) {
  const contents = granted(await read(await packed(state, tags), tags));
  granted(await applyBackup(console, contents, DEVICE, withoutPauses));
}

/** Saves fader 0, or another, as a channel snapshot. */
function saveChannel(console: Console, fader = 0) {
  const groups = { writegroups: 1, readgroups: 0 };
  const saved = saveSnapshot({ type: 1, id: "", mixer: 0, fader, ...groups });
  return resultOf(console, saved, actor(console, "admin"));
}

const at = ({ state }: Console, path: string) => find(state.tree, parsePath(path));

/** The durable part of the state, which a restart has to find again. */
function kept({ state }: Console): unknown {
  const { configuration, snapshots, users, settings, tls, tree } = state;
  const values = JSON.parse(JSON.stringify(tree.audio).replace(/"_user":"[^"]*"/g, '"_user":""'));
  return { written: configuration.written, snapshots, users, settings, tls, values };
}

Deno.test("a power cut after any record but the last of a restore with snapshots leaves nothing of the restore", async () => {
  const store = recordingStore();
  const console = await testConsole({ configuration: first, store });
  const source = await testConsole({ configuration: second });
  for (const fader of [0, 1, 2]) await saveChannel(source, fader);
  const before = kept(console);
  const records = store.records.length;
  await restoreOf(console, source.state);
  assertEquals(store.records.length, records + 4);
  for (let cut = records; cut < store.records.length; cut++) {
    const again = started(first, store.records.slice(0, cut));
    assertEquals(kept(again), before, `${cut - records} records of the restore`);
    assertEquals(again.state.staged.size, 0);
  }
  assertEquals(kept(started(second, store.records)), kept(console));
  assertEquals(kept(started(second, checkpointOf(console.state))), kept(console));
});

Deno.test("a checkpoint in the middle of a restore keeps the staged snapshots", async () => {
  const store = recordingStore();
  const console = await testConsole({ configuration: first, store });
  await saveChannel(console);
  const tags = ["CHSNAPS"] as const;
  const contents = granted(await read(await packed(console.state, tags), tags));
  const id = [...console.state.snapshots.keys()].at(-1)!;
  await resultOf(console, removeSnapshot(id), actor(console, "admin"));
  let records: Uint8Array[] = [];
  granted(
    await applyBackup(console, contents, DEVICE, {
      ...withoutPauses,
      async pause() {
        await Promise.resolve();
        records = checkpointOf(console.state);
      },
    }),
  );
  const last = store.records.at(-1)!;
  assertEquals(kept(started(first, [...records, last])), kept(console));
});

Deno.test("without the record of the restore nothing is restored; with it everything, even before the file is written", async () => {
  const { console, store, before } = await reconfigured();
  assertEquals(store.records.length, before + 1);
  const without = started(first, store.records.slice(0, before));
  assertEquals(at(without, "/audio/mixers/0/_name"), "On Air");
  assertEquals(without.state.users.has("new"), false);
  assertEquals(kept(started(second, store.records)), kept(console));
  const cutOff = started(first, store.records);
  assertEquals(kept(cutOff), kept(console));
  assertEquals(cutOff.state.replaces?.length, 1, "the file is still to be written");
});

Deno.test("of two restored configurations that could not be written, the last counts, whatever the file holds", async () => {
  const { console, store } = await reconfigured();
  const source = await testConsole({ configuration: third });
  await restoreOf(console, source.state, ["FWCONFIG"]);
  for (const records of [store.records, checkpointOf(console.state)]) {
    for (const file of [first, second, third]) {
      assertEquals(at(started(file, records), "/audio/mixers/0/_name"), "Third");
    }
  }
  await resultOf(console, () => ({ events: [{ type: "configurationwritten" }], result: {} }));
  assertEquals(at(started(first, store.records), "/audio/mixers/0/_name"), "On Air");
  assertEquals(at(started(second, store.records), "/audio/mixers/0/_name"), "Second");
});

Deno.test("once the configuration has been written, the file counts, whatever it holds", async () => {
  const { console, store } = await reconfigured();
  await resultOf(console, () => ({ events: [{ type: "configurationwritten" }], result: {} }));
  assertEquals(at(started(first, store.records), "/audio/mixers/0/_name"), "On Air");
  assertEquals(at(started(second, store.records), "/audio/mixers/0/_name"), "Second");
  assertEquals(started(second, store.records).state.replaces, undefined);
});

Deno.test("after a configuration was reread from its file, the file counts, whatever it holds by then", async () => {
  const store = recordingStore();
  const console = await testConsole({ configuration: first, store });
  const contents = { configuration: withoutOwnParts(second), own, settings: {}, snapshots: {} };
  granted(await applyBackup(console, contents, DEVICE, withoutPauses));
  for (const records of [store.records, checkpointOf(console.state)]) {
    for (const [file, name] of [[first, "On Air"], [second, "Second"], [third, "Third"]] as const) {
      assertEquals(at(started(file, records), "/audio/mixers/0/_name"), name);
    }
  }
});

Deno.test("if the file holds a third configuration, it counts, with the stored values of its resources", async () => {
  const { store } = await reconfigured();
  const again = started(third, store.records);
  assertEquals(at(again, "/audio/mixers/0/_name"), "Third");
  assertEquals(at(again, "/audio/mixers/0/faders/3/fader"), -9);
  assertEquals(at(again, "/audio/pots/1"), undefined);
  assertEquals(again.state.replaces, undefined);
});

Deno.test("live values are clamped to the ranges of the restored configuration; a restart logs users out", async () => {
  const { console, store } = await reconfigured();
  const again = started(second, store.records);
  for (const one of [console, again]) assertEquals(at(one, "/audio/pots/1/value"), -20);
  const users = [console, again].map((one) => at(one, "/audio/mixers/0/_user"));
  assertEquals(users, ["admin", ""]);
});

Deno.test("a restore logs out a user whose name stays but whose token changes", async () => {
  const console = await testConsole({ configuration: first });
  const source = await testConsole({ configuration: first });
  for (const [one, token] of [[console, OTHER], [source, OTHER.replace("9", "8")]] as const) {
    await resultOf(one, addUser({ name: "same", groups: 1, admin: false, token }));
  }
  await console.dispatch(login(0), { user: console.state.users.get("same") });
  await console.dispatch(login(1), { user: console.state.users.get("admin") });
  assertEquals(at(console, "/audio/mixers/0/_user"), "same");
  await restoreOf(console, source.state, ["USERS"]);
  assertEquals(at(console, "/audio/mixers/0/_user"), "");
  assertEquals(at(console, "/audio/mixers/1/_user"), "admin");
});

Deno.test("a checkpoint keeps settings, certificate and a configuration that is still to be written", async () => {
  const store = recordingStore();
  const console = await testConsole({ configuration: first, store });
  const source = await testConsole({ configuration: second });
  const tls = {
    certificate: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",
    key: "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n",
  };
  const tags = ["FWCONFIG", "TLS", "LOG"] as const;
  const withTls = {
    ...source.state,
    tls,
    settings: new Map([["LOG", { level: "debug" }]] as const),
  };
  await restoreOf(console, withTls, tags);
  const records = checkpointOf(console.state);
  const again = started(first, records);
  assertEquals(kept(again), kept(console));
  assertEquals([again.state.tls, again.state.settings], [tls, withTls.settings]);
  assertEquals(again.state.replaces, console.state.replaces);
});
