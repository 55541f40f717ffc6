/** ECP in the program: its address, its messages, and the sources that it loads. */
import { assertEquals } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { openWithoutUsers } from "../../program/start.ts";
import { type Json, until } from "../service.ts";
import { connectClient } from "../transport/ecp/client.ts";
import { startFaderd } from "./faderd.ts";
import { sceneOf, stopped } from "./scene.ts";

Deno.test("a service with ecp prints its address, serves it, writes the audit trail, and ends", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 2 }], ecp: { listen: "127.0.0.1:0" } });
  // Under `task start`, with only the permissions that its configuration needs.
  await using running = await startFaderd(...scene.options);
  const port = Number(/^ECP on 127\.0\.0\.1 port (\d+)$/m.exec(running.stdout)![1]);
  await using client = await connectClient({ port });
  assertEquals(await client.ask(["04 00 11030000 0000 F830"]), ["04 11030000 0000F830"]);
  await stopped(running);
  await until(() => client.isClosed);
  const lines = Deno.readTextFileSync(`${scene.data}/audit.log`).trim().split("\n");
  const { from, what, changes } = JSON.parse(lines.at(-1)!) as Json;
  assertEquals([from, what, changes[0].after], ["ecp:127.0.0.1", "set", -20]);
});

Deno.test("beyond loopback a start warns of the rights of every client that reaches ECP", () => {
  const said = (may: "view" | "operate", hostname: string) => {
    const read = readConfiguration({ ecp: { listen: `${hostname}:2008`, may } });
    if ("faults" in read) throw new Error(JSON.stringify(read.faults));
    return openWithoutUsers("ecp", read.configuration, { hostname, port: 2008 });
  };
  assertEquals(
    said("operate", "0.0.0.0"),
    "anyone who reaches 0.0.0.0 port 2008 may operate over ECP, which knows no users; " +
      'to change that set ecp.may to "view" in the configuration',
  );
  assertEquals(said("view", "0.0.0.0"), undefined);
  assertEquals(said("operate", "127.0.0.1"), undefined);
});

Deno.test("ecp of a configuration may have listen and may, and both are checked", () => {
  const rows: readonly (readonly [ecp: object, path: string])[] = [
    [{}, "ecp.listen"],
    [{ listen: "2008" }, "ecp.listen"],
    [{ listen: "127.0.0.1:2008", may: "press" }, "ecp.may"],
    [{ listen: "127.0.0.1:2008", gpis: [1] }, "ecp.gpis"],
  ];
  for (const [ecp, path] of rows) {
    const read = readConfiguration({ ecp });
    assertEquals("faults" in read && read.faults.map((fault) => fault.path), [path]);
  }
});
