/** The log of a service: `--log-format` and `--log-level`. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createEventLog } from "../../program/event-log.ts";
import { reasonLineOf, sayInLog, warn } from "../../program/print.ts";
import { type Json, openSocket, until } from "../service.ts";
import { type Running, tokenIn } from "./faderd.ts";
import { read, rpc, sceneOf, stopped } from "./scene.ts";

const WRONG = "01234567-89abcdef-01234567-89abcdef";

/** Starts a service that logs, runs `use` on it, and stops it; returns the lines of the log. */
async function logged(
  level: string,
  use: (running: Running, admin: string) => Promise<void> = () => Promise.resolve(),
): Promise<Json[]> {
  await using scene = await sceneOf();
  const running = await scene.start("--log-format", "json", "--log-level", level);
  const admin = tokenIn(running.stderr);
  assertEquals(running.stdout, "", "what a start says is in the log");
  await use(running, admin);
  const { stderr } = await stopped(running);
  assert(!stderr.includes(admin) && !stderr.includes(WRONG), "no token is in it");
  return linesOf(stderr);
}

function linesOf(log: string): Json[] {
  return log.trimEnd().split("\n").map((line) => JSON.parse(line));
}

const socketOf = ({ url }: Running) => openSocket(`${url.replace("http", "ws")}/api/ws`);

function having(lines: readonly Json[], message: string): Json[] {
  return lines.filter((line) => line.message === message);
}

Deno.test("a line has a time and a level; start, recovery, and stop with its signal are logged", async () => {
  const lines = await logged("info");
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

Deno.test("the data found at a start is logged, and rereading the configuration is not a warning", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 1 }] });
  for (const found of [[], [[0, 1]]]) {
    const running = await scene.start("--log-format", "json");
    running.kill("SIGHUP");
    await until(() => running.stderr.includes("SIGHUP"));
    const lines = linesOf((await stopped(running)).stderr);
    const said = having(lines, "found").map(({ snapshots, users }) => [snapshots, users]);
    assertEquals(said, found);
    const [hangUp] = lines.filter(({ message }) => message.startsWith("SIGHUP"));
    assertEquals([hangUp.level, hangUp.message], [
      "info",
      `SIGHUP: ${scene.config} has not changed`,
    ]);
  }
});

Deno.test("logins, refused tokens and changes of users are logged with user and address, levels of faders are not", async () => {
  const lines = await logged("info", async (running, admin) => {
    const socket = await socketOf(running);
    await socket.ask({ method: "auth", token: admin });
    await socket.close();
    await rpc(running, WRONG, "getuserlist");
    await rpc(running, admin, "adduser", { name: "anna", groups: 1 });
    await read(running, "audio/mixers/0/faders/0/fader?set=-3");
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

Deno.test("at level debug connections, engines and every change are logged", async () => {
  const lines = await logged("debug", async (running, admin) => {
    await rpc(running, admin, "adduser", { name: "mix", groups: 1, engine: true });
    const socket = await socketOf(running);
    const { payload } = await rpc(running, admin, "modifyuser", { name: "mix", newtoken: true });
    await socket.ask({ method: "auth", token: payload.result.token });
    await socket.ask({ method: "engine" });
    await socket.ask({ msgID: 1, method: "report", late: true });
    await socket.ask({ msgID: 2, method: "report", late: false });
    await read(running, "audio/mixers/0/faders/0/fader?set=-3");
    await socket.close();
    await until(() => running.stderr.includes("client left"));
  });
  assertEquals(having(lines, "client came").length, 1);
  assertEquals(having(lines, "client left")[0].user, "mix");
  assertEquals(having(lines, "engines changed")[0].claims, 1);
  const late = lines.filter(({ message }) => message.startsWith("engine mix"));
  assertEquals(late.map(({ level, message }) => [level, message]), [
    ["warning", "engine mix falls behind: its sound has gaps"],
    ["info", "engine mix is no longer late"],
  ]);
  const sets = having(lines, "changed").filter(({ call }) => call === "set");
  assertEquals(sets[0].paths, ["/audio/mixers/0/faders/0/fader"]);
});

Deno.test("a warning of the service is a line of the log", async () => {
  const lines = await logged("warning");
  const [published] = lines.filter(({ message }) => message.startsWith("no siteKey is configured"));
  assertEquals(published.level, "warning");
  assertEquals(having(lines, "started"), []);
});

Deno.test("as text a line has time, level, message and fields", async () => {
  await using scene = await sceneOf();
  const running = await scene.start("--log-format", "text");
  running.kill("SIGINT");
  const { code, stderr } = await running.ended();
  assertEquals(code, 0);
  assertMatch(stderr, /^\d{4}-\d\d-\d\dT\S+Z info stopping signal=SIGINT$/m);
  assertMatch(stderr, /^\S+Z info started version=\S+ http=http:\S+ configuration=demo data=\S+ /m);
});

Deno.test("as text a line has no control characters that a terminal interprets", () => {
  const { writeSync } = Deno.stderr;
  let line = "";
  Deno.stderr.writeSync = (bytes) => (line += new TextDecoder().decode(bytes)).length;
  createEventLog("text", "info")("info", "a\u001b[2Jb\tc", { d: "\u001b" });
  Deno.stderr.writeSync = writeSync;
  assertStringIncludes(line, ' info a\\u001b[2Jb\tc d="\\u001b"\n');
});

Deno.test("a value from a client cannot control a terminal or reverse the writing of its line, in text and in JSON", () => {
  const { writeSync } = Deno.stderr;
  let said = "";
  Deno.stderr.writeSync = (bytes) => (said += new TextDecoder().decode(bytes)).length;
  try {
    for (const format of ["text", "json"] as const) {
      createEventLog(format, "info")("info", "slow", { d: "\u009b2J\u202e", e: ["\u007f"] });
    }
  } finally {
    Deno.stderr.writeSync = writeSync;
  }
  const [text, json] = said.split("\n");
  assertStringIncludes(text!, ' info slow d="\\u009b2J\\u202e" e=["\\u007f"]');
  assertStringIncludes(json!, '"message":"slow","d":"\\u009b2J\\u202e","e":["\\u007f"]');
});

Deno.test("as text an event has one line, and so has a reason that quotes another machine", () => {
  const { writeSync } = Deno.stderr;
  let line = "";
  Deno.stderr.writeSync = (bytes) => (line += new TextDecoder().decode(bytes)).length;
  createEventLog("text", "info")("info", "a\nb", { d: "c\nd" });
  Deno.stderr.writeSync = writeSync;
  assertStringIncludes(line, ' info a\\nb d="c\\nd"\n');
  assertEquals(reasonLineOf(new Error("a\n\tb")), "a\\u000a\\u0009b");
  assertEquals(reasonLineOf("a".repeat(5000)).length, 500);
});

Deno.test("a warning and a failure have no control characters that a terminal interprets", () => {
  const { writeSync } = Deno.stderr;
  let line = "";
  Deno.stderr.writeSync = (bytes) => (line += new TextDecoder().decode(bytes)).length;
  // A service in the same isolate may have had a log.
  sayInLog();
  warn("a hub says: \u001b]0;b\u0007\tc\nd");
  Deno.stderr.writeSync = writeSync;
  assertEquals(line, "faderd: a hub says: \\u001b]0;b\\u0007\tc\nd\n");
});
