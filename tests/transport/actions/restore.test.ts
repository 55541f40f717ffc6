import { faderKey } from "../../../core/fades/unsynced.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import type { CooperativeScheduler } from "../../../core/ports.ts";
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { settingsOf } from "../../../core/settings/settings.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { setGlobalLabel } from "../../../core/labels/setgloballabel.ts";
import { addUser, removeUser } from "../../../core/users/adduser.ts";
import { login } from "../../../core/users/login.ts";
import { modifyUser } from "../../../core/users/modifyuser.ts";
import type { User } from "../../../core/users/user.ts";
import { contentOf } from "../../../core/snapshots/snapshot.ts";
import { set } from "../../../core/tree/set.ts";
import { find, parsePath } from "../../../core/tree/tree.ts";
import type { Console } from "../../../core/console.ts";
import type { Tag } from "../../../core/backup/tags.ts";
import { entriesOf, filesIn, gunzip, gzip, packed, tarOf } from "../../core/backup/archives.ts";
import { simulatedTime } from "../../fade/simulated_time.ts";
import {
  act,
  formFile,
  heldStore,
  result,
  startService,
  stillClock,
  type TestService,
  tokens,
  unlimitedWith,
  until,
} from "../../service.ts";

const EXTRA = "99999999-00000000-00000000-00000009";

async function restore(service: TestService, archive: Uint8Array, Tags: string) {
  const parameters = { Tags, Token: tokens.admin, file: formFile(archive, "backup.bin") };
  return (await act(service, "restore", parameters, "multipart")).json;
}

async function restored(service: TestService, archive: Uint8Array, tags: string): Promise<void> {
  const answer = await restore(service, archive, tags);
  assertEquals(answer.Error, undefined);
}

function backupOf(service: TestService, ...tags: Tag[]) {
  return packed(service.console.state, tags);
}

async function names(service: TestService, type: number, mixer = 0): Promise<string[]> {
  const { payload } = await service.rpc("getsnapshotlist", { type, mixer });
  return payload.result.map(({ name }: { name: string }) => name);
}

async function save(service: TestService, params: Record<string, unknown>): Promise<void> {
  const answer = await service.rpc("savesnapshot", { id: "", writegroups: 1, ...params });
  assert(answer.success, JSON.stringify(answer));
}

const at = ({ state }: Console, path: string) => find(state.tree, parsePath(path));

Deno.test("selected snapshots are overwritten: what the archive lacks is gone, the rest is untouched", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await save(service, { type: 2, name: "Morning" });
  await save(service, { type: 1, name: "Voice", fader: 0 });
  const archive = await backupOf(service, "MXSNAPS", "CHSNAPS");
  await save(service, { type: 2, name: "Noon" });
  await save(service, { type: 1, name: "Phone", fader: 1 });
  await save(service, { type: 3, name: "Loud", fp: 0 });
  await restored(service, archive, "MXSNAPS");
  assertEquals(await names(service, 2), ["default", "All closed", "Morning"]);
  assertEquals(await names(service, 1), ["Speech", "Voice", "Phone"]);
  assertEquals(await names(service, 3), ["Transparent", "Loud"]);
  await restored(service, archive, "CHSNAPS");
  assertEquals(await names(service, 1), ["Speech", "Voice"]);
  assertEquals(await names(service, 3), ["Transparent"]);
});

Deno.test("snapshots keep their UUID, number, groups and order", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const name of ["C", "A", "B"]) await save(service, { type: 2, name, readgroups: 3 });
  const archive = await backupOf(service, "MXSNAPS");
  const before = [...service.console.state.snapshots.values()];
  for (const { id } of before) await service.rpc("removesnapshot", { id });
  await restored(service, archive, "MXSNAPS");
  assertEquals([...service.console.state.snapshots.values()], before);
});

