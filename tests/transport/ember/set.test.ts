import { assertEquals } from "@std/assert";
import { find, parsePath } from "../../../core/tree/tree.ts";
import { type BerValue, createBerWriter } from "../../../transport/ember/ber.ts";
import { demoWith, until } from "../../service.ts";
import { connectConsumer, requestFor, startEmber, type TestConsumer } from "./consumer.ts";
import { hex } from "./bytes.ts";

const ember = { listen: "127.0.0.1:0" } as const;
const configuration = demoWith({ ember });
const configuring = demoWith({ ember: { ...ember, may: "configure" } });
const viewing = demoWith({ ember: { ...ember, may: "view" }, anonymous: "operate" });

const FROM = "ember:127.0.0.1";

Deno.test("a set value is in force, answered, sent to all consumers, and in the audit trail", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await using other = await connectConsumer(service);
  await other.directory("1.4.1");
  const answered = consumer.next("1.4.1.1");
  const told = other.next("1.4.1.1");
  await consumer.set("1.4.1.1", -12.5);
  assertEquals((await answered).contents, { 2: -12.5 });
  assertEquals((await told).contents, { 2: -12.5 });
  assertEquals(
    find(service.console.state.tree, parsePath("/audio/mixers/0/faders/0/fader")),
    -12.5,
  );
  assertEquals(service.audit.at(-1), {
    user: undefined,
    from: FROM,
    what: "set",
    changes: [{ path: "/audio/mixers/0/faders/0/fader", before: -160, after: -12.5 }],
  });
});

Deno.test("a value out of range is set to the nearest bound, which is the answer", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const answered = consumer.next("1.4.1.1");
  await consumer.set("1.4.1.1", 99);
  assertEquals((await answered).contents, { 2: 10 });
});

/** A branch without its read-only members, of which the simulated meters move at any time. */
function settable(branch: unknown): unknown {
  const text = JSON.stringify(
    branch,
    (member, value) => member.startsWith("_") ? undefined : value,
  );
  return JSON.parse(text);
}

Deno.test("a refused set is answered with the value in force, changes nothing, and is in the audit trail", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const { state } = service.console;
  const rows: readonly (readonly [path: string, value: string | boolean, code: number])[] = [
    // A text instead of a number.
    ["1.4.1.1", "loud", 3],
    // A red light that follows faders is no GPI, and a GPO is read-only.
    ["1.10.16.25.2.26", "yes", 3],
  ];
  for (const [path, value, code] of rows) {
    const answered = consumer.next(path);
    await consumer.set(path, value);
    await answered;
    assertEquals(service.audit.at(-1)?.refused?.code, code);
    assertEquals(service.audit.at(-1)?.from, FROM);
  }
  assertEquals(settable(service.console.state.tree.audio), settable(state.tree.audio));
});

for (
  const [may, written, refused] of [
    ["view", viewing, [5, 5]],
    ["operate", configuration, [undefined, 5]],
    ["configure", configuring, [undefined, undefined]],
  ] as const
) {
  Deno.test(`a consumer may ${may} with ember.may, whatever the right of callers without a token`, async () => {
    await using service = await startEmber(written);
    await using consumer = await connectConsumer(service);
    const compressor = await consumer.find(
      ..."Device Tree audio mixers _0 faders _0 params compressor on".split(" "),
    );
    for (const [index, path] of ["1.4.1.2", compressor.path].entries()) {
      const answered = consumer.next(path);
      await consumer.set(path, true);
      assertEquals((await answered).contents, { 2: refused[index] === undefined });
      assertEquals(service.audit.at(-1)?.refused?.code, refused[index]);
    }
    assertEquals(compressor.contents[5], may === "configure" ? 3 : 1);
  });
}

/** Requests a connection of the matrix: a target, an operation and sources. */
function connect(consumer: TestConsumer, target: number, operation: number, ...sources: number[]) {
  const writer = createBerWriter();
  writer.path(sources);
  const connection = `70{a0{02 01 0${target}}a1{${hex(writer.bytes())}}a2{02 01 0${operation}}}`;
  return consumer.send(requestFor("1.6.1", `a5{30{a0{${connection}}}}`, "71"));
}

/** Reads the connections of the matrix: target, sources, disposition. */
function connectionsOf(came: { readonly element: { readonly inside: readonly unknown[] } }) {
  const { inside } = came.element as import("../../../transport/ember/ber.ts").BerElement;
  const connections = inside.find(({ tag }) => tag === 0xa5)?.inside[0]?.inside ?? [];
  return connections.map(({ inside: [one] }) => {
    const bytes = one!.inside.map(({ inside: [value] }) => [...value!.content]);
    return { target: bytes[0]![0], sources: bytes[1], disposition: bytes[3]![0] };
  });
}

Deno.test("a take in the matrix sets a route, is answered, sent to all consumers, and can be taken back", async () => {
  await using service = await startEmber(configuring);
  await using consumer = await connectConsumer(service);
  await using other = await connectConsumer(service);
  const [matrix] = await other.directory("1.6.1");
  assertEquals(connectionsOf(matrix!), [
    { target: 1, sources: [1], disposition: 0 },
    { target: 2, sources: [2], disposition: 0 },
  ]);
  const route = () => find(service.console.state.tree, ["audio", "routing", "routes", "1"]);
  const rows = [
    [1, [2], "2", [2]],
    [0, [1], "1", [1]],
    [2, [2], "1", [1]],
    [2, [1], "", []],
  ] as const;
  for (const [operation, sources, expected, inForce] of rows) {
    const answered = consumer.next("1.6.1");
    await connect(consumer, 1, operation, ...sources);
    const connections = connectionsOf(await answered);
    assertEquals(connections, [{ target: 1, sources: [...inForce], disposition: 1 }]);
    assertEquals(route(), expected);
  }
  await until(() => {
    const told = other.came.filter(({ path }) => path === "1.6.1").slice(1);
    return told.some((one) => connectionsOf(one)[0]?.sources?.length === 0);
  });
});

