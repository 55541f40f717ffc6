/** View documents over real connections: their RPCs, and the events of their changes. */
import { assertEquals } from "@std/assert";
import { restoredFrom } from "../core/backup/archives.ts";
import { documentOf } from "../core/backup/archives.ts";
import { setViewDocument } from "../../core/view-documents/setviewdocument.ts";
import { createSessions } from "../../transport/websocket/sessions.ts";
import { ample } from "../budgets.ts";
import { settled } from "../core/stores.ts";
import { schedulerWith } from "../schedulers.ts";
import {
  type Json,
  result,
  startService,
  stillClock,
  testConsole,
  type TestService,
  type TestSocket,
  tokens,
  until,
} from "../service.ts";
import { passingTime } from "../timers.ts";

/** The messages that came before the answer to a further request. */
async function before(socket: TestSocket): Promise<Json[]> {
  const messages = [];
  socket.send({ method: "get", path: "/general/_api_version", msgID: "mark" });
  for (let message = await socket.next(); message.msgID !== "mark"; message = await socket.next()) {
    messages.push(message);
  }
  return messages;
}

const event = (name: string, revision: number, document: object | null) => ({
  method: "event",
  payload: { type: "viewdocument", params: { name, revision, document } },
});

const written = async (service: TestService, params: object) =>
  (await service.rpc("setviewdocument", params)).payload.result;

Deno.test("getviewdocument answers a document, also over HTTP, and setviewdocument its revision", async () => {
  await using service = await startService();
  const socket = await service.open();
  const none = { name: "pages", revision: 0, document: null };
  assertEquals((await socket.rpc("getviewdocument", { name: "pages" })).payload.result, none);
  const document = { pages: [{ title: "Studio" }] };
  assertEquals(await written(service, { name: "pages", document }), { name: "pages", revision: 1 });
  await socket.next();
  const answers = [
    await socket.rpc("getviewdocument", { name: "pages" }),
    await service.rpc("getviewdocument", { name: "pages" }),
  ];
  for (const { payload } of answers) {
    assertEquals(payload.result, { name: "pages", revision: 1, document });
  }
});

Deno.test("a connection gets changes of the documents that it has asked for, by any client", async () => {
  await using service = await startService();
  const [one, other, stranger] = [await service.open(), await service.open(), await service.open()];
  for (const socket of [one, other]) await socket.rpc("getviewdocument", { name: "pages" });
  await other.rpc("getviewdocument", { name: "groups" });
  await written(service, { name: "pages", document: { a: 1 } });
  await written(service, { name: "pages", document: { a: 1 } });
  await written(service, { name: "groups", document: { b: 1 } });
  await written(service, { name: "pages", document: null });
  const pages = [event("pages", 1, { a: 1 }), event("pages", 0, null)];
  assertEquals(await before(one), pages);
  assertEquals(await before(other), pages.toSpliced(1, 0, event("groups", 2, { b: 1 })));
  assertEquals(await before(stranger), []);
});

Deno.test("a connection that reads a large document while it changes gets the new revision last", async () => {
  const console = await testConsole({ clock: stillClock() });
  const write = (value: number) => {
    const document = { items: Array.from({ length: 10_000 }, () => value) };
    return result(console, setViewDocument({ name: "pages", document }));
  };
  await write(1);
  let goOn = () => {};
  const held = new Promise<void>((resolve) => goOn = resolve);
  const sessions = createSessions(console, {
    timer: passingTime().timer,
    scheduler: schedulerWith(() => held),
    budget: ample,
  });
  const revisions: number[] = [];
  const send = (text: string) => {
    const { method, payload } = JSON.parse(text);
    revisions.push((method === "event" ? payload.params : payload.result).revision);
  };
  const socket = { bufferedAmount: 0, send, close() {} };
  const session = sessions.open(socket, { address: "192.0.2.1", since: 0 });
  const payload = { method: "getviewdocument", params: { name: "pages" } };
  session.receive(JSON.stringify({ method: "rpc", payload }));
  await settled();
  await write(2);
  goOn();
  await until(() => revisions.length === 2);
  assertEquals(revisions, [1, 2]);
  session.closed();
});

Deno.test("a restore of VIEW sends the changed documents", async () => {
  await using service = await startService();
  const socket = await service.open();
  for (const name of ["kept", "changed", "gone", "new"]) {
    await socket.rpc("getviewdocument", { name });
    if (name === "new") continue;
    await written(service, { name, document: { a: 1 } });
    await socket.next();
  }
  const archive = await documentOf("view.json", { new: {}, kept: { a: 1 }, changed: { a: 2 } });
  await restoredFrom(service.console, archive, "VIEW");
  const told = (await before(socket)).map(({ payload }) => payload.params);
  assertEquals(told, [
    { name: "changed", revision: 5, document: { a: 2 } },
    { name: "gone", revision: 0, document: null },
    { name: "new", revision: 4, document: {} },
  ]);
});

Deno.test("documents that are named code and message are restored", async () => {
  await using service = await startService();
  const archive = await documentOf("view.json", { code: { a: 1 }, message: { b: 2 } });
  await restoredFrom(service.console, archive, "VIEW");
  const { payload } = await service.rpc("getviewdocument", { name: "message" });
  assertEquals(payload.result.document, { b: 2 });
});

Deno.test("a connection can follow 16 names; a further name is refused", async () => {
  await using service = await startService();
  const socket = await service.open();
  const ask = async (name: string) =>
    (await socket.rpc("getviewdocument", { name })).error?.message;
  for (let at = 0; at < 16; at++) assertEquals(await ask(`n${at}`), undefined);
  assertEquals(await ask("more"), "name: this connection follows 16 view documents already");
  assertEquals(await ask("n0"), undefined);
});

Deno.test("if a login is required, a document is read with a token, and its changes go to connections with a login", async () => {
  await using service = await startService({
    configuration: { mixers: [], auth: "required" },
  });
  const socket = await service.open();
  const call = { method: "rpc", payload: { method: "getviewdocument", params: { name: "a" } } };
  assertEquals((await socket.ask(call)).error.code, 4);
  assertEquals((await socket.ask({ ...call, token: tokens.none })).error, undefined);
  await written(service, { name: "a", document: { one: 1 } });
  await socket.ask({ method: "auth", token: tokens.none });
  await written(service, { name: "a", document: { two: 2 } });
  assertEquals(await before(socket), [event("a", 2, { two: 2 })]);
});
