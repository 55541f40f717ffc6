/** Ember+ in the program: its address, its messages, and the sources that it loads. */
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { openWithoutUsers } from "../../program/start.ts";
import { type Json, until } from "../service.ts";
import { connectConsumer } from "../transport/ember/consumer.ts";
import { faderd, startFaderd } from "./faderd.ts";
import { sceneOf, stopped } from "./scene.ts";

const configuration = { mixers: [{ faders: 2 }], ember: { listen: "127.0.0.1:0" } };

function portIn(stdout: string): number {
  return Number(/^Ember\+ on 127\.0\.0\.1 port (\d+)$/m.exec(stdout)![1]);
}

Deno.test("a service with ember prints its address, serves it, writes the audit trail, and ends", async () => {
  await using scene = await sceneOf(configuration);
  // Under `task start`, with only the permissions that its configuration needs.
  await using running = await startFaderd(...scene.options);
  await using consumer = await connectConsumer({ port: portIn(running.stdout) });
  const answered = consumer.next("1.4.1.1");
  await consumer.set("1.4.1.1", -20);
  assertEquals((await answered).contents, { 2: -20 });
  await stopped(running);
  await until(() => consumer.isClosed);
  const lines = Deno.readTextFileSync(`${scene.data}/audit.log`).trim().split("\n");
  const { from, what, changes } = JSON.parse(lines.at(-1)!) as Json;
  assertEquals([from, what, changes[0].after], ["ember:127.0.0.1", "set", -20]);
});

Deno.test("task start lets the service listen on the addresses of its configuration, also of that in the data folder", async () => {
  // No other option allows this address.
  const text = JSON.stringify({ mixers: [], ember: { listen: "127.0.0.3:0" } }, null, 2);
  await using named = await sceneOf();
  Deno.writeTextFileSync(named.config, text);
  await using own = await sceneOf();
  Deno.mkdirSync(own.data, { mode: 0o700 });
  Deno.writeTextFileSync(`${own.data}/configuration.json`, text);
  for (const options of [[...named.onData, "--config", named.config], own.onData]) {
    await using running = await startFaderd(...options);
    assertMatch(running.stdout, /^Ember\+ on 127\.0\.0\.3 port \d+$/m);
  }
});

Deno.test("a port in use ends the start, and leaves no data behind", async () => {
  const taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = taken.addr;
  await using scene = await sceneOf({ ...configuration, ember: { listen: `127.0.0.1:${port}` } });
  const { code, stderr } = await faderd("serve", "--listen", "127.0.0.1:0", ...scene.options);
  assertEquals(code, 1);
  assertMatch(stderr, new RegExp(`ember\\.listen: cannot listen on 127\\.0\\.0\\.1:${port}`));
  await Deno.stat(scene.data).then(
    () => assertEquals("there", "not there"),
    (fault) => assertEquals(fault instanceof Deno.errors.NotFound, true),
  );
  taken.close();
});

Deno.test("beyond loopback a start warns of the rights of every client that reaches Ember+", () => {
  const said = (may: "view" | "operate" | "configure", hostname: string) => {
    const read = readConfiguration({ ember: { listen: `${hostname}:9000`, may } });
    if ("faults" in read) throw new Error(JSON.stringify(read.faults));
    return openWithoutUsers("ember", read.configuration, { hostname, port: 9000 });
  };
  assertEquals(
    said("operate", "0.0.0.0"),
    "anyone who reaches 0.0.0.0 port 9000 may operate over Ember+, which knows no users; " +
      'to change that set ember.may to "view" in the configuration',
  );
  assertStringIncludes(said("configure", "10.1.2.3") ?? "", "may configure");
  assertEquals(said("view", "0.0.0.0"), undefined);
  assertEquals(said("configure", "127.0.0.1"), undefined);
});

Deno.test("ember of a configuration is checked: its address, its right, its elements", () => {
  const rows: readonly (readonly [ember: unknown, path: string])[] = [
    [{}, "ember.listen"],
    [{ listen: "9000" }, "ember.listen"],
    [{ listen: "127.0.0.1:65536" }, "ember.listen"],
    [{ listen: "127.0.0.1:9000", may: "press" }, "ember.may"],
    [{ listen: "127.0.0.1:9000", gpis: ["1"] }, "ember.gpis.0"],
    [{ listen: "127.0.0.1:9000", gpos: [1, 7] }, "ember.gpos.1"],
    [
      { listen: "127.0.0.1:9000", elements: { GPI: { identifier: "7" } } },
      "ember.elements.GPI.identifier",
    ],
    [{ listen: "127.0.0.1:9000", elements: { GPI: { number: 0 } } }, "ember.elements.GPI.number"],
  ];
  for (const [ember, path] of rows) {
    const read = readConfiguration({ ember, logics: [{ id: 1 }] });
    assertEquals("faults" in read && read.faults.map((fault) => fault.path), [path]);
  }
  const clashes = [
    [{ GPI: { number: 3 } }, "GPI and GPO both have the number 3"],
    [
      { "Channels/On": { identifier: "Label" } },
      "Channels/On and Channels/Label both have the identifier Label",
    ],
  ] as const;
  for (const [elements, reason] of clashes) {
    const read = readConfiguration({ ember: { listen: "127.0.0.1:9000", elements } });
    assertEquals("faults" in read && read.faults, [{ path: "ember.elements", reason }]);
  }
  const free = { listen: "[::1]:9000", elements: { GPI: { number: 3 }, GPO: { number: 2 } } };
  assertEquals("faults" in readConfiguration({ ember: free }), false);
});
