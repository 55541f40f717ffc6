/** `faderd serve`, from its start to a signal. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { openSocket, until } from "../service.ts";
import { opcodes, openRaw } from "../transport/raw-socket.ts";
import { FLAGS, startFaderd as startProcess, startFaderdIn } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { failure, read, sceneOf } from "./scene.ts";

Deno.test("serve --config serves its console at the printed address; pings and close frames are answered", async () => {
  await using scene = await sceneOf({
    mixers: [{ faders: 3 }],
    siteKey: "a key of our own, long",
  });
  await using running = await scene.start();
  assertMatch(running.url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
  assertEquals(await read(running, "audio/mixers/0/faders?flat=true"), ["0", "1", "2"]);
  assertEquals(running.stderr, "", "no default site key to warn of");
  using socket = await openRaw(`${running.url}/api/ws`);
  await socket.send(opcodes.ping, "beat");
  const pong = await socket.read();
  assertEquals([pong?.opcode, new TextDecoder().decode(pong?.payload)], [opcodes.pong, "beat"]);
  await socket.send(opcodes.close, new Uint8Array([0x03, 0xe8]));
  assertEquals(await socket.closeCode(), 1000);
});

Deno.test("SIGTERM: sockets are closed with 1001, the exit status is 0 with any clients, acknowledged changes are kept", async () => {
  await using scene = await sceneOf();
  let acknowledged = 0;
  {
    await using running = await startProcess(...scene.options);
    const address = `${running.url.replace("http", "ws")}/api/ws`;
    const socket = await openSocket(address);
    const idle = await openSocket(address);
    using mute = await openRaw(`${running.url}/api/ws`);
    assertEquals(mute.status, 101);
    const { hostname, port } = new URL(running.url);
    using halfRequest = await Deno.connect({ hostname, port: Number(port) });
    const head = "POST /api/rest HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{";
    await halfRequest.write(new TextEncoder().encode(head));
    await read(running, "general");

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
    // The end takes 2 s, or more on a busy machine; a wait for half a request would take 10 s.
    assert(ms < 8000, `it took ${ms} ms`);
    assertEquals(await idle.closed, 1001);
    // Deno drops a connection on which requests still come after it has sent its close frame.
    assert([1001, 0, 1006].includes(await socket.closed));
    assertEquals(await mute.closeCode(), 1001);
  }
  await using later = await scene.start();
  const label = await read(later, "control/labels/1/label");
  const kept = label === "Studio 1" ? 0 : Number(label.slice(1));
  assert(kept >= acknowledged, `${acknowledged} was acknowledged, ${kept} was kept`);
});

/** Returns the command of faderd with its output redirected by a shell. */
function redirected(to: string): string[] {
  return ["sh", "-c", `exec "$@" ${to}`, "sh", Deno.execPath(), ...FLAGS];
}

Deno.test("a service whose standard error takes no writes starts with a warning, and answers while the medium fails", async () => {
  await using scene = await sceneOf();
  const command = redirected("2>/dev/full");
  await using running = await startFaderdIn({ command }, ...scene.options);
  Deno.removeSync(scene.data, { recursive: true });
  running.kill("SIGHUP");
  assertEquals(await read(running, "audio/mixers/0/faders/0/fader?set=-7"), -7);
  await until(async () => (await (await fetch(`${running.url}/health`)).json()).storage !== "ok");
  running.kill("SIGTERM");
  assertEquals((await running.ended()).code, 0);
});

Deno.test("a service starts though neither standard output nor standard error takes writes", async () => {
  await using scene = await sceneOf();
  const [program, ...args] = redirected(">/dev/full 2>/dev/full");
  args.push("serve", "--listen", "127.0.0.1:0", ...scene.options);
  const process = new Deno.Command(program!, { args }).spawn();
  let code: number | undefined;
  const over = process.status.then((status) => code = status.code);
  const hasToken = () => Deno.stat(`${scene.data}/admin-token`).then(() => true, () => false);
  await until(async () => code !== undefined || await hasToken());
  if (code === undefined) process.kill("SIGTERM");
  assertEquals(await over, 0);
});

Deno.test("a service that cannot start prints the reason, has exit status 1, and writes nothing", async () => {
  await using scene = await sceneOf({
    mixers: [{ faders: "8" }],
    device: { kind: "x" },
  });
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken = `127.0.0.1:${listener.addr.port}`;
  const { config, data, file, path } = scene;
  await Deno.writeTextFile(file("broken.json"), "{");
  const rows: readonly (readonly [args: string[], named: string])[] = [
    [["--listen", taken], taken],
    [["--config", file("missing.json")], "missing.json"],
    [["--config", path], path],
    [["--config", file("broken.json")], "broken.json"],
    [["--config", config], "mixers.0.faders"],
    [["--config", config], "device.kind"],
  ];
  for (const [args, named] of rows) {
    const listen = args.includes("--listen") ? [] : ["--listen", "127.0.0.1:0"];
    const { code, stdout, stderr } = await faderd("serve", "--data", data, ...listen, ...args);
    assertEquals([code, stdout], [1, ""], stderr);
    assertMatch(stderr, /^faderd: \S/);
    assert(!/\n\s+at /.test(stderr), "no stack");
    assertStringIncludes(stderr, named);
    assertEquals(await Deno.lstat(data).catch(() => "nothing"), "nothing");
  }
});

Deno.test("a data folder in use, or an impossible one, is one clear line and exit status 1", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 1 }], audit: false });
  const { data, file, onData, options } = scene;
  await using running = await scene.start();
  const listing = () =>
    [...Deno.readDirSync(data)].map(({ name }) => [name, Deno.statSync(`${data}/${name}`).size])
      .sort();
  const before = listing();
  await Deno.writeTextFile(file("file"), "");
  const serve = ["serve", "--listen", "127.0.0.1:0"];
  const rows: readonly (readonly [args: readonly string[], named: string])[] = [
    [[...serve, ...options], "in use"],
    [["user", "list", ...onData], "in use"],
    [["user", "add", "x", "--groups", "1", ...onData], "in use"],
    [[...serve, "--data", file("file")], "file"],
    [[...serve, "--data", file("file/below")], "file"],
  ];
  for (const [args, named] of rows) assertStringIncludes(failure(await faderd(...args)), named);
  assertEquals(listing(), before, "nothing was written");
  assertEquals((await read(running, "general"))._sync2ok, true);
});
