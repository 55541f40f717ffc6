import { assertEquals } from "@std/assert";
import { openSocket } from "../service.ts";
import { sceneOf } from "./scene.ts";

Deno.test("readers of a large tree do not close each other or idle WebSockets", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 512 }], view: false });
  await using service = await scene.start();
  const address = `${service.url.replace("http", "ws")}/api/ws`;
  const open = (count: number) =>
    Promise.all(Array.from({ length: count }, () => openSocket(address)));
  const uninvolved = await open(4);
  const readers = await open(4);
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
