import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { startFaderd, temporaryFolder } from "./faderd.ts";

Deno.test({
  name:
    "more connections than the machine can take end nothing: once they are gone it answers again",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using folder = await temporaryFolder();
    await using service = await startFaderd("--data", folder.path);
    await new Deno.Command("prlimit", { args: [`--pid=${service.pid}`, "--nofile=80"] }).output();
    const { hostname, port } = new URL(service.url);
    const connections: Deno.Conn[] = [];
    try {
      for (let count = 0; count < 150; count++) {
        connections.push(await Deno.connect({ hostname, port: Number(port) }));
      }
    } catch {
      // It listens no more: that is the case to get over.
    }
    await until(() => /Too many open files/.test(service.stderr));
    for (const connection of connections) connection.close();
    let label: unknown;
    for (let tries = 0; label === undefined && tries < 50; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      label = await fetch(`${service.url}/action/getgloballabel?ObjectID=1`)
        .then((answer) => answer.text(), () => undefined);
    }
    assertEquals(label, "Studio 1");
    assertMatch(service.stderr, /Too many open files/);
  },
});