Deno.test("snapshot zero of each mixer is restored; one never saved is the configured one", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await result(service.console, set("/audio/mixers/0/faders/0/fader", -7));
  await save(service, { type: 2, id: "default" });
  const archive = await backupOf(service, "SNAPZERO");
  await result(service.console, set("/audio/mixers/0/faders/0/fader", -30));
  await save(service, { type: 2, id: "default" });
  await save(service, { type: 2, id: "default", mixer: 1 });
  await restored(service, archive, "SNAPZERO");
  await service.rpc("loadsnapshot", { id: "default" });
  assertEquals(at(service.console, "/audio/mixers/0/faders/0/fader"), -7);
  assertEquals([...service.console.state.snapshots.keys()].filter((key) => key.startsWith("d")), [
    "default/0",
  ]);
});

Deno.test("restored users are the users; one who is gone is logged out everywhere", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const { console } = service;
  const archive = await backupOf(service, "USERS");
  await result(console, addUser({ name: "extra", groups: 1, admin: false, token: EXTRA }));
  await result(console, removeUser("two"));
  for (const mixer of [0, 1]) {
    await console.dispatch(login(mixer), { user: console.state.users.get("extra") });
  }
  const watcher = await service.open();
  await watcher.ask({ method: "subscribe", path: "/audio/mixers" });
  await restored(service, archive, "USERS");
  assertEquals([...console.state.users.keys()].sort(), ["admin", "none", "one", "two"]);
  assertEquals(at(console, "/audio/mixers/0/_user"), "");
  assertEquals(at(console, "/audio/mixers/1/_user"), "");
  assertEquals((await service.rpc("getsnapshotlist", { type: 1 }, EXTRA)).error.code, 4);
  assert((await service.rpc("getsnapshotlist", { type: 1 }, tokens.two)).success);
});

for (
  const [tag, closes] of [["USERS", true], ["FWCONFIG", true], ["MXSNAPS", false], [
    "NETWORK",
    false,
  ]] as const
) {
  Deno.test(`a restore of ${tag} ${closes ? "closes the WebSockets with 1012" : "leaves the WebSockets open"}`, async () => {
    await using service = await startService({ configuration: unlimitedWith() });
    const archive = await backupOf(service, tag);
    const socket = await service.open();
    await restored(service, archive, tag);
    if (closes) return assertEquals(await socket.closed, 1012);
    assert((await socket.ask({ method: "get", path: "/general/_uptime" })).success);
  });
}

Deno.test("a settings document is stored, backed up and restored as it was written", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const document = { dns: ["10.0.0.1"], deviceName: "studio-1" };
  const files = [{ name: "network.json", content: JSON.stringify(document) }];
  await restored(service, await gzip(tarOf(entriesOf(files))), "NETWORK");
  const { state } = service.console;
  assertEquals(settingsOf(state, "NETWORK"), document);
  assertEquals([...state.settings.keys()], ["NETWORK"]);
  const archive = await backupOf(service, "NETWORK");
  await restored(
    service,
    await gzip(tarOf(entriesOf([{ name: "network.json", content: "{}" }]))),
    "NETWORK",
  );
  await restored(service, archive, "NETWORK");
  assertEquals(settingsOf(service.console.state, "NETWORK"), document);
});

const networkOf = async (document: object) =>
  await gzip(tarOf(entriesOf([{ name: "network.json", content: JSON.stringify(document) }])));

async function backupName({ url }: TestService): Promise<string> {
  const answer = await fetch(`${url}/action/backup?Tags=LOG&Token=${tokens.admin}`);
  await answer.body?.cancel();
  return /filename="(.*)"/.exec(answer.headers.get("content-disposition")!)![1]!;
}

