import { assertEquals } from "@std/assert";
import { get } from "../../../core/tree/get.ts";
import { set } from "../../../core/tree/set.ts";
import { demoWith, result, until } from "../../service.ts";
import { type ByteService, startByteService } from "../byte-service.ts";
import { connectClient } from "./client.ts";

const ecp = { listen: "127.0.0.1:0" } as const;
const configuration = demoWith({ ecp });

function valueOf({ console }: ByteService, path: string): unknown {
  const value = get(console, path);
  return "value" in value ? value.value : value;
}

Deno.test("the level of a fader is read and set, within its range", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await result(service.console, set("/audio/mixers/0/faders/1/fader", -12));
  assertEquals(await client.ask(["02 00 11030000 0001"]), ["04 11030000 0001FB50"]);
  assertEquals(await client.ask(["04 00 11030000 0100 F830"]), ["04 11030000 0100F830"]);
  assertEquals(valueOf(service, "/audio/mixers/1/faders/0/fader"), -20);
  assertEquals(await client.ask(["04 00 11030000 0100 7FFF"]), ["04 11030000 010003E8"]);
  assertEquals(valueOf(service, "/audio/mixers/1/faders/0/fader"), 10);
});

Deno.test("a fader can be named by its channel", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  assertEquals(await client.ask(["04 00 11030000 1065 F830"]), ["04 11030000 1065F830"]);
  assertEquals(valueOf(service, "/audio/mixers/1/faders/0/fader"), -20);
  await client.send("02 00 11030000 10FF", "04 00 11030000 10FF 0000", "02 00 11030000 0500");
  assertEquals(await client.rest(), []);
});

Deno.test("a client that asks for levels gets each change of a level until it ends that", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await using other = await connectClient(service);
  assertEquals(await client.ask(["01 00 11030000 01", "02 00 11030000 0000"]), [
    "04 11030000 0000C180",
  ]);
  await other.send("04 00 11030000 0002 FB50");
  await until(() => client.came.includes("04 11030000 0002FB50"));
  await client.send("01 00 11030000 00");
  await client.rest();
  await other.ask(["04 00 11030000 0003 FB50"]);
  await client.send("01 00 11030000 01");
  await client.rest();
  await other.ask(["04 00 11030000 0004 FB50"]);
  // A kept change would come before it.
  await until(() => client.came.includes("04 11030000 0004FB50"));
  assertEquals(client.came.includes("04 11030000 0003FB50"), false);
});

Deno.test("a fade reaches its level in its time, and is answered", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await client.send("01 00 11030000 01");
  assertEquals(await client.ask(["07 00 11030000 0000 FB50 0064 01"]), ["04 11030000 0000C180"]);
  await until(() => client.came.includes("04 11030000 0000FB50"));
  assertEquals(valueOf(service, "/audio/mixers/0/faders/0/fader"), -12);
});

Deno.test("a fader is switched on and off, and its state is read", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  assertEquals(await client.ask(["03 00 11020000 0002 01"]), ["03 11020000 000201"]);
  assertEquals(valueOf(service, "/audio/mixers/0/faders/2/on"), true);
  assertEquals(await client.ask(["02 00 11020000 0002"]), ["03 11020000 000201"]);
  assertEquals(await client.ask(["03 00 11020000 0002 00"]), ["03 11020000 000200"]);
});

Deno.test("PFL of a fader is set in addition or exclusively, and switched off in a mixer or everywhere", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  const on = async () => {
    const all = ["0000", "0001", "0002", "0100"];
    const answers = await client.ask(all.map((fader) => `02 00 11160000 ${fader}`), 4);
    return answers.filter((one) => one.endsWith("0100")).map((one) => one.slice(12, 16));
  };
  await client.ask(["04 00 11160000 0000 01 00", "04 00 11160000 0100 01 00"], 2);
  assertEquals(await client.ask(["04 00 11160000 0001 01 00"]), ["04 11160000 00010100"]);
  assertEquals(await on(), ["0000", "0001", "0100"]);
  assertEquals(await client.ask(["04 00 11160000 0002 01 01"]), ["04 11160000 00020100"]);
  assertEquals(await on(), ["0002", "0100"]);
  assertEquals(await client.ask(["01 00 11160000 00"]), ["01 11160000 00"]);
  assertEquals(await on(), ["0100"]);
  assertEquals(await client.ask(["00 00 11160000"]), ["00 11160000"]);
  assertEquals(await on(), []);
  assertEquals(await client.ask(["00 00 11160000"]), ["00 11160000"]);
  await client.send("01 00 11160000 07", "02 00 11160000 0700");
  assertEquals(await client.rest(), []);
});

Deno.test("the channel of a fader is read, and set with the right to configure", async () => {
  await using service = await startByteService(demoWith({ ecp: { ...ecp, may: "configure" } }));
  await using client = await connectClient(service);
  assertEquals(await client.ask(["02 00 110D0000 0000"]), ["04 110D0000 00000001"]);
  assertEquals(await client.ask(["04 00 110D0000 0000 0005"]), ["04 110D0000 00000005"]);
  assertEquals(valueOf(service, "/audio/mixers/0/faders/0/sourceid"), 5);
  assertEquals(await client.ask(["04 00 110D0000 0000 0063"]), ["04 110D0000 00000005"]);
});