Deno.test("a refused take is answered as locked, with the source in force", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const answered = consumer.next("1.6.1");
  await connect(consumer, 1, 0, 2);
  assertEquals(connectionsOf(await answered), [{ target: 1, sources: [1], disposition: 3 }]);
  assertEquals(service.audit.at(-1)?.refused?.code, 5);
});

Deno.test("a take is not sent again to its consumer: a later refusal stays the last answer", async () => {
  await using service = await startEmber(configuring);
  await using consumer = await connectConsumer(service);
  await using other = await connectConsumer(service);
  await consumer.directory("1.6.1");
  const from = consumer.came.length;
  await connect(consumer, 1, 0, 2);
  await connect(consumer, 1, 0, 99);
  const told = () => consumer.came.slice(from).flatMap(connectionsOf);
  await until(() => told().length === 2);
  await connect(other, 2, 0, 1);
  await until(() => told().some(({ target }) => target === 2));
  assertEquals(told(), [
    { target: 1, sources: [2], disposition: 1 },
    { target: 1, sources: [2], disposition: 3 },
    { target: 2, sources: [1], disposition: 0 },
  ]);
});

/** Calls a function with integers. */
function invoke(consumer: TestConsumer, path: string, values: readonly BerValue[]) {
  const args = values.map((value) => {
    const writer = createBerWriter();
    if (value === null) writer.none();
    else if (typeof value === "string") writer.text(value);
    else if (Number.isInteger(value)) writer.integer(value as number);
    else writer.real(value as number);
    return `a0{${hex(writer.bytes())}}`;
  });
  const invocation = `a2{76{a0{02 01 07}a1{30{${args.join("")}}}}}`;
  return consumer.send(requestFor(path, `a2{64{a0{62{a0{02 01 21}${invocation}}}}}`, "74"));
}

Deno.test("functions are RPCs: the answer is the result, or the reason of a refusal", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const functions = await consumer.directory("1.9");
  assertEquals(functions.map(({ contents }) => contents[0]).slice(0, 2), [
    "loadsnapshot",
    "getsnapshotlist",
  ]);
  await invoke(consumer, "1.9.5", [1, "Anna"]);
  await until(() => consumer.results.length === 1);
  assertEquals(consumer.results[0]?.success, true);
  assertEquals(
    find(service.console.state.tree, parsePath("/audio/mixers/0/faders/0/label")),
    "Anna",
  );
  assertEquals(service.audit.at(-1)?.what, "setchannellabel");
  await invoke(consumer, "1.9.4", [0, 99, 1, null, -20]);
  await until(() => consumer.results.length === 2);
  assertEquals(consumer.results[1], { success: false, result: "fader: mixer 0 has no fader 99" });
  for (const leftOut of [null, "", -1, -0.5]) {
    const { length } = consumer.results;
    await invoke(consumer, "1.9.4", [0, 0, 1, leftOut, -20]);
    await until(() => consumer.results.length > length);
    assertEquals(consumer.results.at(-1)?.success, true, `${leftOut}`);
  }
});

Deno.test("a mixer snapshot is loaded by its number", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  const path = ["audio", "mixers", "0", "faders", "0", "on"];
  await consumer.set("1.4.1.2", true);
  await until(() => find(service.console.state.tree, path) === true);
  const answered = consumer.next("1.7.1.1");
  await consumer.set("1.7.1.1", 1);
  await answered;
  assertEquals(find(service.console.state.tree, path), false);
  assertEquals(service.audit.at(-1)?.what, "loadsnapshot");
});

Deno.test("loading an unknown snapshot number is error 6, and by a viewer error 5", async () => {
  for (const [written, number, code] of [[configuration, 99, 6], [viewing, 1, 5]] as const) {
    await using service = await startEmber(written);
    await using consumer = await connectConsumer(service);
    const answered = consumer.next("1.7.1.1");
    await consumer.set("1.7.1.1", number);
    await answered;
    assertEquals(service.audit.at(-1)?.refused?.code, code);
    assertEquals(service.audit.at(-1)?.from, FROM);
  }
});

Deno.test("access is given to a fader, sent to all consumers, and taken back", async () => {
  await using service = await startEmber(configuration);
  await using consumer = await connectConsumer(service);
  await using other = await connectConsumer(service);
  const [group] = await other.directory("1.8.1");
  assertEquals([group!.path, group!.contents[0], group!.contents[2]], ["1.8.1.1", "Group 1", -1]);
  for (const fader of [3, -1]) {
    const answered = consumer.next("1.8.1.1");
    const told = other.next("1.8.1.1");
    await consumer.set("1.8.1.1", fader);
    assertEquals((await answered).contents[2], fader);
    assertEquals((await told).contents[2], fader);
  }
  assertEquals(service.audit.at(-1)?.what, "setaccess");
  const refused = consumer.next("1.8.1.1");
  await consumer.set("1.8.1.1", 99);
  assertEquals((await refused).contents[2], -1);
});
