/** `GET /metrics`. */
import { X509Certificate } from "node:crypto";
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { VERSION } from "../../program/version.ts";
import { createMetrics } from "../../transport/metrics.ts";
import { openSocket } from "../service.ts";
import { startFaderd, temporaryFolder, tokenIn } from "../program/faderd.ts";
import { adminOf, archiveOf, restoreTo } from "../program/restores.ts";

Deno.test("a histogram counts the values at or below each of its bounds", () => {
  const metrics = createMetrics(() => [["connections", "WebSockets that are open.", 0]]);
  for (const seconds of [0.001, 0.004, 0.004, 9]) {
    metrics.answered("websocket", "set", seconds, "ok");
  }
  const text = metrics.text();
  const bucket = (le: string) =>
    Number(text.split(`bucket{over="websocket",le="${le}"} `)[1]!.split("\n")[0]);
  assertEquals(["0.001", "0.0025", "0.005", "2.5", "+Inf"].map(bucket), [1, 1, 3, 3, 4]);
  assertStringIncludes(text, 'faderd_answer_seconds_count{over="websocket"} 4\n');
  assertStringIncludes(text, 'faderd_requests_total{over="websocket",kind="set",outcome="ok"} 4\n');
});

Deno.test("every line is a comment or a sample, and each family is described once", () => {
  const metrics = createMetrics(() => [["connections", "WebSockets that are open.", 0]]);
  metrics.answered("http", "/health", 0.1, "ok");
  const lines = metrics.text().trimEnd().split("\n");
  const sample = /^faderd_[a-z_]+({[a-z]+="[^"]*"(,[a-z]+="[^"]*")*})? [0-9.e+-]+$/;
  for (const line of lines.filter((line) => !line.startsWith("#"))) assertMatch(line, sample);
  const types = lines.filter((line) => line.startsWith("# TYPE")).map((line) => line.split(" ")[2]);
  assertEquals(types, [...new Set(types)]);
});

Deno.test("refused tokens are 0 before the first one, so that an alert counts a first burst", () => {
  const metrics = createMetrics(() => []);
  const refusals = () => metrics.text().match(/^faderd_refusals_total\{.*$/gm);
  assertEquals(refusals(), ['faderd_refusals_total{code="4"} 0']);
  metrics.refused(4);
  assertEquals(refusals(), ['faderd_refusals_total{code="4"} 1']);
});

async function configured(folder: string, parts: object): Promise<string> {
  const file = `${folder}/${crypto.randomUUID()}.json`;
  await Deno.writeTextFile(file, JSON.stringify({ mixers: [{ faders: 2 }], ...parts }));
  return file;
}

Deno.test("a service counts requests, refusals, clients and ticks", async () => {
  await using folder = await temporaryFolder();
  const config = await configured(folder.path, { metrics: true });
  await using running = await startFaderd("--config", config, "--data", `${folder.path}/data`);
  const socket = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
  await socket.ask({ method: "subscribe", path: "/control" });
  await socket.ask({ method: "get", path: "/nowhere" });
  await socket.ask({ method: "nosuch" });
  const faded = await socket.rpc("fadetovalue", { fader: 0, time: 0.1, value: 0 });
  assertEquals(faded.error, undefined);
  // Until the fade has ended.
  while (
    (await socket.ask({ method: "get", path: "/audio/mixers/0/faders/0/fader" })).payload !== 0
  );
  await (await fetch(`${running.url}/action/nosuch`)).text();
  await (await fetch(`${running.url}/action/setgloballabel?ObjectID=1`)).text();
  const answer = await fetch(`${running.url}/metrics`);
  assertEquals(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const text = await answer.text();
  const count = (name: string) => Number(new RegExp(`faderd_${name} (\\d+)`).exec(text)?.[1]);
  for (
    const line of [
      'requests_total{over="websocket",kind="subscribe",outcome="ok"} 1',
      'requests_total{over="websocket",kind="get",outcome="6"} 1',
      'requests_total{over="websocket",kind="none",outcome="2"} 1',
      'requests_total{over="http",kind="/action/",outcome="404"} 1',
      'refusals_total{code="3"} 1',
      "connections 1",
      "subscriptions 1",
      "stored 1",
      "storage_slow 0",
      "engine_late 0",
      `build_info{version="${VERSION}"} 1`,
    ]
  ) assertStringIncludes(text, `faderd_${line}\n`);
  for (const file of ["grafana/faderd.json", "prometheus/faderd.rules.yml"]) {
    const url = new URL(`../../tools/packaging/${file}`, import.meta.url);
    for (const [name] of (await Deno.readTextFile(url)).matchAll(/faderd_[a-z_]+/g)) {
      // There is no such metric without a certificate.
      if (name === "faderd_certificate_expiry_seconds") continue;
      // A hub has these metrics.
      if (name.startsWith("faderd_fleet_")) continue;
      assertStringIncludes(text, `# TYPE ${name.replace(/_(bucket|count)$/, "")} `);
    }
  }
  for (
    const name of [
      "tick_late_seconds_count",
      "log_sync_seconds_count",
      "log_bytes",
      "resident_bytes",
      "start_time_seconds",
    ]
  ) assert(count(name) > 0, name);
  assertAlmostEquals(count("start_time_seconds"), Date.now() / 1000, 60);
  assertEquals(text.includes("certificate_expiry"), false, "there is none");
  await socket.close();
});

Deno.test("the metrics have the expiry of the certificate, and of a new one once it is restored", async () => {
  await using folder = await temporaryFolder();
  const parts = { metrics: true, limits: { rest: { burst: 0 } } };
  const config = await configured(folder.path, parts);
  await using running = await startFaderd("--config", config, "--data", `${folder.path}/data`);
  const expiry = async () => {
    const text = await (await fetch(`${running.url}/metrics`)).text();
    const found = /^faderd_certificate_expiry_seconds (\d+)$/m.exec(text)?.[1];
    return found === undefined ? undefined : new Date(Number(found) * 1000).toUTCString();
  };
  for (const name of ["one", "authority"]) {
    const pem = new URL(`../program/certificates/${name}.pem`, import.meta.url);
    const archive = await archiveOf({ name: "tls.pem", content: await Deno.readTextFile(pem) });
    assertEquals((await restoreTo(running, archive, ["TLS"], adminOf(running))).Error, undefined);
    const { validTo } = new X509Certificate(await Deno.readTextFile(pem));
    // The certificate is read after the answer.
    while (await expiry() !== new Date(validTo).toUTCString());
  }
});

Deno.test("metrics are off by default, and need a token if auth requires one", async () => {
  await using folder = await temporaryFolder();
  const rows = [[{}, 404, 404], [{ metrics: true, auth: "required" }, 401, 200]] as const;
  for (const [at, [parts, without, withToken]] of rows.entries()) {
    const config = await configured(folder.path, parts);
    const data = `${folder.path}/data-${at}`;
    await using running = await startFaderd("--config", config, "--data", data);
    const headers = { authorization: `Bearer ${tokenIn(running.stdout)}` };
    const url = `${running.url}/metrics`;
    const statuses = [];
    for (const init of [{}, { headers }]) {
      const answer = await fetch(url, init);
      await answer.text();
      statuses.push(answer.status);
    }
    assertEquals(statuses, [without, withToken]);
  }
});