Deno.test("one or all routes are read, and set in both widths with the right to configure", async () => {
  await using service = await startByteService(demoWith({ ecp: { ...ecp, may: "configure" } }));
  await using client = await connectClient(service);
  assertEquals(await client.ask(["02 00 01F50000 0001"]), ["04 01F50000 00010001"]);
  assertEquals(await client.ask(["04 00 01F50000 0001 0002"]), ["04 01F50000 00010002"]);
  assertEquals(valueOf(service, "/audio/routing/routes/1"), "2");
  assertEquals(await client.ask(["04 00 01F50000 0002 FFFF"]), ["04 01F50000 0002FFFF"]);
  assertEquals(valueOf(service, "/audio/routing/routes/2"), "");
  assertEquals(await client.ask(["00 00 01F50000"], 2), [
    "04 01F50000 00010002",
    "04 01F50000 0002FFFF",
  ]);
  assertEquals(await client.ask(["08 00 01F50000 00000002 00000001"]), [
    "08 01F50000 0000000200000001",
  ]);
  assertEquals(await client.ask(["08 00 01F50000 00000002 00000000"]), [
    "08 01F50000 0000000200000000",
  ]);
  // An unknown input, and an unknown output.
  assertEquals(await client.ask(["04 00 01F50000 0001 0009"]), ["04 01F50000 00010002"]);
  await client.send("04 00 01F50000 0009 0001", "08 00 01F50000 00010001 00000001");
  assertEquals(await client.rest(), []);
});

Deno.test("a pot is read and set", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  assertEquals(await client.ask(["02 00 11100000 0001"]), ["04 11100000 0001F830"]);
  assertEquals(await client.ask(["04 00 11100000 0001 FB50"]), ["04 11100000 0001FB50"]);
  assertEquals(valueOf(service, "/audio/pots/1/value"), -12);
  await client.send("02 00 11100000 0009");
  assertEquals(await client.rest(), []);
});

Deno.test("a label is read and written in pieces of four characters, and reset to the configured one", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  const label = () => valueOf(service, "/audio/mixers/0/faders/1/label");
  const [gues, t1, none] = await client.ask([
    "03 00 11140000 0002 00",
    "03 00 11140000 0002 01",
    "03 00 11140000 0002 02",
  ], 3);
  assertEquals([gues, t1, none], [
    "08 11140000 0002000047756573",
    "08 11140000 0002010074203120",
    "08 11140000 0002020020202020",
  ]);
  // "Anna", and nothing behind it.
  assertEquals(
    await client.ask(
      ["08 00 11140000 0002 00 00 416E6E61", "08 00 11140000 0002 01 00 00000000"],
      2,
    ),
    ["08 11140000 00020000416E6E61", "08 11140000 0002010020202020"],
  );
  assertEquals(label(), "Anna");
  await client.ask(["08 00 11140000 0002 02 00 42656E21"]);
  assertEquals(label(), "Anna    Ben!");
  assertEquals(await client.ask(["02 00 11140000 0002"]), ["02 11140000 0002"]);
  assertEquals(label(), "Guest 1");
  await result(service.console, set("/audio/mixers/0/faders/1/label", "Jörg"));
  assertEquals(await client.ask(["03 00 11140000 0002 00"]), ["08 11140000 000200004A3F7267"]);
  // A character counts as one, whatever its size.
  await result(service.console, set("/audio/mixers/0/faders/1/label", "🎤🎤"));
  await client.ask(["08 00 11140000 0002 01 00 42656E21"]);
  assertEquals(label(), "🎤🎤  Ben!");
  await result(service.console, set("/audio/mixers/0/faders/1/label", "Jörg"));
  // Text that is not ASCII, an unknown channel, an unknown part.
  await client.send(
    "08 00 11140000 0002 00 00 41C36E61",
    "08 00 11140000 0002 00 00 41076E61",
    "08 00 11140000 00FA 00 00 416E6E61",
    "03 00 11140000 00FA 00",
    "03 00 11140000 0002 20",
  );
  assertEquals(await client.rest(), []);
  assertEquals(label(), "Jörg");
});

Deno.test("snapshots are loaded by number; a save is refused because it needs a user", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await result(service.console, set("/audio/mixers/0/faders/4", { fader: -3, on: true }));
  // The factory snapshots are the first of their types; 0 is the default one.
  assertEquals(await client.ask(["03 00 111C0000 0A 01 00"]), ["03 111C0000 0A0100"]);
  assertEquals(valueOf(service, "/audio/mixers/0/faders/4/fader"), -160);
  assertEquals(await client.ask(["04 00 111C0000 00 01 00 03"]), ["04 111C0000 00010003"]);
  assertEquals(valueOf(service, "/audio/mixers/0/faders/3/_lastloadedsnap"), "Speech");
  assertEquals(await client.ask(["03 00 111C0000 0A 00 01"]), ["03 111C0000 0A0001"]);
  const count = service.console.state.snapshots.size;
  await client.send(
    "03 00 111C0000 0A 63 00",
    "03 00 111C0000 0A 01 09",
    "03 00 111C0000 0B 05 00",
    "04 00 111C0000 01 05 00 00",
    "04 00 111C0000 07 05 00 00",
    "04 00 111C0000 00 01 10 FF",
  );
  assertEquals(await client.rest(), []);
  assertEquals(service.console.state.snapshots.size, count);
  assertEquals(
    service.audit.filter(({ refused }) => refused).map((
      { what, refused },
    ) => [what, refused!.code]),
    [["loadsnapshot", 6], ["loadsnapshot", 6], ["savesnapshot", 4], ["savesnapshot", 4]],
  );
});

Deno.test("unknown commands and variants are left without an answer, and change nothing", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  const { state } = service.console;
  await client.send(
    "00 00 12340000",
    "03 00 110E0001 0002 00",
    "05 00 110E0000 0002 00 00 00",
    "01 00 11030000 02",
    "09 00 110E0000 0002 00",
    "03 01 110E0000 0002 00",
    "07 00 11100000 0001 0000 0064 00",
  );
  assertEquals(await client.rest(), []);
  assertEquals(service.console.state === state, true);
});
