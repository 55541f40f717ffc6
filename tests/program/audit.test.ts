/** The audit trail of a running service, and of the commands on its data folder. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Json, openSocket, until } from "../service.ts";
import { startFaderd as startProcess, tokenIn } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { read, rpc, sceneOf, stopped } from "./scene.ts";

const FADER = "/audio/mixers/0/faders/0/fader";
const WRONG = "eeeeeeee-00000000-00000000-00000009";

/** The lines of the audit trail in a data folder. */
function linesIn(data: string): Json[] {
  return textOf(`${data}/audit.log`).split("\n").filter((line) => line !== "").map((line) =>
    JSON.parse(line)
  );
}

/** The text of a file; empty if there is none yet. */
function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}

Deno.test("audit.log has the user, call and address of each change, and the values before and after, but no token", async () => {
  await using scene = await sceneOf();
  const { data } = scene;
  const secrets = [WRONG];
  {
    await using running = await scene.start();
    const admin = tokenIn(running.stdout);
    const added = await rpc(running, admin, "adduser", { name: "anna", groups: 1 });
    const anna = added.payload.result.token;
    secrets.push(admin, anna);
    const socket = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
    await socket.ask({ method: "auth", token: anna });
    await socket.ask({ method: "set", path: FADER, payload: -12 });
    await socket.rpc("fadetovalue", { fader: 0, time: 1, value: -40 });
    await socket.ask({ method: "set", path: FADER, payload: "loud" });
    await socket.ask({ method: "auth", token: WRONG });
    await rpc(running, anna, "removeuser", { name: "admin" });
    const saved = { type: 2, id: "", name: "Morning", writegroups: 1 };
    await rpc(running, anna, "savesnapshot", saved);
    await socket.close();
    await stopped(running);
  }
  const told = linesIn(data).map(({ at, ...entry }) => {
    assertMatch(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return entry;
  });
  const from = "127.0.0.1";
  const [start, add, set, fade, wrong, auth, remove, save] = told;
  assertEquals([start.from, start.what, start.changes[0].path], [
    "command line",
    "serve",
    "/users/admin",
  ]);
  assertEquals([add.user, add.from, add.what], ["admin", from, "adduser"]);
  assertEquals(set, {
    user: "anna",
    from,
    what: "set",
    changes: [{ path: FADER, before: -4, after: -12 }],
  });
  assertEquals(fade.changes, [{ path: FADER, before: -12, after: { value: -40, seconds: 1 } }]);
  assertEquals([wrong.what, wrong.target, wrong.refused.code], ["set", FADER, 3]);
  assertEquals([auth.user, auth.what, auth.refused.code], ["anna", "auth", 4]);
  assertEquals([remove.user, remove.target.name, remove.refused.code], ["anna", "admin", 5]);
  assertEquals([save.what, save.changes[0].after.name], ["savesnapshot", "Morning"]);
  assertEquals(told.length, 8);
  const text = Deno.readTextFileSync(`${data}/audit.log`);
  for (const secret of secrets) assert(!text.includes(secret), "a token is in the audit trail");
  assert(!/[0-9a-f]{64}/i.test(text), "a hash is in the audit trail");
  assertEquals(Deno.statSync(`${data}/audit.log`).mode! & 0o777, 0o600);
});

Deno.test("commands of the command line have entries in the same file", async () => {
  await using scene = await sceneOf();
  const data = scene.onData;
  const backup = scene.file("backup.bin");
  await faderd("user", "add", "anna", "--groups", "1", "--admin", ...data);
  await faderd("user", "add", "anna", "--groups", "1", ...data);
  await faderd("user", "list", ...data);
  await faderd("user", "remove", "anna", ...data);
  await faderd("backup", backup, "--tags", "USERS", ...data);
  await faderd("user", "add", "bert", "--groups", "2", "--admin", ...data);
  await faderd("restore", backup, "--tags", "USERS", ...data);
  await faderd("restore", backup, "--tags", "TLS", ...data);
  await faderd("log", "drop-unknown", "--demo", ...data);
  const told = linesIn(scene.data).map(({ from, what, changes, refused }) => {
    assertEquals(from, "command line");
    return [what, refused?.code ?? changes.map(({ path }: Json) => path)];
  });
  assertEquals(told, [
    ["user add", ["/users/anna"]],
    ["user add", 3],
    ["user remove", 7],
    ["user add", ["/users/bert"]],
    ["restore", ["/users/bert"]],
    ["restore", 3],
  ]);
});

Deno.test("with audit false a service has no audit trail", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 1 }], audit: false });
  await using running = await scene.start();
  await read(running, "audio/mixers/0/faders/0/fader?set=-1");
  await stopped(running);
  const names = [...Deno.readDirSync(scene.data)].map(({ name }) => name);
  assertEquals(names.filter((name) => name.includes("audit")), []);
});

Deno.test("kill -9 leaves complete lines, and the next start continues the file", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 301 }] });
  const { data } = scene;
  {
    await using running = await startProcess(...scene.options);
    const socket = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
    for (let level = 1; level <= 300; level++) {
      const path = `/audio/mixers/0/faders/${level}/fader`;
      socket.send({ method: "set", path, payload: -level / 10 });
      // A line may be half written while the service runs.
      const isWritten = () => textOf(`${data}/audit.log`).includes('"what":"set"');
      if (level === 200) await until(isWritten);
    }
    running.kill("SIGKILL");
    await running.ended();
    await socket.closed;
  }
  const before = linesIn(data);
  const levels = before.slice(1).map(({ changes }) => changes[0].after);
  assertEquals(levels, levels.map((_, at) => -(at + 1) / 10));
  assert(levels.length > 99, String(levels.length));
  await using again = await scene.start();
  await read(again, "audio/mixers/0/faders/0/fader?set=-99");
  await stopped(again);
  assertEquals(linesIn(data).slice(0, before.length), before);
  assertEquals(linesIn(data).at(-1).changes[0].after, -99);
});

Deno.test("an audit trail that cannot be written delays no change", async () => {
  await using scene = await sceneOf();
  // No file can be written at the path of a folder.
  await Deno.mkdir(`${scene.data}/audit.log`, { recursive: true });
  await using running = await scene.start();
  for (let level = 1; level <= 3; level++) {
    assertEquals(await read(running, `audio/mixers/0/faders/${level}/fader?set=-${level}`), -level);
  }
  const { stderr } = await stopped(running);
  assertStringIncludes(stderr, "audit.log could not be written: ");
});

Deno.test("repeated wrong tokens of a client make two lines", async () => {
  await using scene = await sceneOf();
  await using running = await scene.start();
  const socket = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
  for (let count = 0; count < 10; count++) await socket.ask({ method: "auth", token: WRONG });
  await socket.close();
  await stopped(running);
  const told = linesIn(scene.data).filter(({ what }) => what === "auth");
  assertEquals(told.map(({ again }) => again), [undefined, 9]);
});