Deno.test("the device name of NETWORK is the name of the device, at once", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const { console } = service;
  await result(console, set("/audio/mixers/0/faders/1/fader", -11));
  const socket = await service.open();
  await restored(service, await networkOf({ deviceName: "Studio_1.b-2" }), "NETWORK");
  assertEquals(await socket.closed, 1012);
  assertEquals(at(console, "/general/_name"), "Studio_1.b-2");
  assertEquals(at(console, "/audio/mixers/0/faders/1/fader"), -11);
  assertEquals(console.state.configuration.written, {
    ...unlimitedWith(),
    device: { ...unlimitedWith().device, name: "Studio_1.b-2" },
  });
  assertMatch(await backupName(service), /^backup-Studio_1\.b-2-\d{8}-\d{6}\.bin$/);
  const files = filesIn(await gunzip(await backupOf(service, "NETWORK")));
  const { device } = JSON.parse(new TextDecoder().decode(files.get("manifest.json")));
  const { deviceName } = JSON.parse(new TextDecoder().decode(files.get("network.json")));
  assertEquals([device, deviceName], ["Studio_1.b-2", "Studio_1.b-2"]);
});

Deno.test("a backup of NETWORK carries the name of a console that was never given one by NETWORK", async () => {
  const device = { name: "on.air_1", serial: "other" };
  await using source = await startService({ configuration: unlimitedWith({ device }) });
  await using service = await startService({ configuration: unlimitedWith() });
  await restored(service, await backupOf(source, "NETWORK"), "NETWORK");
  assertEquals(at(service.console, "/general/_name"), "on.air_1");
  assertEquals(at(service.console, "/general/_hardwareserial"), "DEMO-0001");
});

Deno.test("NETWORK without a name, or with the present one, leaves the configuration as it is", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const { configuration } = service.console.state;
  const socket = await service.open();
  for (const document of [{}, { dns: ["10.0.0.1"] }, { deviceName: "demo" }]) {
    await restored(service, await networkOf(document), "NETWORK");
    assert(service.console.state.configuration === configuration);
  }
  assert((await socket.ask({ method: "get", path: "/general/_name" })).success);
});

Deno.test("FWCONFIG and NETWORK restored together are one change", async () => {
  const device = { name: "source" };
  await using source = await startService({ configuration: { ...small, device } });
  let stored = 0;
  const store = { append: () => Promise.resolve(void stored++) };
  await using service = await startService({ configuration: unlimitedWith(), store });
  const names: unknown[] = [];
  const before = stored;
  service.console.watch((_, { configuration: { device, mixers } }) => {
    names.push([device.name, mixers[0]!.name]);
  });
  await restored(service, await backupOf(source, "FWCONFIG", "NETWORK"), "FWCONFIG,NETWORK");
  assertEquals([stored - before, names[0]], [1, ["source", "Only"]]);
  const { device: inForce } = service.console.state.configuration;
  assertEquals(inForce, { ...inForce, ...unlimitedWith().device, name: "source" });
});

Deno.test("the name of a backup tells the time in the zone of TIMEZONE", async () => {
  const clock = stillClock();
  clock.tick(Date.UTC(2026, 6, 15, 22, 30, 5));
  await using service = await startService({ configuration: unlimitedWith(), clock });
  const zones = { "Asia/Tokyo": "20260716-073005", "America/New_York": "20260715-183005" };
  for (const [zone, stamp] of Object.entries(zones)) {
    const file = { name: "timezone.json", content: JSON.stringify({ zone }) };
    await restored(service, await gzip(tarOf(entriesOf([file]))), "TIMEZONE");
    assertEquals(await backupName(service), `backup-demo-${stamp}.bin`);
  }
});

for (const name of ["tls.pem", "./tls.pem"]) {
  Deno.test(`TLS is restored from a tar whose only file is ${name}`, async () => {
    await using service = await startService({ configuration: unlimitedWith() });
    const [certificate, key] = ["CERTIFICATE", "PRIVATE KEY"]
      .map((label) => `-----BEGIN ${label}-----\nAA==\n-----END ${label}-----\n`);
    const archive = await gzip(tarOf([{ name, content: `${certificate}${key}` }]));
    await restored(service, archive, "TLS");
    assertEquals(service.console.state.tls, { certificate, key });
  });
}

