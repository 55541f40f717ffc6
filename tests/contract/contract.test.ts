/**
 * The published descriptions are valid by foreign validators, and the requests and answers of the
 * service fit them.
 */
import { assert, assertEquals } from "@std/assert";
import { demoConfiguration } from "../../core/configuration/demo.ts";
import { settingsSchemas } from "../../core/settings/settings.ts";
import { descriptions } from "../../program/api/descriptions.ts";
import { jsonSchema } from "../../program/api/json-schema.ts";
import { methods } from "../../transport/control-api/methods.ts";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";
import { actionCalls, envelopes } from "../fuzz/corpus.ts";
import { atDesk } from "../fuzz/desk.ts";
import { formFile, type Json, startService, tokens } from "../service.ts";
import { checksOf, closed, openApiFaults, schemasIn } from "./validators.ts";

const published: Readonly<Record<string, Json>> = Object.fromEntries(
  [...descriptions()].map(([name, text]) => [name, JSON.parse(text)]),
);
const openApi = published["openapi.json"];
const webSocket = published["websocket.json"];

Deno.test("the HTTP interface is described by a valid OpenAPI document", async () => {
  assertEquals(await openApiFaults(openApi), undefined);
});

Deno.test("an invalid OpenAPI document is found", async () => {
  const wrong = { ...openApi, paths: { "/health": { get: { responses: 200 } } } };
  assert(await openApiFaults(wrong) !== undefined);
});

Deno.test("Ajv strict takes every schema of the messages", () => {
  const check = checksOf(webSocket);
  for (const name of Object.keys(webSocket.$defs)) check(`#/$defs/${name}`, {});
});

Deno.test("Ajv strict takes every schema of the OpenAPI document", () => {
  const check = checksOf(openApi);
  const { schemas, ...others } = openApi.components;
  for (const name of Object.keys(schemas)) check(`#/$defs/${name}`, {});
  const unnamed = [...schemasIn({ paths: openApi.paths, components: others })];
  assert(unnamed.length > 400);
  for (const [name] of unnamed) check(`#/$defs/${name}`, {});
});

Deno.test("Ajv strict takes every schema of actions, configurations and settings", () => {
  for (const { name, result } of published["api.json"].rest) {
    checksOf({ $defs: { [name]: result } })(`#/$defs/${name}`, {});
  }
  checksOf(published["configuration.json"])("", {});
  for (const [tag, schema] of Object.entries(settingsSchemas)) {
    checksOf({ $defs: { [tag]: jsonSchema(schema) } })(`#/$defs/${tag}`, {});
  }
});

Deno.test("the AsyncAPI document has the messages of the WebSocket, each with the same schema", () => {
  const { messages } = published["asyncapi.json"].components;
  const { request: _, received: _2, ...schemas } = webSocket.$defs;
  assertEquals(Object.keys(messages).sort(), Object.keys(schemas).sort());
  for (const [name, { payload }] of Object.entries<Json>(messages)) {
    const { description: _, ...schema } = schemas[name];
    assertEquals(payload, schema, name);
  }
});

Deno.test("each request of the AsyncAPI document has its answer or a failure as reply", () => {
  const { operations, channels } = published["asyncapi.json"];
  const sent = (name: string) => ({ $ref: `#/channels/socket/messages/${name}` });
  for (const [name, { action, messages, reply }] of Object.entries<Json>(operations)) {
    if (action === "send") assertEquals(messages, [sent(name)]);
    else {
      assertEquals(messages, [sent(`request.${name}`)]);
      assertEquals(reply.messages, [sent(`answer.${name}`), sent("failure")]);
    }
  }
  assertEquals(channels.socket.address, "/api/ws");
});

Deno.test("every method of the envelope, and every RPC, has a request and an answer", () => {
  const names = [
    ...[...methods.keys()].filter((name) => name !== "rpc"),
    ...[...rpcMethods.keys()].map((name) => `rpc.${name}`),
  ].sort();
  for (const kind of ["request", "answer"]) {
    const described = Object.keys(webSocket.$defs)
      .filter((name) => name.startsWith(`${kind}.`)).map((name) => name.slice(kind.length + 1));
    assertEquals(described.sort(), names, kind);
  }
});

Deno.test("the configuration of the demo console fits the published schema, a wrong one does not", () => {
  const check = checksOf(published["configuration.json"]);
  assertEquals(check("", demoConfiguration), undefined);
  assert(check("", { ...demoConfiguration, lisences: [] }) !== undefined);
  assert(check("", { mixers: [{ faders: "8" }] }) !== undefined);
});

