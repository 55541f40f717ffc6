/** The effects of a restore on a console; `restart.test.ts` has the state after a restart. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { noDevice } from "../../../core/backup/device.ts";
import { closesConnections } from "../../../core/backup/restored.ts";
import { type Tag, tagsFor } from "../../../core/backup/tags.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import type { Console } from "../../../core/console.ts";
import { claimPaths, endClaim } from "../../../core/engines/claim.ts";
import { isRefusal, type Refusal } from "../../../core/errors.ts";
import { faderKey } from "../../../core/fades/unsynced.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { createFadeDriver } from "../../../core/fades/fade-driver.ts";
import { setGlobalLabel } from "../../../core/labels/setgloballabel.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import type { CooperativeScheduler } from "../../../core/ports.ts";
import { findSnapshot } from "../../../core/snapshots/find.ts";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { listSnapshots } from "../../../core/snapshots/getsnapshotlist.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { setSnapshot, verifySnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { contentOf, type SnapshotType } from "../../../core/snapshots/snapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { login } from "../../../core/users/login.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import { DEVICE, type User } from "../../../core/users/user.ts";
import { simulatedTime } from "../../fade/simulated_time.ts";
import { demoWith, result, testConsole, tokens, until } from "../../service.ts";
import { actor, granted, refusal, resultOf, valueAt } from "../actors.ts";
import { recordingStore, stagedStore } from "../stores.ts";
import { documentOf, filesIn, gunzip, gzip, packed, restoredFrom, tarOf } from "./archives.ts";

const EXTRA = "99999999-00000000-00000000-00000009";

const small = demoWith({ mixers: [{ id: 0, name: "Only", faders: 3 }], factorySnapshots: [] });

const backupOf = ({ state }: Console, ...tags: Tag[]) => packed(state, tags);

const restored = async (...restoring: Parameters<typeof restoredFrom>) =>
  granted(await restoredFrom(...restoring));

function names({ state }: Console, type: SnapshotType): string[] {
  return granted(listSnapshots(state, type)).map(({ name }) => name);
}

/** Saves fader, mixer or flex processing 0 as a snapshot. */
function save(console: Console, type: SnapshotType, name: string, id = "", mixer = 0) {
  const groups = { writegroups: 1, readgroups: 3 };
  const saved = saveSnapshot({ type, id, mixer, fader: 0, fp: 0, name, ...groups });
  return resultOf(console, saved, actor(console, "admin"));
}

Deno.test("all snapshots of a restored type are replaced: those that the archive lacks are gone, other types are untouched", async () => {
  const console = await testConsole();
  await save(console, 2, "Morning");
  await save(console, 1, "Voice");
  const archive = await backupOf(console, "MXSNAPS", "CHSNAPS");
  await save(console, 2, "Noon");
  await save(console, 1, "Phone");
  await save(console, 3, "Loud");
  await restored(console, archive, "MXSNAPS");
  assertEquals(names(console, 2), ["default", "All closed", "Morning"]);
  assertEquals(names(console, 1), ["Speech", "Voice", "Phone"]);
  assertEquals(names(console, 3), ["Transparent", "Loud"]);
  await restored(console, archive, "CHSNAPS");
  assertEquals(names(console, 1), ["Speech", "Voice"]);
  assertEquals(names(console, 3), ["Transparent"]);
});

Deno.test("restored snapshots keep their UUID, number, groups and order", async () => {
  const console = await testConsole();
  for (const name of ["C", "A", "B"]) await save(console, 2, name);
  const archive = await backupOf(console, "MXSNAPS");
  const before = [...console.state.snapshots.values()];
  for (const { id } of before) {
    await console.dispatch(removeSnapshot(id), actor(console, "admin"));
  }
  assertEquals(names(console, 2), ["default", "All closed"]);
  await restored(console, archive, "MXSNAPS");
  assertEquals([...console.state.snapshots.values()], before);
});

