import { assertEquals } from "@std/assert";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { registerList } from "../../../core/lists/registerextlist.ts";
import { setList } from "../../../core/lists/setextlist.ts";
import { set } from "../../../core/tree/set.ts";
import { find, parsePath } from "../../../core/tree/tree.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { tags } from "../../../transport/ember/glow.ts";
import { schedulerWith } from "../../schedulers.ts";
import { demoWith, result, until } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { ASK_ALIVE, messagePackets } from "../../../transport/ember/s101.ts";
import { ber } from "./bytes.ts";
import { reconfigure } from "../byte-service.ts";
import { connectConsumer, ROOT_DIRECTORY, startEmber } from "./consumer.ts";

const ember = { listen: "127.0.0.1:0" } as const;
const configuration = demoWith({ ember });

Deno.test("the root has the node Device, and Device the nodes that consumers expect", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const [device, ...others] = await consumer.directory("");
  assertEquals(others, []);
  assertEquals([device!.tag, device!.path, device!.contents[0]], [tags.node, "1", "Device"]);
  const parts = await consumer.directory("1");
  assertEquals(parts.map(({ path, contents }) => [path, contents[0]]), [
    ["1.1", "Identity"],
    ["1.2", "GPI"],
    ["1.3", "GPO"],
    ["1.4", "Channels"],
    ["1.5", "GlobalLabels"],
    ["1.6", "Routing"],
    ["1.7", "Snapshots"],
    ["1.8", "Access"],
    ["1.9", "Functions"],
    ["1.10", "Tree"],
  ]);
  const identity = await consumer.directory("1.1");
  assertEquals(identity.map(({ contents }) => [contents[0], contents[2]]), [
    ["Company", "faderd"],
    ["Series", "core"],
    ["Product", "demo"],
    ["Firmwareversion", "10.3.0.0"],
    ["DHD-ember-plus-struct", "1"],
  ]);
});

Deno.test("a parameter has the type, range, format and access of its leaf", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const [fader, on] = await consumer.directory("1.4.1");
  assertEquals(fader!.contents, {
    0: "Level",
    2: -160,
    3: -160,
    4: 10,
    5: 3,
    6: "%.1f dB",
    9: true,
    13: 2,
  });
  assertEquals(on!.contents, { 0: "On", 2: false, 5: 3, 9: true, 13: 4 });
  const route = await consumer.find("Device", "Tree", "audio", "routing", "routes", "_1");
  // An operator may not set a route.
  assertEquals(route.contents, { 0: "_1", 2: 1, 5: 1, 7: "-\n1\n2", 9: true, 13: 6 });
  const hold = await consumer.find(
    "Device",
    "Tree",
    "audio",
    "mixers",
    "_0",
    "automix",
    "_1",
    "hold",
  );
  assertEquals([hold.contents[6], hold.contents[13]], ["%.0f ms", 2]);
});

Deno.test("GPI and GPO are logics; a logic that follows faders is only a GPO", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const called = (path: string) =>
    consumer.directory(path).then((all) =>
      all.map(({ path, contents }) => [path, contents[0], contents[1], contents[5]])
    );
  assertEquals(await called("1.2"), [["1.2.2", "GPI 2", "Door", 3]]);
  assertEquals(await called("1.3"), [
    ["1.3.1", "GPO 1", "Red light", 1],
    ["1.3.2", "GPO 2", "Door", 1],
  ]);
});

Deno.test("gpis, gpos and elements of the configuration choose the logics, and the numbers of elements", async () => {
  const elements = { GPI: { number: 12 }, "Channels/Level": { number: 9, identifier: "Fader" } };
  const own = { ...ember, gpis: [2, 1], gpos: [2], elements };
  await using service = await startEmber(demoWith({ ember: own }));
  await using consumer = await connectConsumer(service);
  const called = (path: string) =>
    consumer.directory(path).then((all) => all.map(({ path, contents }) => [path, contents[0]]));
  assertEquals(await called("1.12"), [["1.12.1", "GPI 1"], ["1.12.2", "GPI 2"]]);
  assertEquals(await called("1.3"), [["1.3.1", "GPO 1"]]);
  assertEquals((await called("1.4.1"))[0], ["1.4.1.9", "Fader"]);
  const told = Promise.all(["1.12.1", "1.3.1", "1.4.1.9"].map(consumer.next));
  await result(service.console, set("/control/logics/2/value", false));
  await result(service.console, set("/audio/mixers/0/faders/0/fader", -7));
  assertEquals((await told).map(({ contents }) => contents[2]), [false, false, -7]);
});

