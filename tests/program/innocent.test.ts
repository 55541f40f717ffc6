import { assertEquals } from "@std/assert";
import { openSocket } from "../service.ts";
import { temporaryFolder } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";

Deno.test("readers of a large tree close nobody: neither each other nor WebSockets that do nothing", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/config.json`;
  const mixers = [{ faders: 512 }, { faders: 512 }];
  await Deno.writeTextFile(config, JSON.stringify({ mixers, view: false }));
  await using service = await startFaderd("--data", `${folder.path}/data`, "--config", config);
  const address = `${service.url.replace("http", "ws")}/api/ws`;
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => openSocket(address)));
  const [uninvolved, readers] = [await open(4), await open(4)];
  const closed: number[] = [];
  const all = [...uninvolved, ...readers];
  for (const { closed: code } of all) code.then((one) => closed.push(one));
  await Promise.race([
    Promise.all(readers.map((reader) => reader.ask({ method: "get", path: "/" }))),
    ...all.map((one) => one.closed),
  ]);
  assertEquals(closed, []);
  for (const socket of all) {
    assertEquals((await socket.ask({ method: "get", path: "/general" })).success, true);
    await socket.close();
  }
});
