/** `faderd doctor`: its checks of a sound console, and of a console with each fault. */
import { createServer } from "node:tls";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { checks } from "../../program/doctor/checks.ts";
import { openSocket } from "../service.ts";
import { faderd } from "./in-process.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";
import { rpc, type Scene, sceneOf, stopped } from "./scene.ts";

const CONFIGURATION = {
  device: { name: "studio-1", serial: "0815" },
  auth: "required",
  siteKey: "what the consoles of a site share",
  mixers: [{ faders: 2 }],
  limits: { rest: { burst: 0 } },
};

const pem = (name: string) =>
  Deno.readTextFileSync(new URL(`./certificates/${name}.pem`, import.meta.url));

interface Said {
  readonly code: number;
  readonly stderr: string;
  /** The state, the sentence and the advice of each check. */
  readonly found: Readonly<Record<string, readonly [string, string, string | null]>>;
}

async function doctor(...options: string[]): Promise<Said> {
  const { code, stdout, stderr } = await faderd("doctor", ...options, "--json");
  const { well, checks } = JSON.parse(stdout);
  assertEquals(well, code === 0);
  return {
    code,
    stderr,
    found: Object.fromEntries(
      checks.map((one: Record<string, string>) => [one.check, [one.state, one.says, one.advice]]),
    ),
  };
}

const wrongIn = ({ found }: Said) =>
  Object.entries(found).filter(([, [state]]) => state === "wrong").map(([check]) => check);

const portOf = (url: string) => new URL(url).host;

/** The scene of a service that has run and was stopped. */
async function stoppedScene(): Promise<Scene> {
  const scene = await sceneOf(CONFIGURATION);
  await stopped(await scene.start());
  return scene;
}

Deno.test("a running and a stopped service without faults pass all checks, and nothing is changed", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const service = await scene.start("--listen-tls", "127.0.0.1:0");
  const archive = await archiveOf({ name: "tls.pem", content: pem("one") });
  await restoreTo(service, archive, ["TLS"], adminOf(service));
  const tls = portOf(/HTTPS on (https:[^\s,]+)/.exec(service.stdout)![1]!);
  const running = await doctor(
    ...scene.options,
    "--listen",
    portOf(service.url),
    "--listen-tls",
    tls,
  );
  assertEquals([running.code, running.stderr, wrongIn(running)], [0, "", []]);
  assertStringIncludes(running.found.service![1], "stores what is changed");
  assertStringIncludes(running.found.certificate![1], "valid until 2126");
  await stopped(service);
  const files = () => [...Deno.readDirSync(scene.data)].map(({ name }) => name).sort();
  const before = files();
  const at = ["--listen", portOf(service.url), "--listen-tls", tls];
  const after = await doctor(...scene.options, ...at);
  assertEquals([after.code, wrongIn(after)], [0, []], JSON.stringify(after.found));
  assertEquals(after.found.users, ["well", "users: 1, admins: 1", null]);
  assertStringIncludes(after.found.certificate![1], "valid until 2126");
  assertEquals(files(), before);
});

Deno.test("another console at the address of a stopped one is not taken for it", async () => {
  await using other = await sceneOf(CONFIGURATION);
  await using scene = await stoppedScene();
  const running = await other.start();
  const found = await doctor(...scene.options, "--listen", portOf(running.url));
  assertEquals([found.code, wrongIn(found)], [1, ["ports"]]);
  assertStringIncludes(found.found.service![1], "no process uses");
  assertStringIncludes(found.found.engine![1], "once the service runs");
  await stopped(running);
});

Deno.test("the page has a row for each check, in the order of the table", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/operating.md", import.meta.url));
  const section = page.split("### Checking a console")[1]!.split("\n## ")[0]!;
  const rows = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  assertEquals(rows, Object.keys(checks));
});