Deno.test("Tree has the whole control tree without range, with the numbers of the table", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const tree = await consumer.directory("1.10");
  assertEquals(tree.map(({ contents }) => contents[0]), ["general", "control", "audio"]);
  const faders = await consumer.find("Device", "Tree", "audio", "mixers", "_0", "faders");
  assertEquals((await consumer.directory(faders.path)).length, 8);
  const empty = await consumer.find("Device", "Tree", "control", "extlists", "_1", "_entries");
  const [itself, ...more] = await consumer.directory(empty.path);
  assertEquals([itself!.path, itself!.contents, more], [empty.path, {}, []]);
});

Deno.test("an element at an unknown path is offline, such as one of an earlier configuration", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  for (const path of ["2", "1.99", "1.4.99", "1.4.1.1.7", "1.10.28.1"]) {
    const [gone] = await consumer.directory(path);
    assertEquals([gone!.path, gone!.contents], [path, { 3: false }]);
  }
});

Deno.test("a consumer gets the changes of directories that it has asked for, and no others", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await consumer.directory("1.4.1");
  const count = consumer.came.length;
  await result(service.console, set("/audio/mixers/0/faders/1/fader", -3));
  await result(service.console, set("/control/logics/2/value", false));
  await result(service.console, set("/audio/mixers/0/faders/0", { on: true, fader: -7 }));
  await until(() => consumer.came.length >= count + 2);
  const told = consumer.came.slice(count).map(({ path, contents }) => [path, contents]);
  assertEquals(told, [["1.4.1.2", { 2: true }], ["1.4.1.1", { 2: -7 }]]);
});

Deno.test("a channel shows the fader that carries it, and is offline if none does", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await consumer.directory("1.4.1");
  await consumer.directory("1.4.2");
  const fader = (number: number, values: object) =>
    result(service.console, set(`/audio/mixers/0/faders/${number}`, values));
  const came = (contents: object) =>
    until(() =>
      consumer.came.some((one) =>
        one.path === "1.4.2.1" &&
        Object.entries(contents).every(([number, value]) => one.contents[Number(number)] === value)
      )
    );
  await fader(1, { fader: -20 });
  await came({ 2: -20 });
  await fader(1, { sourceid: 1 });
  await came({ 9: false });
  await fader(1, { fader: -21 });
  await fader(0, { sourceid: 2, fader: -22 });
  await came({ 0: "Level", 2: -22, 9: true });
});

Deno.test("a change of the label of a fader sends the description of its channel", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await consumer.directory("1.4");
  const fader = (number: number, values: object) =>
    result(service.console, set(`/audio/mixers/0/faders/${number}`, values));
  const described = async (path: string, change: () => Promise<unknown>) => {
    const told = consumer.next(path);
    await change();
    const { tag, contents } = await told;
    return [tag, contents];
  };
  assertEquals(
    await described("1.4.1", () => fader(0, { label: "Anna" })),
    [tags.qualifiedNode, { 0: "Channel 1", 1: "Anna", 3: true }],
  );
  assertEquals(
    await described("1.4.1", () => fader(0, { sourceid: 2 })),
    [tags.qualifiedNode, { 0: "Channel 1", 1: "", 3: true }],
  );
});

Deno.test("a list that grows or shrinks sends its items, and removed items as offline", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const panel = { ...DEVICE, connection: 1 };
  const entries = await consumer.find("Device", "Tree", "control", "extlists", "_1", "_entries");
  await consumer.directory(entries.path);
  await service.console.dispatch(registerList(1), panel);
  const fill = (...labels: string[]) =>
    service.console.dispatch(
      setList({ list: 1, entries: labels.map((label) => ({ label })) }),
      panel,
    );
  const second = consumer.next(`${entries.path}.2`);
  await fill("Anna", "Ben");
  assertEquals((await second).contents, { 0: "_1", 1: "Ben", 3: true });
  const gone = consumer.next(`${entries.path}.2`);
  await fill("Anna");
  assertEquals((await gone).contents, { 3: false });
});