Deno.test("snapshot zero of each mixer is restored; if it was never saved, it is the configured default", async () => {
  const console = await testConsole();
  await result(console, set("/audio/mixers/0/faders/0/fader", -7));
  await save(console, 2, "", "default");
  const archive = await backupOf(console, "SNAPZERO");
  await result(console, set("/audio/mixers/0/faders/0/fader", -30));
  for (const mixer of [0, 1]) await save(console, 2, "", "default", mixer);
  await restored(console, archive, "SNAPZERO");
  await result(console, loadSnapshot({ id: "default" }));
  assertEquals(valueAt(console, "/audio/mixers/0/faders/0/fader"), -7);
  const zero = [...console.state.snapshots.keys()].filter((key) => key.startsWith("default"));
  assertEquals(zero, ["default/0"]);
});

Deno.test("restored users replace all users; a user who is gone is logged out everywhere", async () => {
  const console = await testConsole();
  const archive = await backupOf(console, "USERS");
  await result(console, addUser({ name: "extra", groups: 1, admin: false, token: EXTRA }));
  await result(console, removeUser("two"));
  for (const mixer of [0, 1]) await console.dispatch(login(mixer), actor(console, "extra"));
  await restored(console, archive, "USERS");
  assertEquals([...console.state.users.keys()].sort(), ["admin", "none", "one", "two"]);
  for (const mixer of [0, 1]) assertEquals(valueAt(console, `/audio/mixers/${mixer}/_user`), "");
  assertEquals(refusal(console.userOf(EXTRA)).code, 4);
  assertEquals(granted(console.userOf(tokens.two)).name, "two");
});

Deno.test("users whose tokens expire at the end of 9999 are restored, with USERS and with ALL", async () => {
  const console = await testConsole();
  const guest = { name: "guest", groups: 1, admin: false, expires: "9999-12-31" };
  await result(console, addUser(guest));
  const { users, configuration } = console.state;
  for (const [asked, tags] of [["USERS", ["USERS"]], ["ALL", tagsFor(configuration, "ALL")]]) {
    const archive = await backupOf(console, ...tags as Tag[]);
    await restored(console, archive, asked as string);
    assertEquals(console.state.users, users);
  }
});

Deno.test("a user who may not log in on a mixer in the restored users is logged out everywhere", async () => {
  const console = await testConsole();
  await result(console, modifyUser({ name: "one", may: "view" }));
  const archive = await backupOf(console, "USERS");
  await result(console, modifyUser({ name: "one", may: "operate" }));
  await resultOf(console, login(0), actor(console, "one"));
  await resultOf(console, login(1), actor(console, "two"));
  await restored(console, archive, "USERS");
  const users = [0, 1].map((mixer) => valueAt(console, `/audio/mixers/${mixer}/_user`));
  assertEquals(users, ["", "two"]);
});

for (
  const [tag, closes] of [
    ["USERS", true],
    ["FWCONFIG", true],
    ["MXSNAPS", false],
    ["NETWORK", false],
  ] as const
) {
  Deno.test(`a restore of ${tag} ${closes ? "closes" : "does not close"} the connections`, async () => {
    const source = await testConsole({ configuration: small });
    const console = await testConsole();
    await result(console, set("/audio/mixers/0/faders/0/fader", -7));
    const archive = await backupOf(tag === "FWCONFIG" ? source : console, tag);
    const closing: boolean[] = [];
    console.watch((event) => {
      if (event.type === "restored") closing.push(closesConnections(event));
    });
    await restored(console, archive, tag);
    assertEquals(closing, [closes]);
  });
}

Deno.test("the device name of NETWORK is the name of the device, at once", async () => {
  const console = await testConsole();
  await result(console, set("/audio/mixers/0/faders/1/fader", -11));
  const deviceName = "Studio_1.b-2";
  const before = console.state.configuration.written;
  const archive = await documentOf("network.json", { deviceName });
  const { reconfigured } = await restored(console, archive, "NETWORK");
  assertEquals(reconfigured, true);
  assertEquals(valueAt(console, "/general/_name"), deviceName);
  assertEquals(valueAt(console, "/audio/mixers/0/faders/1/fader"), -11);
  const { written } = console.state.configuration;
  assertEquals(written, { ...before, device: { ...before.device, name: deviceName } });
  const files = filesIn(await gunzip(await backupOf(console, "NETWORK")));
  const json = (name: string) => JSON.parse(new TextDecoder().decode(files.get(name)));
  assertEquals([json("manifest.json").device, json("network.json")], [deviceName, { deviceName }]);
});

