/** `faderd serve`, from its start to a signal. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openSocket } from "../service.ts";
import { opcodes, openRaw } from "../transport/raw-socket.ts";
import { startFaderd as startProcess, temporaryFolder, tokenIn } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";

const NO_FOLDER = "nothing is written";

async function failsToStart(folder: string, args: string[], named: string) {
  const data = `${folder}/data-${crypto.randomUUID()}`;
  const { code, stdout, stderr } = await faderd("serve", "--data", data, ...args);
  assertEquals([code, stdout], [1, ""], stderr);
  assertMatch(stderr, /^faderd: \S/);
  assert(!/\n\s+at /.test(stderr), "no stack");
  assertStringIncludes(stderr, named);
  assertEquals(await Deno.lstat(data).then(() => "a folder", () => NO_FOLDER), NO_FOLDER);
  return stderr;
}

Deno.test("port 0: the address that was really bound is printed, and answers", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", `${folder.path}/data`);
  assertMatch(running.url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  const response = await fetch(`${running.url}/api/rest/general/_firmware_version`);
  assertEquals(await response.json(), "10.3.0.0");
});

Deno.test("a first start says where the token is and three commands to try; a later one says what it found", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  let token: string;
  {
    await using first = await startFaderd("--data", data);
    token = tokenIn(first.stdout);
    const [before, tries] = first.stdout.split("Try:\n");
    const setting = before!.split("\n").find((line) => line.includes("TOKEN="))!.trim();
    const lines = tries!.trimEnd().split("\n");
    assertEquals(lines.length, 3);
    const [set, list, listen] = lines;
    assertEquals(await curl(set!, token), -20);
    assertEquals((await curl(list!, token)).success, true);
    const heard = await shell(`${setting}; ${asHere(listen!)}`);
    const [authenticated, subscribed] = heard.trim().split("\n").map((line) => JSON.parse(line));
    assertEquals([authenticated.method, authenticated.success], ["auth", true]);
    assertEquals([subscribed.method, subscribed.success], ["subscribe", true]);
    for (const id of [1, 2]) {
      const save = { type: 2, id: "", name: `Saved ${id}`, writegroups: 255 };
      const message = { method: "rpc", token, payload: { method: "savesnapshot", params: save } };
      await fetch(`${first.url}/api/rest`, { method: "POST", body: JSON.stringify(message) }).then((
        saved,
      ) => saved.json());
    }
    first.kill("SIGTERM");
    assertEquals((await first.ended()).code, 0);
  }
  await using later = await startFaderd("--data", data);
  assert(!/[0-9a-f]{8}-[0-9a-f]{8}/.test(later.stdout), "no token is shown");
  assertStringIncludes(later.stdout, data);
  assertStringIncludes(later.stdout, "2 snapshots");
  const fader = await fetch(`${later.url}/api/rest/audio/mixers/0/faders/0/fader?token=${token}`);
  assertEquals(await fader.json(), -20, "what was set is there, the token works");
});

/** Does what a command with curl would do, in a shell that has the token. */
async function curl(command: string, token: string): Promise<ReturnType<typeof JSON.parse>> {
  const match = /^ {2}curl -H "Authorization: (.+)" '?(http[^ ']+)'?(?: -d '(.+)')?$/.exec(
    command,
  )!;
  const headers = { authorization: match[1]!.replace("$TOKEN", token) };
  const body = match[3];
  const init = body === undefined ? { headers } : { headers, body, method: "POST" };
  return await (await fetch(match[2]!, init)).json();
}

/** What commands for a shell print. */
async function shell(commands: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", commands] }).output();
  return new TextDecoder().decode(stdout);
}

/**
 * The command that listens by this Deno, which is not fetched, and until it has heard two lines.
 */
function asHere(command: string): string {
  return command.replace(/npx --yes deno@\S+/, Deno.execPath())
    .replace(
      "console.log(m.data)",
      "(console.log(m.data), self.heard ? s.close() : self.heard = 1)",
    );
}