Deno.test("a settings document is refused where a name in it means something in JavaScript", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const member of ["constructor", "prototype", "__proto__"]) {
    const files = [{ name: "services.json", content: `{"services":{"${member}":5}}` }];
    const { Error } = await restore(service, await gzip(tarOf(entriesOf(files))), "SERVICES");
    assertStringIncludes(Error, `SERVICES is no valid document: ${member} is no name`);
  }
});

const small = unlimitedWith({ mixers: [{ id: 0, name: "Only", faders: 3 }], factorySnapshots: [] });

Deno.test("a restored configuration is taken at once; what no longer exists takes its live state with it", async () => {
  await using source = await startService({ configuration: small });
  await using service = await startService({ configuration: unlimitedWith() });
  const { console } = service;
  await result(console, set("/audio/mixers/0/faders/1/fader", -11));
  await result(console, set("/audio/mixers/0/faders/2/label", "Anna"));
  await result(console, setGlobalLabel(2, "Jazz"));
  await console.dispatch(login(0), { user: console.state.users.get("one") });
  await restored(service, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  assertEquals(at(console, "/audio/mixers/0/_name"), "Only");
  assertEquals(at(console, "/audio/mixers/0/faders/1/fader"), -11);
  assertEquals(at(console, "/audio/mixers/0/faders/2/label"), "Anna");
  assertEquals(at(console, "/audio/mixers/0/sourcelist/2/_label"), "Anna");
  assertEquals(at(console, "/audio/mixers/0/faders/0/label"), "Fader 1");
  assertEquals(at(console, "/audio/mixers/0/_user"), "one");
  assertEquals(at(console, "/control/labels/2/label"), "Jazz");
  for (const gone of ["/audio/mixers/0/faders/3", "/audio/mixers/1", "/range/audio/mixers/1"]) {
    assertEquals(at(console, gone), undefined, gone);
  }
  assertEquals(await names(service, 2), ["default"]);
});

Deno.test("a lost engine of what a restored configuration has no more is forgotten", async () => {
  await using source = await startService({ configuration: small });
  await using service = await startService({ configuration: unlimitedWith() });
  const { console } = service;
  const token = "eeeeeeee-00000000-00000000-00000005";
  await result(console, addUser({ name: "dsp", groups: 0, admin: false, engine: true, token }));
  const lose = async (path: string) => {
    const engine = await service.open();
    await engine.ask({ method: "auth", token });
    assert((await engine.ask({ method: "engine", paths: [path] })).success);
    return engine;
  };
  await (await lose("/audio/mixers/1")).close();
  const playing = await lose("/audio/mixers/0/faders/3");
  assertEquals(at(console, "/general/_engine"), "lost");
  await restored(service, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  await playing.closed;
  assertEquals(at(console, "/general/_engine"), "none");
  await (await lose("/audio/mixers/0")).close();
  await restored(service, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  assertEquals(at(console, "/general/_engine"), "lost", "what is there still is lost");
});

Deno.test("limits of a restored configuration hold at once", async () => {
  await using source = await startService({
    configuration: unlimitedWith({
      limits: { rest: { burst: 0 }, tree: { perSecond: 1 } },
    }),
  });
  await using service = await startService({ configuration: unlimitedWith() });
  await restored(service, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  const get = async () => {
    const answer = await fetch(`${service.url}/api/rest/general/_firmware_version`);
    await answer.body?.cancel();
    return answer.status;
  };
  assertEquals([await get(), await get()], [200, 503]);
});

Deno.test("a fader that fades and still exists goes on; one that is gone fades no more", async () => {
  await using source = await startService({ configuration: small });
  const { clock: { monotonic }, timer, runTo } = simulatedTime();
  const clock = { now: monotonic, monotonic };
  await using service = await startService({ configuration: unlimitedWith(), clock, timer });
  const { console } = service;
  for (const fader of [0, 7]) {
    await result(console, fadeToValue({ mixer: 0, fader, seconds: 0.4, value: -20 }));
  }
  runTo(200);
  await restored(service, await backupOf(source, "FWCONFIG"), "FWCONFIG");
  assertEquals([...console.state.unsynced], [[faderKey({ mixer: 0, fader: 0 }), true]]);
  runTo(400);
  assertEquals(at(console, "/audio/mixers/0/faders/0/fader"), -20);
});

Deno.test("a wanted tag that the archive lacks is an Error, and nothing is restored", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const before = service.console.state;
  const answer = await restore(service, await backupOf(service, "NETWORK", "LOG"), "NETWORK,SNMP");
  assertEquals(answer.Error, "Tags: the archive has no SNMP");
  assertStringIncludes(
    (await restore(service, await backupOf(service, "LOG"), "ALL")).Error,
    "Tags",
  );
  assert(service.console.state === before);
});

Deno.test("nobody sees any of a restore before all of it is on the medium", async () => {
  for (const stores of [true, false]) {
    const store = heldStore();
    await using service = await startService({ configuration: unlimitedWith(), store });
    await save(service, { type: 2, name: "Morning" });
    const archive = await backupOf(service, "MXSNAPS", "USERS", "FWCONFIG", "LOG");
    await save(service, { type: 2, name: "Noon" });
    const inForce = () => {
      const { staged: _, ...rest } = service.console.state;
      return rest;
    };
    const before = inForce();
    store.hold();
    let answered = false;
    const answer = restore(service, archive, "MXSNAPS,USERS,FWCONFIG,LOG")
      .finally(() => answered = true);
    await until(() => store.waiting === 1);
    assertEquals(inForce(), before, "the snapshot is on its way");
    store.store();
    await until(() => store.waiting === 1);
    assertEquals(inForce(), before, "the restore is on its way");
    if (stores) store.store();
    else store.fail("the disk is full");
    await until(() => {
      store.store();
      return answered;
    });
    const { Error } = await answer;
    if (stores) assertEquals(Error, undefined);
    else assertStringIncludes(Error, "the disk is full");
    assertEquals(await names(service, 2), [
      "default",
      "All closed",
      "Morning",
      ...(stores ? [] : ["Noon"]),
    ]);
    assertEquals(service.console.state.staged.size, 0);
  }
});

Deno.test("a restore that the full medium refuses leaves nothing staged", async () => {
  let room = Infinity;
  const store = {
    append: () => room-- > 0 ? Promise.resolve() : Promise.reject(new Error("the disk is full")),
  };
  await using service = await startService({ configuration: unlimitedWith(), store });
  for (const name of ["Morning", "Noon", "Evening"]) await save(service, { type: 2, name });
  const archive = await backupOf(service, "MXSNAPS");
  const { snapshots } = service.console.state;
  const seen: number[] = [];
  service.console.watch((_, { staged }) => seen.push(staged.size));
  room = 1;
  assertStringIncludes((await restore(service, archive, "MXSNAPS")).Error, "the disk is full");
  assertEquals([Math.max(...seen), service.console.state.staged.size], [1, 0]);
  assert(service.console.state.snapshots === snapshots);
});

Deno.test("a restore that would be refused stages nothing", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await save(service, { type: 2, name: "Morning" });
  const archive = await backupOf(service, "MXSNAPS");
  const [snapshot] = [...service.console.state.snapshots.values()].slice(-1);
  const { id, type, name, readgroups, writegroups } = snapshot!;
  const content = contentOf(snapshot!);
  const factory = { id, type, name, readgroups, writegroups, content, mixer: 0 };
  const other = unlimitedWith({ factorySnapshots: [factory] as never });
  await using console = await startService({ configuration: other });
  const before = console.console.state;
  assertStringIncludes((await restore(console, archive, "MXSNAPS")).Error, "which stays");
  assert(console.console.state === before);
});

Deno.test("one restore at a time: another is 503, with Retry-After, and its body is not taken", async () => {
  const store = heldStore();
  await using service = await startService({ configuration: unlimitedWith(), store });
  const archive = await backupOf(service, "LOG");
  store.hold();
  const first = restore(service, archive, "LOG");
  await until(() => store.waiting > 0);
  const parameters = { Tags: "LOG", Token: tokens.admin, file: formFile(archive, "backup.bin") };
  const { status, headers, json } = await act(service, "restore", parameters, "multipart");
  assertEquals([status, headers.get("retry-after")], [503, "5"]);
  assertEquals(json.Error, "another restore is under way");
  store.store();
  assertEquals((await first).Error, undefined);
  const again = restore(service, archive, "LOG");
  await until(() => store.waiting > 0);
  store.store();
  assertEquals((await again).Error, undefined);
});

Deno.test("whoever sends slowly, or not to the end, keeps nobody from restoring", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const archive = await backupOf(service, "LOG");
  const { hostname, port, host } = new URL(service.url);
  const length = 60 * 1024 * 1024;
  const head = [
    "POST /action/restore HTTP/1.1",
    `host: ${host}`,
    "content-type: multipart/form-data; boundary=x",
    `content-length: ${length}`,
  ];
  const dribbling = await Promise.all(Array.from({ length: 3 }, async () => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode(`${head.join("\r\n")}\r\n\r\n--x`));
    return connection;
  }));
  try {
    await restored(service, archive, "LOG");
  } finally {
    for (const connection of dribbling) connection.close();
  }
});