Deno.test("a backup of NETWORK carries the name of a console that was never given one by NETWORK", async () => {
  const device = { name: "on.air_1", serial: "other" };
  const source = await testConsole({ configuration: demoWith({ device }) });
  const console = await testConsole();
  await restored(console, await backupOf(source, "NETWORK"), "NETWORK");
  assertEquals(valueAt(console, "/general/_name"), "on.air_1");
  assertEquals(valueAt(console, "/general/_hardwareserial"), "DEMO-0001");
});

Deno.test("NETWORK without a name, or with the present one, leaves the configuration as it is", async () => {
  const console = await testConsole();
  const { configuration } = console.state;
  for (const document of [{}, { dns: ["10.0.0.1"] }, { deviceName: "demo" }]) {
    const archive = await documentOf("network.json", document);
    const { reconfigured } = await restored(console, archive, "NETWORK");
    assertEquals([reconfigured, console.state.configuration === configuration], [false, true]);
  }
});

Deno.test("a configuration with fifteen factory snapshots of a mixer of 96 faders is restored from its backup", async () => {
  const mixers = [{ id: 0, faders: 96 }];
  const plain = await testConsole({ configuration: demoWith({ mixers, factorySnapshots: [] }) });
  const content = JSON.parse(granted(findSnapshot(plain.state, "default", 0)).content);
  const factorySnapshots = Array.from({ length: 15 }, (_, at) => ({
    id: `0f0c0002-0000-4000-8000-${String(at).padStart(12, "0")}`,
    type: 2 as const,
    name: `Factory ${at}`,
    readgroups: 0,
    writegroups: 255,
    mixer: 0,
    content,
  }));
  const configuration = demoWith({ mixers, factorySnapshots });
  const archive = await backupOf(await testConsole({ configuration }), "FWCONFIG");
  await restored(plain, archive, "FWCONFIG");
  assertEquals(plain.state.configuration.factorySnapshots.length, 15);
});

Deno.test("FWCONFIG and NETWORK restored together are one change", async () => {
  const device = { name: "source" };
  const source = await testConsole({ configuration: { ...small, device } });
  const store = recordingStore();
  const console = await testConsole({ store });
  const told: unknown[] = [];
  const before = store.records.length;
  console.watch((_, { configuration: { device, mixers } }) => {
    told.push([device.name, mixers[0]!.name]);
  });
  const archive = await backupOf(source, "FWCONFIG", "NETWORK");
  const { reconfigured } = await restored(console, archive, "FWCONFIG,NETWORK");
  assertEquals([store.records.length - before, told[0], reconfigured], [
    1,
    ["source", "Only"],
    true,
  ]);
  const { device: inForce } = console.state.configuration;
  assertEquals(inForce, { ...inForce, ...demoWith({}).device, name: "source" });
});

for (const name of ["tls.pem", "./tls.pem"]) {
  Deno.test(`TLS is restored from a tar whose only file is ${name}`, async () => {
    const console = await testConsole();
    const [certificate, key] = ["CERTIFICATE", "PRIVATE KEY"]
      .map((label) => `-----BEGIN ${label}-----\nAA==\n-----END ${label}-----\n`);
    const archive = await gzip(tarOf([{ name, content: `${certificate}${key}` }]));
    await restored(console, archive, "TLS");
    assertEquals(console.state.tls, { certificate: certificate!, key: key! });
    const device = { ...noDevice, checkCertificate: () => Promise.resolve("it has expired") };
    const { message } = refusal(await restoredFrom(console, archive, "TLS", { device }));
    assertEquals(message, "file: tls.pem: it has expired");
  });
}

