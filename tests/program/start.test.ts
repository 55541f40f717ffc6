/** What a start says of who may write without a token. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { openToAnybody } from "../../program/start.ts";
import { demoWith } from "../service.ts";
import { startFaderd as startProcess, startFaderdIn, temporaryFolder } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";

function configured(parts: Partial<WrittenConfiguration>) {
  const read = readConfiguration(demoWith(parts));
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}

const at = (hostname: string, port = 8080) => ({ hostname, port });

const required = { auth: "required" } as const;

/** Whether others may write without a token. */
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

for (const [parts, open] of rows) {
  Deno.test(`beyond loopback, ${JSON.stringify(parts)}: ${open ? "anybody writes" : "nobody writes"} without a token`, () => {
    assertEquals(
      openToAnybody(configured(parts), [at("0.0.0.0")]),
      open
        ? "whoever reaches 0.0.0.0 port 8080 may write without a token; " +
          'to change that set auth to "required" in the configuration'
        : undefined,
    );
  });

  if (!open) continue;
  Deno.test(`… and what it says to set closes it, ${JSON.stringify(parts)}`, () => {
    const closed = configured({ ...parts, ...required });
    assertEquals(openToAnybody(closed, [at("0.0.0.0")]), undefined);
  });
}

Deno.test("an address that only this machine reaches is none to warn of", () => {
  for (
    const [hostname, loopback] of [
      ["127.0.0.1", true],
      ["127.1.2.3", true],
      ["::1", true],
      ["localhost", true],
      ["::ffff:127.0.0.1", true],
      ["0.0.0.0", false],
      ["::", false],
      ["192.168.1.27", false],
      ["fe80::1", false],
      ["127.0.0.1.example", false],
    ] as const
  ) {
    const sentence = openToAnybody(configured({}), [at("127.0.0.1"), at(hostname, 8443)]);
    assertEquals([hostname, sentence === undefined], [hostname, loopback]);
    if (!loopback) assertStringIncludes(sentence!, `reaches ${hostname} port 8443 may`);
  }
});

Deno.test("a start says it once on standard error, beyond loopback only", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/locked.json`;
  await Deno.writeTextFile(config, JSON.stringify(demoWith(required)));
  for (
    const [args, times] of [
      [["--listen", "0.0.0.0:0", "--listen-tls", "0.0.0.0:0"], 1],
      [["--listen", "0.0.0.0:0", "--config", config], 0],
    ] as const
  ) {
    const data = `${folder.path}/${crypto.randomUUID()}`;
    await using running = await startProcess("--data", data, ...args);
    running.kill("SIGTERM");
    const { stdout, stderr } = await running.ended();
    assertEquals([args, stderr.split("may write without a token").length - 1], [args, times]);
    assert(!stdout.includes("without a token"));
  }
});

Deno.test("the data folder is made for its owner alone; one that is open to others is said at the start", async () => {
  await using folder = await temporaryFolder();
  const made = `${folder.path}/made`;
  const modes: unknown[] = [];
  for (const mode of [undefined, 0o755, 0o710, 0o704, 0o770, 0o700]) {
    if (mode !== undefined) await Deno.chmod(made, mode);
    await using running = await startFaderd("--data", made);
    running.kill("SIGTERM");
    const lines = (await running.ended()).stderr.split("\n")
      .filter((line) => line.includes("open to others"));
    modes.push([(await Deno.stat(made)).mode! & 0o777, lines]);
  }
  const said = (mode: string) =>
    `faderd: ${made} is open to others on this machine (mode ${mode}); close it: chmod 700 ${made}`;
  assertEquals(modes, [
    [0o700, []],
    [0o755, [said("755")]],
    [0o710, [said("710")]],
    [0o704, [said("704")]],
    [0o770, [said("770")]],
    [0o700, []],
  ]);
});

Deno.test("a start says where Deno's traces would tell tokens, and not where it sends metrics alone", async () => {
  await using folder = await temporaryFolder();
  for (const tracing of [true, false]) {
    const env = {
      OTEL_DENO: "true",
      OTEL_DENO_TRACING: `${tracing}`,
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
    };
    await using running = await startFaderdIn({ env }, "--data", `${folder.path}/${tracing}`);
    assertEquals(running.stderr.includes("OTEL_DENO_TRACING=false"), tracing, running.stderr);
  }
});

Deno.test("hooks.applied that is no program is a fault of the configuration, to the check and to the start", async () => {
  await using folder = await temporaryFolder();
  const [config, plain] = [`${folder.path}/console.json`, `${folder.path}/plain`];
  await Deno.writeTextFile(plain, "#!/bin/sh\n", { mode: 0o644 });
  const expected = "hooks.applied: expected the absolute path of a program that may be run, ";
  for (
    const [applied, why] of [
      ["hook.sh", 'got "hook.sh"'],
      ["/nowhere/hook.sh", "/nowhere/hook.sh is not there"],
      [folder.path, `${folder.path} is no file`],
      [plain, `${plain} has mode 644`],
    ] as const
  ) {
    await Deno.writeTextFile(config, JSON.stringify({ mixers: [], hooks: { applied } }));
    const data = `${folder.path}/data`;
    const start = ["serve", "--config", config, "--data", data, "--listen", "127.0.0.1:0"];
    for (const args of [["config", "check", config], start]) {
      const { code, stdout, stderr } = await faderd(...args);
      assertEquals([code, stdout], [1, ""]);
      assertEquals(stderr, `faderd: ${config} is no valid configuration:\n  ${expected}${why}\n`);
    }
    assertEquals(await Deno.stat(data).catch(() => "nothing"), "nothing");
  }
});

Deno.test("hooks.applied that the service may not run is said at its start", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/console.json`;
  const applied = "/bin/true";
  await Deno.writeTextFile(config, JSON.stringify({ mixers: [], hooks: { applied } }));
  for (const allowed of [[], ["--allow-run=/bin/true"]]) {
    const data = `${folder.path}/${allowed.length}`;
    await using running = await startFaderdIn({ allowed }, "--config", config, "--data", data);
    const said = running.stderr.includes("start with --allow-run=/bin/true");
    assertEquals(said, allowed.length === 0, running.stderr);
  }
});
