/** What the log of a service has: `--log-format` and `--log-level`. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Json, openSocket, until } from "../service.ts";
import { type Running, temporaryFolder, tokenIn } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";

const WRONG = "01234567-89abcdef-01234567-89abcdef";

/** A service that logs, from its start over what `use` does with it to its end: its lines. */
async function logged(
  level: string,
  use: (running: Running, admin: string) => Promise<void>,
): Promise<Json[]> {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  const options = ["--log-format", "json", "--log-level", level, "--data", data];
  await using running = await startFaderd(...options);
  const admin = tokenIn(running.stderr);
  assertEquals(running.stdout, "", "what a start says is in the log");
  await use(running, admin);
  running.kill("SIGTERM");
  const { stderr, code } = await running.ended();
  assertEquals(code, 0, stderr);
  assert(!stderr.includes(admin) && !stderr.includes(WRONG), "no token is in it");
  return stderr.trimEnd().split("\n").map((line) => JSON.parse(line));
}

function rpc({ url }: Running, token: string, method: string, params: object): Promise<Json> {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  return fetch(`${url}/api/rest`, { method: "POST", body }).then((answer) => answer.json());
}

function having(lines: readonly Json[], message: string): Json[] {
  return lines.filter((line) => line.message === message);
}

Deno.test("a line has its time and its level, and start, recovery, and stop with its signal are told", async () => {
  const lines = await logged("info", async () => {});
  for (const line of lines) {
    assert(Math.abs(Date.parse(line["@timestamp"]) - Date.now()) < 60_000);
    assertMatch(line.level, /^(info|warning)$/);
  }
  const [started] = having(lines, "started");
  assertMatch(started.http, /^http:\/\/127\.0\.0\.1:\d+$/);
  assertEquals(started.configuration, "demo");
  assertEquals(having(lines, "recovered")[0].records, 0);
  assertEquals(having(lines, "stopping")[0].signal, "SIGTERM");
  assertEquals(having(lines, "stopped").length, 1);
});

Deno.test("what a start found is told, and that the configuration was read again is no warning", async () => {
  await using folder = await temporaryFolder();
  const [data, config] = [`${folder.path}/data`, `${folder.path}/console.json`];
  await Deno.writeTextFile(config, JSON.stringify({ mixers: [{ faders: 1 }] }));
  const options = ["--log-format", "json", "--data", data, "--config", config];
  for (const found of [[], [[0, 1]]]) {
    await using running = await startFaderd(...options);
    running.kill("SIGHUP");
    await until(() => running.stderr.includes("SIGHUP"));
    running.kill("SIGTERM");
    const { stderr } = await running.ended();
    const lines: Json[] = stderr.trimEnd().split("\n").map((line) => JSON.parse(line));
    const said = having(lines, "found").map(({ snapshots, users }) => [snapshots, users]);
    assertEquals(said, found);
    const [hangUp] = lines.filter(({ message }) => message.startsWith("SIGHUP"));
    assertEquals([hangUp.level, hangUp.message], ["info", `SIGHUP: ${config} is as it was`]);
  }
});

Deno.test("log-ins, refused tokens and changes of users are told with who and from where, levels of faders are not", async () => {
  const lines = await logged("info", async (running, admin) => {
    const socket = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
    await socket.ask({ method: "auth", token: admin });
    await socket.close();
    await rpc(running, WRONG, "getuserlist", {});
    await rpc(running, admin, "adduser", { name: "anna", groups: 1 });
    await fetch(`${running.url}/api/rest/audio/mixers/0/faders/0/fader?set=-3`);
    const wrong = `Bearer ${WRONG}`;
    const denied = await fetch(`${running.url}/pictures/1`, { headers: { authorization: wrong } });
    await denied.body?.cancel();
  });
  const [entered] = having(lines, "logged in");
  assertEquals([entered.user, entered.from], ["admin", "127.0.0.1"]);
  const refused = having(lines, "token refused");
  assertEquals([refused[0].from, refused[0].code], ["127.0.0.1", 4]);
  const changed = having(lines, "changed").filter(({ user }) => user === "admin");
  assertEquals(changed.map(({ call, paths }) => [call, paths]), [["adduser", ["/users/anna"]]]);
});

Deno.test("at debug clients that come and go are told, engines, and every change", async () => {
  const lines = await logged("debug", async (running, admin) => {
    await rpc(running, admin, "adduser", { name: "mix", groups: 1, engine: true });
    const socket = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
    const { payload } = await rpc(running, admin, "modifyuser", { name: "mix", newtoken: true });
    await socket.ask({ method: "auth", token: payload.result.token });
    await socket.ask({ method: "engine" });
    await socket.ask({ msgID: 1, method: "report", late: true });
    await socket.ask({ msgID: 2, method: "report", late: false });
    await fetch(`${running.url}/api/rest/audio/mixers/0/faders/0/fader?set=-3`);
    await socket.close();
    await until(() => running.stderr.includes("client left"));
  });
  assertEquals(having(lines, "client came").length, 1);
  assertEquals(having(lines, "client left")[0].user, "mix");
  assertEquals(having(lines, "engines changed")[0].claims, 1);
  const late = lines.filter(({ message }) => message.startsWith("engine mix"));
  assertEquals(late.map(({ level, message }) => [level, message]), [
    ["warning", "engine mix falls behind: its sound has gaps"],
    ["info", "engine mix is late no more"],
  ]);
  const sets = having(lines, "changed").filter(({ call }) => call === "set");
  assertEquals(sets[0].paths, ["/audio/mixers/0/faders/0/fader"]);
});

Deno.test("what is said as a warning is a line of the log", async () => {
  const lines = await logged("warning", async () => {});
  const [published] = lines.filter(({ message }) => message.startsWith("no siteKey is configured"));
  assertEquals(published.level, "warning");
  assertEquals(having(lines, "started"), []);
});

Deno.test("as text a line is time, level, what happened, and fields", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--log-format", "text", "--data", `${folder.path}/data`);
  running.kill("SIGINT");
  const { code, stderr } = await running.ended();
  assertEquals(code, 0);
  assertMatch(stderr, /^\d{4}-\d\d-\d\dT\S+Z info stopping signal=SIGINT$/m);
  assertMatch(stderr, /^\S+Z info started version=\S+ http=http:\S+ configuration=demo data=\S+ /m);
});

Deno.test("as text a line has no control characters that a terminal would act on", async () => {
  const file = JSON.stringify(new URL("../../program/event-log.ts", import.meta.url).href);
  const said = `createEventLog("text", "info")("info", "a\\u001b[2Jb\\tc", { d: "\\u001b" })`;
  const program = `import { createEventLog } from ${file}; ${said};`;
  const { stderr } = await new Deno.Command(Deno.execPath(), { args: ["eval", program] }).output();
  const line = new TextDecoder().decode(stderr);
  assertStringIncludes(line, ' info a\\u001b[2Jb\tc d="\\u001b"\n');
});