Deno.test("a restored configuration is in force at once; the live state of resources that it lacks is gone", async () => {
  const source = await testConsole({ configuration: small });
  const console = await testConsole();
  await result(console, set("/audio/mixers/0/faders/1/fader", -11));
  await result(console, set("/audio/mixers/0/faders/2/label", "Anna"));
  await result(console, setGlobalLabel(2, "Jazz"));
  await console.dispatch(login(0), actor(console, "one"));
  await restored(console, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  for (
    const [path, value] of Object.entries({
      "/audio/mixers/0/_name": "Only",
      "/audio/mixers/0/faders/1/fader": -11,
      "/audio/mixers/0/faders/2/label": "Anna",
      "/audio/mixers/0/sourcelist/2/_label": "Anna",
      "/audio/mixers/0/faders/0/label": "Fader 1",
      "/audio/mixers/0/_user": "one",
      "/control/labels/2/label": "Jazz",
    })
  ) assertEquals(valueAt(console, path), value, path);
  const { audio } = console.state.tree as { audio: { mixers: Record<string, { faders: object }> } };
  assertEquals(Object.keys(audio.mixers), ["0"]);
  assertEquals(Object.keys(audio.mixers[0]!.faders), ["0", "1", "2"]);
  assertEquals(names(console, 2), ["default"]);
});

Deno.test("a lost engine is forgotten when a restored configuration lacks the mixers or faders that it claimed", async () => {
  const source = await testConsole({ configuration: small });
  const console = await testConsole();
  await result(console, addUser({ name: "dsp", groups: 0, admin: false, engine: true }));
  const { user } = actor(console, "dsp");
  const lose = async (...path: string[]) => {
    const engine = { user, connection: 1, asEngine: true } as const;
    await resultOf(console, claimPaths(user!, [["audio", "mixers", ...path]]), engine);
    await resultOf(console, endClaim(1), engine);
    assertEquals(valueAt(console, "/general/_engine"), "lost");
  };
  const archive = await backupOf(source, "FWCONFIG");
  for (const gone of [["1"], ["0", "faders", "3"]]) await lose(...gone);
  await restored(console, archive, "FWCONFIG");
  assertEquals(valueAt(console, "/general/_engine"), "none");
  await lose("0");
  await restored(console, archive, "FWCONFIG");
  assertEquals(valueAt(console, "/general/_engine"), "lost", "what is there still is lost");
});

const foreign: WrittenConfiguration = {
  device: { name: "foreign", serial: "FOREIGN", kind: "aes67", firmware: "9.0.0" },
  licenses: [],
  hosts: ["foreign.example"],
  auth: "required",
  anonymous: "none",
  siteKey: "the key of another site",
  engine: "none",
  hooks: { applied: "/bin/false" },
  audit: false,
  metrics: true,
  advertise: true,
  ember: { listen: "127.0.0.1:9000" },
  storage: { onFault: "refuse" },
};
const own: WrittenConfiguration = {
  hosts: ["console.example"],
  auth: "required",
  anonymous: "view",
  siteKey: "0123456789abcdef",
  hooks: { applied: "/bin/true" },
  audit: true,
  storage: { onFault: "play" },
};
for (const [what, stated] of Object.entries({ "states all": own, "states none": {} })) {
  Deno.test(`a restore leaves a console its own parts of the configuration, where its file ${what}`, async () => {
    const { device, licenses, engine, ...parts } = demoWith(stated);
    const who = stated === own ? { device: device!, licenses: licenses!, engine: engine! } : {};
    const source = await testConsole({ configuration: { ...small, ...foreign } });
    const console = await testConsole({ configuration: { ...parts, ...who } });
    const identity = () =>
      ["_name", "_hardwareserial", "_firmware_version"]
        .map((name) => valueAt(console, `/general/${name}`));
    const before = identity();
    await restored(console, await backupOf(source, "FWCONFIG"), "FWCONFIG");
    const { device: _, licenses: __, engine: ___, ...restoredParts } = small;
    assertEquals(console.state.configuration.written, { ...restoredParts, ...who, ...stated });
    assertEquals(identity(), before);
  });
}

for (const [part, value] of Object.entries(foreign)) {
  Deno.test(`an archive whose configuration has ${part}, a part that each console keeps, is refused`, async () => {
    const console = await testConsole();
    const archive = await documentOf("fwconfig.json", { [part]: value });
    const { message } = refusal(await restoredFrom(console, archive, "FWCONFIG"));
    assertEquals(message, `file: fwconfig.json: ${part} may not be part of a backup`);
  });
}

Deno.test("a fade goes on where the restored configuration has its fader, and ends where it does not", async () => {
  const source = await testConsole({ configuration: small });
  const { clock: { monotonic }, timer, runTo } = simulatedTime();
  const console = await testConsole({ clock: { now: monotonic, monotonic } });
  createFadeDriver(console, timer);
  for (const fader of [0, 7]) {
    await result(console, fadeToValue({ mixer: 0, fader, seconds: 0.4, value: -20 }));
  }
  runTo(200);
  await restored(console, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  assertEquals([...console.state.unsynced], [[faderKey({ mixer: 0, fader: 0 }), true]]);
  runTo(400);
  assertEquals(valueAt(console, "/audio/mixers/0/faders/0/fader"), -20);
});

for (const isStored of [true, false]) {
  Deno.test(`no part of a restore is in force before all of it is ${isStored ? "stored" : "refused"}`, async () => {
    const store = stagedStore();
    const console = await testConsole({ store });
    await save(console, 2, "Morning");
    const archive = await backupOf(console, "MXSNAPS", "USERS", "FWCONFIG", "LOG");
    await save(console, 2, "Noon");
    const inForce = () => ({ ...console.state, staged: undefined });
    const before = inForce();
    store.hold();
    const restoring = restoredFrom(console, archive, "MXSNAPS,USERS,FWCONFIG,LOG");
    await until(() => store.waiting === 1);
    assertEquals(inForce(), before, "the snapshot is on its way");
    await store.land();
    await until(() => store.waiting === 1);
    assertEquals(inForce(), before, "the restore is on its way");
    if (!isStored) await store.fail("the disk is full");
    await store.release();
    const outcome = await restoring;
    assertEquals(isRefusal(outcome) && outcome.message, isStored ? false : "the disk is full");
    const noon = isStored ? [] : ["Noon"];
    assertEquals(names(console, 2), ["default", "All closed", "Morning", ...noon]);
    assertEquals(console.state.staged.size, 0);
  });
}

Deno.test("a restore that a full medium refuses leaves no staged snapshots", async () => {
  let room = Infinity;
  const store = {
    append: () => room-- > 0 ? Promise.resolve() : Promise.reject(new Error("the disk is full")),
  };
  const console = await testConsole({ store });
  for (const name of ["Morning", "Noon", "Evening"]) await save(console, 2, name);
  const archive = await backupOf(console, "MXSNAPS");
  const { snapshots } = console.state;
  const seen: number[] = [];
  console.watch((_, { staged }) => seen.push(staged.size));
  room = 1;
  const { message } = refusal(await restoredFrom(console, archive, "MXSNAPS"));
  assertEquals(message, "the disk is full");
  assertEquals([Math.max(...seen), console.state.staged.size], [1, 0]);
  assert(console.state.snapshots === snapshots);
});

Deno.test("an archived snapshot with the UUID of a factory snapshot is refused, and nothing is staged", async () => {
  const source = await testConsole();
  await save(source, 2, "Morning");
  const snapshot = [...source.state.snapshots.values()].at(-1)!;
  const { number: _, factory: __, ...attributes } = snapshot;
  const factory = { ...attributes, content: contentOf(snapshot) };
  const console = await testConsole({
    configuration: demoWith({ factorySnapshots: [factory] as never }),
  });
  const { state } = console;
  const { message } = refusal(
    await restoredFrom(console, await backupOf(source, "MXSNAPS"), "MXSNAPS"),
  );
  assertStringIncludes(message, "is another snapshot here, which stays");
  assert(console.state === state);
});

Deno.test("a console that saved a snapshot with the UUID of a factory snapshot keeps it, and its backup is restored there and on a replacement", async () => {
  const source = await testConsole();
  const { id } = [...source.state.snapshots.values()].find(({ type }) => type === 1)!;
  const data = granted(await getSnapshot(source.state, { id }, DEVICE));
  const console = await testConsole({ configuration: small });
  const brought = granted(await verifySnapshot(console.state, data.snapshotdata, withoutPauses));
  await result(console, setSnapshot(brought));
  await restored(console, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  const archive = await backupOf(console, "FWCONFIG", "MXSNAPS", "CHSNAPS");
  for (const one of [console, source]) {
    await restored(one, archive, "FWCONFIG,MXSNAPS,CHSNAPS");
    assertEquals(one.state.snapshots.get(id)?.factory, false);
  }
});

const lockOuts: Readonly<Record<string, (user: User) => User | undefined>> = {
  "no user": () => undefined,
  "no admin": (user) => user.admin ? undefined : user,
  "only an admin whose token has expired": (user) => ({
    ...user,
    expires: "1969-01-01T00:00:00.000Z",
  }),
};
for (const [who, leaves] of Object.entries(lockOuts)) {
  Deno.test(`a user database with ${who} is refused: nobody could restore again`, async () => {
    const console = await testConsole();
    const { state } = console;
    const left = [...state.users.values()].map(leaves).filter((user) => user !== undefined);
    const users = new Map(left.map((user) => [user.name, user]));
    const archive = await packed({ ...state, users }, ["USERS", "LOG"]);
    assertEquals(
      refusal(await restoredFrom(console, archive, "USERS,LOG")).message,
      "file: users.bin has no admin whose token is valid: " +
        "nobody could back up, restore or change users any more",
    );
    assert(console.state === state);
    await restored(console, archive, "LOG");
  });
}

for (const [by, code] of [["nobody", 4], ["one", 5], ["admin", undefined]] as const) {
  Deno.test(`${by} ${code === undefined ? "may" : "may not"} restore`, async () => {
    const console = await testConsole();
    const outcome = await restoredFrom(console, await backupOf(console, "LOG"), "LOG", { by });
    assertEquals((outcome as Partial<Refusal>).code, code);
  });
}

Deno.test("a user who has lost the rights of an admin by the time the archive is read is refused", async () => {
  const turns: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => turns.push(resolve));
  const scheduler: CooperativeScheduler = { ...withoutPauses, pause: turn };
  const console = await testConsole();
  const archive = await backupOf(console, "USERS", "LOG");
  await result(console, modifyUser({ name: "two", admin: true }));
  const restoring = restoredFrom(console, archive, "USERS,LOG", { scheduler });
  await until(() => turns.length > 0);
  await result(console, modifyUser({ name: "admin", admin: false }));
  const { state } = console;
  let isAnswered = false;
  restoring.finally(() => isAnswered = true);
  await until(() => {
    for (const next of turns.splice(0)) next();
    return isAnswered;
  });
  const { message } = refusal(await restoring);
  assertEquals(message, "only an admin may do this, which user admin is not");
  assert(console.state === state);
});

Deno.test("the machine is told of each settings document, and its failures are in the answer", async () => {
  const console = await testConsole();
  const told: unknown[] = [];
  const device = {
    ...noDevice,
    settled: () => Promise.resolve("the file is read-only"),
    applied(tag: string, document: object) {
      told.push([tag, document]);
      return Promise.resolve(tag === "LOG" ? "it ended with code 1" : undefined);
    },
  };
  const archive = await backupOf(console, "NETWORK", "LOG", "TLS");
  const outcome = await restored(console, archive, "TLS,LOG,NETWORK", { device });
  const documents = [...console.state.settings];
  assertEquals(told, documents);
  assertEquals(documents.map(([tag]) => tag), ["NETWORK", "LOG"]);
  assertEquals(outcome, {
    tags: ["NETWORK", "TLS", "LOG"],
    reconfigured: false,
    unwritten: undefined,
    untold: ["LOG: it ended with code 1"],
  });
  const renamed = await documentOf("network.json", { deviceName: "studio" });
  const { unwritten } = await restored(console, renamed, "NETWORK", { device });
  assertEquals(unwritten, "the file is read-only");
});
