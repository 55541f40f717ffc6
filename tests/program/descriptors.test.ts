import { assertEquals } from "@std/assert";
import { until } from "../service.ts";
import { type Running, startFaderd, temporaryFolder } from "./faderd.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";

const read = (name: string) =>
  Deno.readTextFileSync(new URL(`./certificates/${name}.pem`, import.meta.url));

/** A service with at most 80 descriptors, and its HTTPS address. */
async function start(folder: string): Promise<{ service: Running; tls: URL }> {
  const service = await startFaderd("--data", `${folder}/data`, "--listen-tls", "127.0.0.1:0");
  const archive = await archiveOf({ name: "tls.pem", content: read("one") });
  assertEquals((await restoreTo(service, archive, ["TLS"], adminOf(service))).Error, undefined);
  await new Deno.Command("prlimit", { args: [`--pid=${service.pid}`, "--nofile=80"] }).output();
  return { service, tls: new URL(/HTTPS on (https:\S+?)(,|\n)/.exec(service.stdout)![1]!) };
}

for (const protocol of ["http:", "https:"]) {
  Deno.test({
    name:
      `more ${protocol} connections than the machine can take end nothing: once they are gone it answers again`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      await using folder = await temporaryFolder();
      const { service, tls } = await start(folder.path);
      await using _ = service;
      using client = Deno.createHttpClient({ caCerts: [read("ca")] });
      const url = protocol === "http:" ? new URL(service.url) : tls;
      const connections: Deno.Conn[] = [];
      try {
        for (let count = 0; count < 90; count++) {
          connections.push(await Deno.connect({ hostname: url.hostname, port: Number(url.port) }));
        }
      } catch {
        // It does not accept connections any more: the test is that it recovers from this.
      }
      await until(() => /Too many open files/.test(service.stderr));
      for (const connection of connections) connection.close();
      let answer: string | undefined;
      for (let tries = 0; answer === undefined && tries < 150; tries++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        answer = await fetch(new URL("/action/getgloballabel?ObjectID=1", url), {
          client,
          signal: AbortSignal.timeout(300),
        }).then((answer) => answer.text(), () => undefined);
      }
      assertEquals(answer, "Studio 1");
    },
  });
}
