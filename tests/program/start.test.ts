/**
 * The warnings of a start about the machine, the configuration and the data.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { openToAnybody, openToForgedAddresses } from "../../program/start.ts";
import { demoWith } from "../service.ts";
import { startFaderd as startProcess, startFaderdIn } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { sceneOf, stopped } from "./scene.ts";

function configured(parts: Partial<WrittenConfiguration>) {
  const read = readConfiguration(demoWith(parts));
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}

const at = (hostname: string, port = 8080) => ({ hostname, port });

const required = { auth: "required" } as const;

/**
 * Parts of configurations, and whether clients on other machines may write without a token there.
 */
const rows: readonly (readonly [parts: Partial<WrittenConfiguration>, open: boolean])[] = [
  [{}, true],
  [{ websocket: required }, true],
  [{ restApi: required }, true],
  [{ restApi: { enabled: false } }, true],
  [{ websocket: required, restApi: { auth: "none" } }, true],
  [{ restApi: { auth: "none", enabled: false } }, true],
  [{ restApi: { writesByGet: false } }, true],
  [required, false],
  [{ anonymous: "view" }, false],
  [{ anonymous: "none", restApi: { auth: "none" } }, false],
  [{ ...required, restApi: { auth: "none" } }, false],
  [{ websocket: required, restApi: required }, false],
  [{ websocket: required, restApi: { enabled: false } }, false],
  [{ websocket: required, licenses: [] }, false],
  [{ websocket: required, device: { firmware: "9.0.0" } }, false],
];

Deno.test("beyond loopback a start names the addresses where clients may write without a token, and how to close them", () => {
  const expected = "anyone who reaches 0.0.0.0 port 8080 may write without a token; " +
    'to change that set auth to "required" in the configuration';
  for (const [parts, open] of rows) {
    const said = openToAnybody(configured(parts), [at("0.0.0.0")]);
    assertEquals(said, open ? expected : undefined, JSON.stringify(parts));
    const closed = configured({ ...parts, ...required });
    assertEquals(openToAnybody(closed, [at("0.0.0.0")]), undefined, JSON.stringify(parts));
  }
});

Deno.test("with trustProxy a start names the addresses where clients other than the proxy may forge their address", () => {
  const trusting = configured({ limits: { rest: { trustProxy: true } } });
  const said = openToForgedAddresses(trusting, [at("127.0.0.1"), at("0.0.0.0", 8443)]);
  assertStringIncludes(said ?? "", "lets anyone who reaches 0.0.0.0 port 8443 claim any address");
  assertEquals(openToForgedAddresses(trusting, [at("127.0.0.1")]), undefined);
  assertEquals(openToForgedAddresses(configured({}), [at("0.0.0.0")]), undefined);
});

Deno.test("a start does not warn of an address on loopback", () => {
  const said = (hostname: string) =>
    openToAnybody(configured({}), [at("127.0.0.1"), at(hostname, 8443)]);
  for (const hostname of ["127.0.0.1", "127.1.2.3", "::1", "localhost", "::ffff:127.0.0.1"]) {
    assertEquals(said(hostname), undefined, hostname);
  }
  for (const hostname of ["0.0.0.0", "::", "192.168.1.27", "fe80::1", "127.0.0.1.example"]) {
    assertStringIncludes(said(hostname) ?? "", `reaches ${hostname} port 8443 may`);
  }
});

Deno.test("a start prints the warning once on standard error, only beyond loopback", async () => {
  await using scene = await sceneOf(demoWith(required));
  const listen = ["--listen", "0.0.0.0:0", "--listen-tls", "0.0.0.0:0"];
  for (const [options, times] of [[scene.onData, 1], [scene.options, 0]] as const) {
    const { stdout, stderr } = await stopped(await startProcess(...options, ...listen));
    assertEquals(stderr.split("may write without a token").length - 1, times);
    assertEquals(stdout.includes("without a token"), false);
  }
});

Deno.test("a new data folder is readable only by its owner; a start warns of a folder that others can read", async () => {
  await using scene = await sceneOf();
  const { data } = scene;
  for (const mode of [undefined, 0o755, 0o710, 0o704, 0o770, 0o700]) {
    if (mode !== undefined) await Deno.chmod(data, mode);
    const { stderr } = await stopped(await scene.start());
    const octal = mode?.toString(8) ?? "700";
    assertEquals((await Deno.stat(data)).mode! & 0o777, parseInt(octal, 8));
    const line = `faderd: ${data} is open to others on this machine (mode ${octal}); ` +
      `close it: chmod 700 ${data}`;
    assertEquals(stderr.split("\n").includes(line), octal !== "700", stderr);
  }
});

Deno.test("a start warns if Deno's traces would contain tokens, and not if only metrics are sent", async () => {
  for (const tracing of [true, false]) {
    await using scene = await sceneOf();
    const env = {
      OTEL_DENO: "true",
      OTEL_DENO_TRACING: `${tracing}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    };
    await using running = await startFaderdIn({ env }, ...scene.options);
    assertEquals(running.stderr.includes("OTEL_DENO_TRACING=false"), tracing, running.stderr);
  }
});

Deno.test("hooks.applied that is not a program is a fault of the configuration, in config check and at a start", async () => {
  await using scene = await sceneOf({});
  const { config, path } = scene;
  const plain = scene.file("plain");
  await Deno.writeTextFile(plain, "#!/bin/sh\n", { mode: 0o644 });
  const expected = "hooks.applied: expected the absolute path of a program that may be run, ";
  const rows = [
    ["hook.sh", 'got "hook.sh"'],
    ["/nowhere/hook.sh", "/nowhere/hook.sh is not there"],
    [path, `${path} is not a file`],
    [plain, `${plain} has mode 644`],
  ] as const;
  for (const [applied, why] of rows) {
    scene.configure({ mixers: [], hooks: { applied } });
    for (const args of [["config", "check", config], ["serve", ...scene.options]]) {
      const { code, stdout, stderr } = await faderd(...args);
      assertEquals([code, stdout], [1, ""]);
      assertEquals(
        stderr,
        `faderd: ${config} is not a valid configuration:\n  ${expected}${why}\n`,
      );
    }
    assertEquals(await Deno.stat(scene.data).catch(() => "nothing"), "nothing");
  }
});

Deno.test("a start warns if it has no permission to run hooks.applied", async () => {
  const applied = "/bin/true";
  for (const allowed of [[], [`--allow-run=${applied}`]]) {
    await using scene = await sceneOf({ mixers: [], hooks: { applied } });
    await using running = await startFaderdIn({ allowed }, ...scene.options);
    const said = running.stderr.includes(`start with --allow-run=${applied}`);
    assertEquals(said, allowed.length === 0, running.stderr);
  }
});

Deno.test("a start warns of a console without mixers, and of an unknown license", async () => {
  const rows = [
    [{}, "faderd: the configuration has no mixer, so there is nothing to mix\n"],
    [
      demoWith({ licenses: ["52-1"] }),
      'faderd: licenses: unknown "52-1"; the known licenses are ',
    ],
  ] as const;
  for (const [written, sentence] of rows) {
    await using scene = await sceneOf(written);
    assertStringIncludes((await stopped(await scene.start())).stderr, sentence);
  }
});
