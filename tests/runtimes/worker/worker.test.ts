/** A console as a Durable Object, in workerd: `deno task worker-test`. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { connect } from "../../../client/client.ts";
import { smallPng } from "../../core/pictures/made-png.ts";
import { temporaryFolder } from "../../program/faderd.ts";
import { act, formFile, openSocket, until } from "../../service.ts";
import { type RunningWorker, startWorker, workerOf } from "./workerd.ts";

const token = "bffdc628-88e85b99-b86db9ef-9032ccac";

const script = await workerOf("tests/runtimes/worker/desk.ts");

const start = (folder: string) => startWorker(script, { ADMIN_TOKEN: token }, folder);

const socketOf = ({ url }: RunningWorker) => `${url.replace("http", "ws")}/api/ws`;

async function clientOf(worker: RunningWorker, token_ = token) {
  const desk = connect(socketOf(worker), { token: token_ });
  await desk.ready();
  return desk;
}

Deno.test("a console in a Durable Object answers over HTTP and WebSocket, and fades", async () => {
  await using folder = await temporaryFolder();
  await using worker = await start(folder.path);
  const { url } = worker;
  assertEquals((await (await fetch(`${url}/health`)).json()).ready, true);
  await using desk = await clientOf(worker);
  await using panel = await clientOf(worker);
  const fader = desk.mixer(0).fader(1);
  using seen = await panel.mixer(0).fader(1).watch();
  assertEquals(await fader.set(-20), -20);
  await fader.fadeTo(-10, 0.3);
  await seen.until(({ fader, fade }) => fader === -10 && fade._time === 0);
  assertEquals(await (await fetch(`${url}/api/rest/audio/mixers/0/faders/1/fader`)).json(), -10);

  const list = panel.list(1);
  const heard: unknown[] = [];
  list.onButton((...told) => heard.push(told));
  await list.fill([{ label: "Line 1" }]);
  await desk.list(1).press(0, true);
  await until(() => heard.length === 1);
  assertEquals(heard, [[0, true]]);
});

Deno.test("acknowledged changes are in force after a restart of the object", async () => {
  await using folder = await temporaryFolder();
  let guest: string;
  {
    await using worker = await start(folder.path);
    await using desk = await clientOf(worker);
    await desk.mixer(0).fader(1).set(-20);
    await desk.mixer(0).snapshots.save("Morning");
    await desk.mixer(0).fader(1).label("Anna");
    await desk.mixer(0).fader(1).set(-30);
    guest = (await desk.rpc("adduser", { name: "guest", groups: 1 })).token;
    const picture = { ObjectID: 1, Token: token, file: formFile(smallPng, "a.png") };
    assertEquals((await act(worker, "updatepic", picture, "multipart")).json.Error, undefined);
  }
  await using worker = await start(folder.path);
  await using desk = await clientOf(worker, guest);
  const fader = desk.mixer(0).fader(1);
  const { fader: level, label } = await desk.get("/audio/mixers/0/faders/1");
  assertEquals([level, label], [-30, "Anna"]);
  await desk.mixer(0).snapshots.load("Morning");
  assertEquals(await fader.level(), -20);
  assertEquals((await desk.rpc("getpicturelist", {})).length, 1);
});

Deno.test("a wrong token is error 4, and a plain request for /api/ws is 426", async () => {
  await using folder = await temporaryFolder();
  await using worker = await start(folder.path);
  const socket = await openSocket(socketOf(worker));
  const wrong = { method: "auth", token: token.replace("b", "c") };
  assertEquals((await socket.ask(wrong)).error.code, 4);
  assertEquals((await socket.ask("no JSON")).error.code, 1);
  await socket.close();
  const plain = await fetch(`${worker.url}/api/ws`);
  assertEquals(plain.status, 426);
  assertMatch((await plain.json()).error.message, /for WebSockets/);
});

Deno.test("the connection of a removed user is closed with 1012, and a closed connection is not listed any more", async () => {
  await using folder = await temporaryFolder();
  await using worker = await start(folder.path);
  await using desk = await clientOf(worker);
  const { token: guests } = await desk.rpc("adduser", { name: "guest", groups: 1 });
  const guest = await openSocket(socketOf(worker));
  await guest.ask({ method: "auth", token: guests });
  await desk.rpc("removeuser", { name: "guest" });
  assertEquals(await guest.closed, 1012);
  const another = await openSocket(socketOf(worker));
  assertEquals((await desk.rpc("getclientlist", {})).length, 2);
  await another.close();
  const isAlone = async () => (await desk.rpc("getclientlist", {})).length === 1;
  for (let tries = 0; !await isAlone(); tries++) {
    assert(tries < 100, "it is still counted");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

Deno.test("a backup is restored to another console, with its users", async () => {
  await using folder = await temporaryFolder();
  await using other = await temporaryFolder();
  await using from = await start(folder.path);
  await using desk = await clientOf(from);
  await desk.mixer(1).fader(0).set(-7);
  await desk.mixer(1).snapshots.save("Evening");
  await desk.rpc("adduser", { name: "anna", groups: 1 });
  const asked = await fetch(`${from.url}/action/backup?Tags=ALL&Token=${token}`);
  const file = formFile(await asked.bytes(), "a.tgz");
  await using to = await start(other.path);
  const wanted = { file, Tags: "MXSNAPS,USERS", Token: token };
  const restored = await act(to, "restore", wanted, "multipart");
  assertEquals(restored.json.Restored, ["USERS", "MXSNAPS"]);
  await using there = await clientOf(to);
  await there.mixer(1).snapshots.load("Evening");
  assertEquals(await there.mixer(1).fader(0).level(), -7);
  assertEquals((await there.rpc("getuserlist", {})).map(({ name }) => name), ["admin", "anna"]);
});

Deno.test("the Worker of docs/library.md runs as written", async () => {
  await using folder = await temporaryFolder();
  const page = await Deno.readTextFile("docs/library.md");
  const example = /```js ignore\n(import \{ consoleObject \}.*?)```/s.exec(page)![1]!;
  const source = new URL("../../../runtimes/worker/worker.ts", import.meta.url).pathname;
  const file = `${folder.path}/worker.js`;
  await Deno.writeTextFile(file, example.replace("faderd/worker", source));
  await using worker = await startWorker(await workerOf(file), { ADMIN_TOKEN: token }, folder.path);
  await using desk = await clientOf(worker);
  assertEquals(await desk.mixer(0).fader(7).set(-3), -3);
});

Deno.test("with an ADMIN_TOKEN that is not a token every request is 500 with the reason", async () => {
  await using folder = await temporaryFolder();
  await using worker = await startWorker(script, { ADMIN_TOKEN: "short" }, folder.path);
  const answer = await fetch(`${worker.url}/health`);
  assertEquals(answer.status, 500);
  assertMatch(await answer.text(), /adminToken: token: expected 32 hexadecimal digits/);
});
