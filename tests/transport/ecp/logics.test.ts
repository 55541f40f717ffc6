import { assert, assertEquals } from "@std/assert";
import { set } from "../../../core/tree/set.ts";
import { BLOCK_BYTES } from "../../../transport/ecp/block.ts";
import { demoWith, result, until } from "../../service.ts";
import { reconfigure, startByteService } from "../byte-service.ts";
import { connectClient } from "./client.ts";

const ecp = { listen: "127.0.0.1:0" } as const;
const configuration = demoWith({ ecp });

const doorOn = "03 110E0000 000201";
const doorOff = "03 110E0000 000200";

Deno.test("a logic is read and set, and every client gets the change once", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await using other = await connectClient(service);
  assertEquals(await client.ask(["02 00 110E0000 0002"]), [doorOn]);
  assertEquals(await client.ask(["03 00 110E0000 0002 00"]), [doorOff]);
  await until(() => other.came.includes(doorOff));
  assertEquals(await client.rest(), []);
  assertEquals(await other.ask(["03 00 110E0000 0002 FF"]), [doorOn]);
  await until(() => client.came.at(-1) === doorOn);
  assertEquals(await other.rest(), []);
});

Deno.test("a set of a logic to its present state, and a request for an unknown logic, are answered", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await using other = await connectClient(service);
  assertEquals(await client.ask(["03 00 110E0000 0002 01"]), [doorOn]);
  assertEquals(await client.ask(["02 00 110E0000 0999"]), ["03 110E0000 099900"]);
  assertEquals(await client.ask(["03 00 110E0000 0999 01"]), ["03 110E0000 099900"]);
  assertEquals(await other.rest(), []);
});

Deno.test("logics that change by another interface are sent without a request, also following ones", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await client.rest();
  await result(service.console, set("/control/logics/2/value", false));
  await result(service.console, set("/audio/mixers/0/faders/0", { on: true, fader: 0 }));
  await until(() => client.came.length >= 3);
  assertEquals(client.came.slice(1), [doorOff, "03 110E0000 000101"]);
});

Deno.test("a logic that follows faders is set back at once after a set, and both changes are sent", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  assertEquals(await client.ask(["03 00 110E0000 0001 01"], 2), [
    "03 110E0000 000101",
    "03 110E0000 000100",
  ]);
  assertEquals(await client.rest(), []);
});

Deno.test("each pulse of a logic is sent, also a short one, in whole blocks", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await using other = await connectClient(service);
  await other.rest();
  const pulses = 50;
  const pulse = ["03 00 110E0000 0002 00", "03 00 110E0000 0002 01"];
  await client.send(...new Array(pulses).fill(pulse).flat());
  const told = new Array(pulses).fill([doorOff, doorOn]).flat();
  await until(() => other.came.length === 1 + told.length && client.came.length === told.length);
  assertEquals([client.came, other.came.slice(1)], [told, told]);
  for (const size of [...client.reads, ...other.reads]) assert(size % BLOCK_BYTES === 0);
});

Deno.test("after the restore of a configuration all its logics are sent, those that are gone as off, and its levels to clients that asked for levels", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  await using listener = await connectClient(service);
  await listener.send("01 00 11030000 01");
  await listener.rest();
  await reconfigure(service, { logics: [{ id: 0x02cf, value: true }], mixers: [{ faders: 2 }] });
  const logics = ["03 110E0000 000100", doorOff, "03 110E0000 02CF01"];
  await until(() => listener.came.length >= 1 + 5);
  assertEquals(listener.came.slice(1), [
    ...logics,
    "04 11030000 0000C180",
    "04 11030000 0001C180",
  ]);
  assertEquals(await client.rest(), logics);
  assertEquals(await client.ask(["02 00 110E0000 0002"]), [doorOff]);
});

Deno.test("after the restore of a configuration a logic that follows faders does not blink", async () => {
  await using service = await startByteService(configuration);
  await using client = await connectClient(service);
  const red = (isOn: boolean) => `03 110E0000 00010${isOn ? 1 : 0}`;
  await client.ask(["03 00 110E0000 0001 01"], 2);
  const { logics = [] } = configuration;
  await reconfigure(service, { logics: [...logics, { id: 9, value: true }] });
  assertEquals(await client.rest(), [red(false), doorOn, "03 110E0000 000901"]);
  await result(service.console, set("/audio/mixers/0/faders/0", { on: true, fader: 0 }));
  await until(() => client.came.at(-1) === red(true));
  const from = client.came.length;
  await reconfigure(service, { logics });
  await until(() => client.came.length >= from + 3);
  assertEquals(client.came.slice(from), ["03 110E0000 000900", red(true), doorOn]);
});

Deno.test("sets and refusals have audit entries with the address", async () => {
  await using service = await startByteService(demoWith({ ecp: { ...ecp, may: "view" } }));
  await using client = await connectClient(service);
  assertEquals(await client.ask(["03 00 110E0000 0002 00"]), [doorOn]);
  assertEquals(await client.ask(["04 00 11030000 0000 F830"]), ["04 11030000 0000C180"]);
  await using open = await startByteService(configuration);
  await using operator = await connectClient(open);
  assertEquals(await operator.ask(["03 00 110E0000 0002 00"]), [doorOff]);
  // The channel of a fader needs the right to configure.
  assertEquals(await operator.ask(["04 00 110D0000 0000 0005"]), ["04 110D0000 00000001"]);
  const told = ({ audit }: typeof service) =>
    audit.map(({ from, what, changes, refused }) => [
      from,
      what,
      changes?.[0]?.path ?? refused?.code,
    ]);
  assertEquals(told(service), [["ecp:127.0.0.1", "set", 5], ["ecp:127.0.0.1", "set", 5]]);
  assertEquals(told(open), [
    ["ecp:127.0.0.1", "set", "/control/logics/2/value"],
    ["ecp:127.0.0.1", "set", 5],
  ]);
});