Deno.test("requests of every kind, and their answers, fit the published schemas", async () => {
  const check = checksOf(closed(webSocket));
  const messages = Object.values(envelopes).flat();
  let failures = 0;
  for (const message of messages as Json[]) {
    await atDesk(async (desk) => {
      const name = message.method === "rpc" ? `rpc.${message.payload.method}` : message.method;
      assertEquals(check(`#/$defs/request.${name}`, message), undefined, JSON.stringify(message));
      const socket = await desk.open(tokens.admin);
      const [text] = await socket.send(JSON.stringify(message));
      const answer = JSON.parse(text as string);
      const kind = answer.success ? `answer.${name}` : "failure";
      if (!answer.success) failures++;
      assertEquals(check(`#/$defs/${kind}`, answer), undefined, String(text));
    });
  }
  // Some call for an absent list, or a claim.
  assert(failures < messages.length / 4, `${failures} of ${messages.length} are refused`);
});

Deno.test("updates and events fit the published schemas", async () => {
  const check = checksOf(closed(webSocket));
  await using service = await startService();
  const socket = await service.open();
  await socket.ask({ method: "auth", token: tokens.admin });
  await socket.rpc("registerextlist", { list: 1 });
  await socket.rpc("setextlist", { list: 1, entries: [{ label: "A" }] });
  await socket.ask({ method: "subscribe", path: "/audio/mixers/0/faders/0/fader" });
  const update = await socket.ask({
    method: "set",
    path: "/audio/mixers/0/faders/0/fader",
    payload: -3,
  });
  assertEquals(update.method, "update");
  assertEquals(check("#/$defs/update", update), undefined);
  await socket.next();
  const event = await socket.rpc("pressextlist", { list: 1, entry: 0, on: 1 });
  assertEquals(event.method, "event");
  assertEquals(check("#/$defs/event.extlistnotified", event), undefined);
  await socket.next();
  await socket.rpc("getviewdocument", { name: "pages" });
  const changed = await socket.rpc("setviewdocument", { name: "pages", document: { pages: [] } });
  assertEquals(changed.method, "event");
  assertEquals(check("#/$defs/event.viewdocument", changed), undefined);
  await socket.next();
  await socket.rpc("getaccess", {});
  const access = await socket.rpc("setaccess", { fader: 1 });
  assertEquals(access.method, "event");
  assertEquals(check("#/$defs/event.getaccess", access), undefined);
  await socket.next();
});

Deno.test("the event of a hand-over fits its published schema", async () => {
  const check = checksOf(closed(webSocket));
  await using service = await startService();
  const socket = await service.open();
  await socket.ask({ method: "auth", token: tokens.admin });
  const { payload: { result: { code } } } = await socket.rpc("makehandover", { name: "one" });
  const event = await socket.rpc("takehandover", { code });
  assertEquals(event.payload.type, "handovertaken");
  assertEquals(check("#/$defs/event.handovertaken", event), undefined);
});

Deno.test("actions take the published methods, and their answers fit the published schemas", async () => {
  const calls = Object.entries(actionCalls).flatMap(([name, all]) =>
    all.map((call) => [name, call] as const)
  );
  await atDesk(async (desk) => {
    for (const [name, call] of calls) {
      const operations = openApi.paths[`/action/${name}`];
      const described = operations.post ?? operations.get;
      const body = new FormData();
      body.append("Token", tokens.admin);
      for (const [parameter, value] of Object.entries(call)) {
        const file = typeof value === "string" ? value : formFile(value.content, value.name);
        body.append(parameter, file);
      }
      const sent = Object.keys(
        described.requestBody.content["multipart/form-data"].schema.properties,
      );
      assertEquals([...new Set(body.keys())].filter((name) => !sent.includes(name)), []);
      const response = (await desk.ask(`/action/${name}`, { method: "POST", body }))!;
      const { content } = described.responses[response.status];
      const media = response.headers.get("content-type")!;
      assert(media in content, `${name}: ${media}`);
      const text = await response.text();
      if (media !== "application/json") continue;
      const schemas = checksOf(closed({ $defs: { answer: content[media].schema } }));
      assertEquals(schemas("#/$defs/answer", JSON.parse(text)), undefined, text);
    }
  });
});