const lockOuts: readonly (readonly [string, (user: User) => User | undefined])[] = [
  ["nobody", () => undefined],
  ["no admin", (user) => user.admin ? undefined : user],
  [
    "only an admin whose token has expired",
    (user) => ({ ...user, expires: "1969-01-01T00:00:00.000Z" }),
  ],
];
for (const [who, leaves] of lockOuts) {
  Deno.test(`users of whom ${who} is there are refused: nobody could restore again`, async () => {
    await using service = await startService({ configuration: unlimitedWith() });
    const { state } = service.console;
    const left = [...state.users.values()].map(leaves).filter((user) => user !== undefined);
    const users = new Map(left.map((user) => [user.name, user]));
    const archive = await packed({ ...state, users }, ["USERS", "LOG"]);
    const { Error } = await restore(service, archive, "USERS,LOG");
    assertEquals(
      Error,
      "file: users.bin has no admin whose token is good: " +
        "nobody could back up, restore or change users any more",
    );
    assert(service.console.state === state);
    await restored(service, archive, "LOG");
  });
}

Deno.test("who is no admin any more when the archive is read does not restore it", async () => {
  const turns: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => turns.push(resolve));
  // Its form is the first of it that comes in steps; what pauses after that reads the archive.
  let reads = false;
  const scheduler: CooperativeScheduler = {
    ...withoutPauses,
    pause: () => reads ? turn() : undefined,
    run(work) {
      reads = true;
      return withoutPauses.run(work);
    },
  };
  await using service = await startService({ configuration: unlimitedWith(), scheduler });
  const archive = await backupOf(service, "USERS", "LOG");
  await result(service.console, modifyUser({ name: "two", admin: true }));
  const restoring = restore(service, archive, "USERS,LOG");
  await until(() => turns.length > 0);
  await result(service.console, modifyUser({ name: "admin", admin: false }));
  const { state } = service.console;
  let answered = false;
  restoring.finally(() => answered = true);
  await until(() => {
    for (const next of turns.splice(0)) next();
    return answered;
  });
  assertEquals((await restoring).Error, "only an admin may do this, which user admin is not");
  assert(service.console.state === state);
});