Deno.test("a list that shrinks while its directory is being written is sent, and then removed items as offline", async () => {
  const { timer, pass } = passingTime();
  const pause = Promise.withResolvers<void>();
  let isListed = false;
  let isPaused = false;
  const scheduler = schedulerWith(async () => {
    isPaused = isListed;
    if (isListed) await pause.promise;
  });
  await using service = await startEmber(configuration, timer, scheduler);
  await using consumer = await connectConsumer(service);
  const panel = { ...DEVICE, connection: 1 };
  const fill = (length: number) => {
    const entries = Array.from({ length }, (_, at) => ({ label: `Button ${at}` }));
    return service.console.dispatch(setList({ list: 1, entries }), panel);
  };
  await service.console.dispatch(registerList(1), panel);
  await fill(100);
  const { path } = await consumer.find("Device", "Tree", "control", "extlists", "_1", "_entries");
  isListed = true;
  await consumer.command(path, 32);
  await until(() => isPaused);
  isListed = false;
  await fill(10);
  pause.resolve();
  const contentsAt = (item: number) =>
    consumer.came.findLast((one) => one.path === `${path}.${item}`)?.contents;
  await until(() => contentsAt(1) !== undefined || consumer.isClosed);
  assertEquals(service.faults, []);
  await until(() => {
    pass(100);
    return contentsAt(100) !== undefined;
  });
  assertEquals([11, 33, 100].map(contentsAt), [{ 3: false }, { 3: false }, { 3: false }]);
  assertEquals(contentsAt(10)?.[1], "Button 9");
});

Deno.test("meters are sent only to consumers that have subscribed to them", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const left = await consumer.find("Device", "Tree", "audio", "levels", "_1", "_left");
  const id = left.contents[14];
  // Integers in hundredths: consumers divide by the factor.
  assertEquals([left.contents[2], left.contents[8], left.contents[13]], [-12_500, 100, 1]);
  await result(service.console, set("/audio/mixers/0/faders/4", { on: true, fader: 0 }));
  await consumer.command(left.path, 30);
  await until(() => consumer.streams.length > 20);
  assertEquals(new Set(consumer.streams.map((one) => one.id)), new Set([id]));
  assertEquals(new Set(consumer.streams.map((one) => one.value)).size > 1, true);
  await consumer.command(left.path, 31);
  await consumer.directory("1");
  const { length } = consumer.streams;
  await consumer.command(
    (await consumer.find("Device", "Tree", "audio", "levels", "_1", "_right")).path,
    30,
  );
  await until(() => consumer.streams.length > length + 3);
  assertEquals(consumer.streams.slice(length).some((one) => one.id === id), false);
});

Deno.test("a keep-alive is answered, also while half a message has come", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await consumer.send(ASK_ALIVE);
  await until(() => consumer.alive === 1);
  await consumer.send(ROOT_DIRECTORY.subarray(0, 8));
  await consumer.send(ASK_ALIVE);
  await until(() => consumer.alive === 2);
});

Deno.test("a request of indefinite lengths is answered, in pieces of any length", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const nodes =
    "60{6b{a0{63{a0{02 01 01}a2{64{a0{63{a0{02 01 01}a2{64{a0{62{a0{02 01 20}}}}}}}}}}}}}";
  const request = messagePackets(ber(nodes, "indefinite"));
  for (const size of [1, 7, request.length]) {
    const count = consumer.messages;
    for (let at = 0; at < request.length; at += size) {
      await consumer.send(request.subarray(at, at + size));
      await new Promise((resolve) => setTimeout(resolve));
    }
    await until(() => consumer.messages > count);
    assertEquals(consumer.came.at(-1)?.path, "1.1.5");
  }
});

Deno.test("the steps of a fade are sent on the grid of 20 ms, at most 25 times a second, with the last one", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const { console } = service;
  const path = "/audio/mixers/0/faders/0/fader";
  await result(console, set(path, 0));
  await consumer.directory("1.4.1");
  const steps = new Set<unknown>();
  console.watch((_event, { tree }) => void steps.add(find(tree, parsePath(path))));
  await result(console, fadeToValue({ mixer: 0, fader: 0, seconds: 2, value: -60 }));
  const from = consumer.came.length;
  await until(() => consumer.came.at(-1)?.contents[2] === -60);
  const told = consumer.came.slice(from);
  assertEquals(told.filter(({ contents }) => !steps.has(contents[2])), []);
  // 50 in 2 s, and the last step.
  assertEquals(told.length <= 52, true, `${told.length} messages`);
});

Deno.test("the restore of a configuration closes the connections, as it changes the tree", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await consumer.directory("1.4");
  await reconfigure(service, { logics: [], mixers: [{ faders: 2 }] });
  await until(() => consumer.isClosed);
  await using again = await connectConsumer(service);
  assertEquals((await again.directory("1.4")).length, 2);
});