Deno.test("without --json each check is a line, with its advice below", async () => {
  await using scene = await stoppedScene();
  await Deno.chmod(scene.data, 0o755);
  const { code, stdout, stderr } = await faderd(
    "doctor",
    ...scene.options,
    "--listen",
    "127.0.0.1:0",
  );
  assertEquals([code, stderr], [1, "faderd: not well: rights\n"]);
  assert(/^well {3}configuration {2}.*console\.json: studio-1, mixers: 1$/m.test(stdout), stdout);
  assert(/^wrong {2}rights .*mode 755\)\n +> chmod 700 .*data$/m.test(stdout), stdout);
});

/** A fault of a stopped console, the check that finds it, its sentence and its advice. */
const FAULTS: Readonly<
  Record<string, readonly [harm: (scene: Scene) => unknown, check: string, says: string]>
> = {
  "a configuration with faults": [
    ({ configure }) => configure({ ...CONFIGURATION, mixers: [{ faders: -1 }] }),
    "configuration",
    "mixers.0.faders",
  ],
  "a configuration that is not JSON": [
    ({ config }) => Deno.writeTextFileSync(config, "{"),
    "configuration",
    "is not JSON",
  ],
  "a folder that others can read": [
    ({ data }) => Deno.chmodSync(data, 0o750),
    "rights",
    "mode 750",
  ],
  "a damaged log": [
    ({ data }) => {
      const file = `${data}/00000001.log`;
      Deno.writeFileSync(file, Deno.readFileSync(file).fill(0, 0, 8192));
    },
    "log",
    "00000001.log is damaged at offset",
  ],
  "a clock that is before the last change": [
    ({ data }) => Deno.utimeSync(`${data}/console.json`, new Date(), new Date("2100-01-01")),
    "clock",
    "is before the last change",
  ],
  "a hook that others can write": [
    ({ configure, file }) => {
      Deno.writeTextFileSync(file("hook"), "#!/bin/sh\n");
      Deno.chmodSync(file("hook"), 0o777);
      configure({ ...CONFIGURATION, hooks: { applied: file("hook") } });
    },
    "hooks",
    "can be written to by others",
  ],
};

for (const [name, [harm, check, says]] of Object.entries(FAULTS)) {
  Deno.test(`${name}: one check finds it, with advice, and no other fails`, async () => {
    await using scene = await stoppedScene();
    await harm(scene);
    const said = await doctor(...scene.options, "--listen", "127.0.0.1:0");
    assertEquals([said.code, wrongIn(said)], [1, [check]], JSON.stringify(said.found));
    const [, found, advice] = said.found[check]!;
    assertStringIncludes(found, says);
    assert(advice !== null && advice !== "");
    assertEquals(said.stderr, `faderd: not well: ${check}\n`);
  });
}

Deno.test("data of another console, and a console without an admin, are found", async () => {
  await using scene = await stoppedScene();
  const strange = await doctor(...scene.onData, "--listen", "127.0.0.1:0");
  assertEquals(wrongIn(strange), ["folder"]);
  assertStringIncludes(strange.found.folder![1], "is the data of studio-1 (serial number 0815)");
  await using other = await sceneOf(CONFIGURATION);
  await faderd("user", "add", "anna", "--groups", "1", ...other.onData);
  const none = await doctor(...other.options, "--listen", "127.0.0.1:0");
  assertEquals(wrongIn(none), ["users"]);
});

Deno.test("a port of another program, and a missing port of the service, are found", async () => {
  await using scene = await stoppedScene();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken = await doctor(...scene.options, "--listen", `127.0.0.1:${listener.addr.port}`);
  assertEquals(wrongIn(taken), ["ports"]);
  await using service = await scene.start();
  const free = ["--listen-tls", "127.0.0.1:1"];
  const silent = await doctor(...scene.options, "--listen", portOf(service.url), ...free);
  assertEquals(wrongIn(silent), ["ports", "certificate"]);
  const elsewhere = await doctor(...scene.options, "--listen", "127.0.0.1:0");
  assertEquals(wrongIn(elsewhere), ["service"], "a process has the folder, and does not answer");
});