Deno.test("SIGTERM: sockets are closed with 1001, exit 0 whoever is connected, what is acknowledged is kept", async () => {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  let acknowledged = 0;
  {
    await using running = await startProcess(...data);
    const address = `${running.url.replace("http", "ws")}/api/ws`;
    const [socket, idle] = [await openSocket(address), await openSocket(address)];
    using mute = await openRaw(`${running.url}/api/ws`);
    assertEquals(mute.status, 101);
    const { hostname, port } = new URL(running.url);
    using halfRequest = await Deno.connect({ hostname, port: Number(port) });
    const head = "POST /api/rest HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{";
    await halfRequest.write(new TextEncoder().encode(head));
    await (await fetch(`${running.url}/api/rest/general`)).json();

    const path = "/control/labels/1/label";
    for (let count = 1; count <= 200; count++) {
      socket.send({ msgID: count, method: "set", path, payload: `n${count}` });
    }
    const taking = (async () => {
      while (true) {
        const { msgID, success } = await socket.next();
        if (success) acknowledged = msgID;
      }
    })();
    taking.catch(() => {});
    running.kill("SIGTERM");
    const { code, ms } = await running.ended();
    assertEquals(code, 0, running.stderr);
    // 2 s, and what a busy machine takes beside; half a request would be waited for for 10 s.
    assert(ms < 8000, `it took ${ms} ms`);
    assertEquals(await idle.closed, 1001);
    // Deno drops a connection on which requests still come after it has sent its close frame.
    assert([1001, 0, 1006].includes(await socket.closed));
    assertEquals(await mute.closeCode(), 1001);
  }
  await using later = await startFaderd(...data);
  const label = await (await fetch(`${later.url}/api/rest/control/labels/1/label`)).json();
  const kept = label === "Studio 1" ? 0 : Number(label.slice(1));
  assert(kept >= acknowledged, `${acknowledged} was acknowledged, ${kept} was kept`);
});

Deno.test("a taken port is one clear line, exit 1, nothing written", async () => {
  await using folder = await temporaryFolder();
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const address = `127.0.0.1:${listener.addr.port}`;
  const said = await failsToStart(folder.path, ["--listen", address], address);
  assertEquals(said.trimEnd().split("\n").length, 1);
});

Deno.test("an unreadable or invalid configuration is said clearly, exit 1, nothing written", async () => {
  await using folder = await temporaryFolder();
  const file = (name: string) => `${folder.path}/${name}`;
  await Deno.writeTextFile(file("broken.json"), "{");
  await Deno.writeTextFile(
    file("faults.json"),
    JSON.stringify({ mixers: [{ faders: "8" }], device: { kind: "x" } }),
  );
  const listen = ["--listen", "127.0.0.1:0", "--config"];
  await Promise.all([
    failsToStart(folder.path, [...listen, file("missing.json")], "missing.json"),
    failsToStart(folder.path, [...listen, folder.path], folder.path),
    failsToStart(folder.path, [...listen, file("broken.json")], "broken.json"),
    failsToStart(folder.path, [...listen, file("faults.json")], "mixers.0.faders"),
    failsToStart(folder.path, [...listen, file("faults.json")], "device.kind"),
  ]);
});

Deno.test("a data folder in use, or that cannot be one, is one clear line and exit 1", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  const config = `${folder.path}/console.json`;
  await Deno.writeTextFile(config, JSON.stringify({ mixers: [{ faders: 1 }], audit: false }));
  await using running = await startFaderd("--data", data, "--config", config);
  const listing = async () => {
    const found = [];
    for await (const { name } of Deno.readDir(data)) {
      found.push([name, (await Deno.stat(`${data}/${name}`)).size]);
    }
    return found.sort();
  };
  const before = await listing();
  await Deno.writeTextFile(`${folder.path}/file`, "");
  for (
    const [args, named] of [
      [["serve", "--listen", "127.0.0.1:0", "--data", data, "--config", config], "in use"],
      [["user", "list", "--data", data], "in use"],
      [["user", "add", "x", "--groups", "1", "--data", data], "in use"],
      [["serve", "--listen", "127.0.0.1:0", "--data", `${folder.path}/file`], "file"],
      [["serve", "--listen", "127.0.0.1:0", "--data", `${folder.path}/file/below`], "file"],
    ] as const
  ) {
    const { code, stdout, stderr } = await faderd(...args);
    assertEquals([code, stdout], [1, ""], stderr);
    assertMatch(stderr, /^faderd: [^\n]+\n$/);
    assertStringIncludes(stderr, named);
  }
  assertEquals(await listing(), before, "nothing was written");
  assertEquals(
    (await fetch(`${running.url}/api/rest/general`).then((found) => found.json()))._sync2ok,
    true,
  );
});

Deno.test("a configuration of one's own is served", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/console.json`;
  await Deno.writeTextFile(
    config,
    JSON.stringify({ mixers: [{ faders: 3 }], siteKey: "a key of our own, long" }),
  );
  await using running = await startFaderd("--config", config, "--data", `${folder.path}/data`);
  const faders = await fetch(`${running.url}/api/rest/audio/mixers/0/faders?flat=true`);
  assertEquals(await faders.json(), ["0", "1", "2"]);
  assertEquals(running.stderr, "", "no default site key to warn of");
});

Deno.test("a ping is answered, and a close frame too", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", `${folder.path}/data`);
  using socket = await openRaw(`${running.url}/api/ws`);
  await socket.send(opcodes.ping, "beat");
  const pong = await socket.read();
  assertEquals([pong?.opcode, new TextDecoder().decode(pong?.payload)], [opcodes.pong, "beat"]);
  await socket.send(opcodes.close, new Uint8Array([0x03, 0xe8]));
  assertEquals(await socket.closeCode(), 1000);
});
