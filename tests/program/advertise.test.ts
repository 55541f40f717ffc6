/** What a service says of itself in the local network, by real multicast. */
import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { startFaderd, temporaryFolder } from "./faderd.ts";
import { hasNetworks } from "./network.ts";
import { seesServices } from "./sees-services.ts";

Deno.test({
  name: "with advertise a service says where it is, says its new name, and says goodbye",
  ignore: !hasNetworks,
  fn: () => seesServices(),
});

Deno.test("with advertise a service that listens to its machine alone says so, and serves", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/console.json`;
  await Deno.writeTextFile(config, JSON.stringify({ mixers: [{ faders: 1 }], advertise: true }));
  await using running = await startFaderd("--config", config, "--data", `${folder.path}/data`);
  await until(() => running.stderr.includes("advertise"));
  assertMatch(running.stderr, /advertise: the service listens to this machine alone/);
  assertEquals((await (await fetch(`${running.url}/health`)).json()).ready, true);
});
