import { assertEquals } from "@std/assert";
import { demoWith, until } from "../../service.ts";
import { startByteService } from "../byte-service.ts";
import { connectCompanion, connectHomeAssistant } from "./peers.ts";

/** The logics of the demo console: the first follows faders, the second is on at first. */
const [RED_LIGHT, DOOR, UNKNOWN] = [1, 2, 719];

const configuration = demoWith({ ecp: { listen: "127.0.0.1:0" } });

Deno.test("Companion shows a logic that it asked for, and every change of it by any client", async () => {
  await using service = await startByteService(configuration);
  await using companion = await connectCompanion(service);
  await companion.ask(DOOR);
  await companion.ask(RED_LIGHT);
  await until(() => companion.shown.size === 2);
  assertEquals([...companion.shown], [[DOOR, true], [RED_LIGHT, false]]);
  await using other = await connectCompanion(service);
  await other.set(DOOR, false);
  await until(() => companion.shown.get(DOOR) === false && other.shown.get(DOOR) === false);
});

Deno.test("every other client gets both changes of a pulse by Companion", async () => {
  await using service = await startByteService(configuration);
  await using companion = await connectCompanion(service);
  await using assistant = await connectHomeAssistant(service);
  await assistant.set(DOOR, false);
  await companion.pulse(DOOR);
  await until(() => assistant.pushed.length === 2);
  assertEquals(assistant.pushed, [{ logic: DOOR, isOn: true }, { logic: DOOR, isOn: false }]);
  await until(() => companion.shown.get(DOOR) === false);
});

Deno.test("Home Assistant is answered each time it waits, also after a set to the present state and for an unknown logic", async () => {
  await using service = await startByteService(configuration);
  await using assistant = await connectHomeAssistant(service);
  assertEquals(await assistant.poll(DOOR), true);
  assertEquals(await assistant.set(DOOR, true), true);
  assertEquals(await assistant.set(DOOR, false), false);
  assertEquals(await assistant.set(DOOR, false), false);
  assertEquals(await assistant.poll(UNKNOWN), false);
  assertEquals(await assistant.set(UNKNOWN, true), false);
  assertEquals(await assistant.poll(DOOR), false);
});