Deno.test("an expired certificate is found at the port that uses it", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  await using service = await scene.start();
  const [cert, key] = pem("expired").split(/(?=-----BEGIN PRIVATE KEY)/);
  const server = createServer({ cert: cert!, key: key! });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const tls = ["--listen", portOf(service.url), "--listen-tls", `127.0.0.1:${port}`];
  const said = await doctor(...scene.options, ...tls);
  assertEquals(wrongIn(said), ["certificate"]);
  assertStringIncludes(said.found.certificate![1], "expired: valid until ");
  await new Promise((resolve) => server.close(resolve));
});

Deno.test("a lost engine is found", async () => {
  await using scene = await sceneOf({ ...CONFIGURATION, auth: "optional" });
  await using service = await scene.start();
  const user = { name: "audio", groups: 1, engine: true };
  const { token } = (await rpc(service, adminOf(service), "adduser", user)).payload.result;
  const socket = await openSocket(`${service.url.replace("http", "ws")}/api/ws`);
  await socket.ask({ method: "auth", token });
  assert((await socket.ask({ method: "engine", paths: ["/audio/mixers/0"] })).success);
  const look = () => doctor(...scene.options, "--listen", portOf(service.url));
  assertEquals((await look()).found.engine, ["well", "it runs, and keeps up", null]);
  await socket.close();
  let said = await look();
  while (said.code === 0) said = await look();
  assertEquals(wrongIn(said), ["engine"]);
});

Deno.test("the addresses and the hook of a service are read from the file of its systemd unit", async () => {
  await using scene = await stoppedScene();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  const hook = scene.file("hook");
  await Deno.writeTextFile(hook, "#!/bin/sh\n", { mode: 0o755 });
  scene.configure({ ...CONFIGURATION, hooks: { applied: hook } });
  const defaults = scene.file("defaults");
  await Deno.writeTextFile(
    defaults,
    `# A comment\nFADERD_OPTIONS="--listen 127.0.0.1:${port} --log-format text"\n`,
  );
  const said = await doctor(...scene.options, "--defaults", defaults);
  assertEquals(wrongIn(said), ["ports", "hooks"]);
  assertStringIncludes(said.found.ports![1], String(port));
  const allowed = `FADERD_PERMISSIONS="--allow-run=systemd-notify,${hook}"\n`;
  await Deno.writeTextFile(defaults, allowed, { append: true });
  assertEquals(wrongIn(await doctor(...scene.options, "--defaults", defaults)), ["ports"]);
});

Deno.test("of two lines with the same variable in that file the last one counts, as for systemd", async () => {
  await using scene = await stoppedScene();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const defaults = scene.file("defaults");
  const lines = [0, listener.addr.port].map((port) =>
    `FADERD_OPTIONS="--listen 127.0.0.1:${port}"\n`
  );
  await Deno.writeTextFile(defaults, lines.join(""));
  const said = await doctor(...scene.options, "--defaults", defaults);
  assertEquals(wrongIn(said), ["ports"]);
  assertStringIncludes(said.found.ports![1], String(listener.addr.port));
});

Deno.test("a hook may be run by a unit that allows it or any program, and not by one that allows another", async () => {
  await using scene = await stoppedScene();
  const hook = scene.file("hook");
  await Deno.writeTextFile(hook, "#!/bin/sh\n", { mode: 0o755 });
  scene.configure({ ...CONFIGURATION, hooks: { applied: hook } });
  const defaults = scene.file("defaults");
  const rows: readonly (readonly [permissions: string, wrong: string[]])[] = [
    [`--allow-run=${hook}`, []],
    ["--allow-run", []],
    [`--allow-run=/bin/true --allow-run=${hook}`, []],
    ["--allow-run=/bin/true", ["hooks"]],
    // Deno takes a list as a limit wherever it stands.
    ["--allow-run --allow-run=/bin/true", ["hooks"]],
  ];
  for (const [permissions, wrong] of rows) {
    await Deno.writeTextFile(defaults, `FADERD_PERMISSIONS="${permissions}"\n`);
    const said = await doctor(...scene.options, "--listen", "127.0.0.1:0", "--defaults", defaults);
    assertEquals(wrongIn(said), wrong, permissions);
  }
});
