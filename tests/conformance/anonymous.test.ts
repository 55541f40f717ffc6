/** `anonymous`: the rights of callers without a token on each interface (decisions.md, "Users"). */
import { assert, assertEquals } from "@std/assert";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import { granted } from "../core/actors.ts";
import { packed, restoredFrom } from "../core/backup/archives.ts";
import { smallPng } from "../core/pictures/made-png.ts";
import {
  act,
  formFile,
  startService,
  testConsole,
  type TestService,
  type TestSocket,
  tokens,
  unlimitedWith,
} from "../service.ts";
import { call, codeOf } from "./row.ts";

const FADER = "/audio/mixers/0/faders/0/fader";

/** The error code of an answer to an envelope over HTTP, 0 for none. */
async function posted({ url }: TestService, message: object): Promise<number> {
  const response = await fetch(`${url}/api/rest`, {
    method: "POST",
    body: JSON.stringify(message),
  });
  return (await response.json()).error?.code ?? 0;
}

async function status({ url }: TestService, path: string): Promise<number> {
  const response = await fetch(url + path);
  await response.body?.cancel();
  return response.status;
}

const carriedOut = async (service: TestService, name: string, params: object) =>
  (await act(service, name, params as Record<string, string>)).json?.Error === undefined;

type Asked = (service: TestService, socket: TestSocket) => Promise<unknown>;

const code = async (socket: TestSocket, message: object) => await codeOf(socket, message) ?? 0;

const over = (message: object): Asked => (_, socket) => code(socket, message);
const posting = (message: object): Asked => (service) => posted(service, message);
const at = (path: string): Asked => (service) => status(service, path);
const acting = (name: string, params: object): Asked => (service) =>
  carriedOut(service, name, params);

/** A request without a token, and its outcomes with `anonymous` "operate", "view" and "none". */
const table: readonly (readonly [string, readonly [unknown, unknown, unknown], Asked])[] = [
  ["a get", [0, 0, 4], over({ method: "get", path: FADER })],
  ["a subscription", [0, 0, 4], over({ method: "subscribe", path: FADER })],
  ["a set", [0, 4, 4], over({ method: "set", path: FADER, payload: -3 })],
  ["a list of snapshots", [0, 0, 4], over(call("getsnapshotlist", { type: 2 }))],
  ["a fade", [0, 4, 4], over(call("fadetovalue", { fader: 0, time: 0, value: 0 }))],
  ["loading a snapshot", [0, 4, 4], over(call("loadsnapshot", { id: "default" }))],
  ["a list", [0, 4, 4], over(call("registerextlist", { list: 1 }))],
  ["an RPC over HTTP that reads", [0, 0, 4], posting(call("getsnapshotlist", { type: 2 }))],
  [
    "an RPC over HTTP that writes",
    [0, 4, 4],
    posting(call("setchannellabel", { sourceid: 1, label: "A" })),
  ],
  ["GET of the tree", [200, 200, 401], at(`/api/rest${FADER}`)],
  ["GET with set", [200, 401, 401], at(`/api/rest${FADER}?set=-9`)],
  ["an action that reads", [true, true, false], acting("getgloballabel", { ObjectID: 1 })],
  [
    "an action that writes",
    [true, false, false],
    acting("setgloballabel", { ObjectID: 1, Name: "A" }),
  ],
  [
    "an action that loads a snapshot",
    [true, false, false],
    acting("loadmx", { ObjectID: 0, SnapshotID: 0 }),
  ],
  ["a picture", [200, 200, 401], at("/pictures/1")],
  ["an upload of a picture", [true, false, false], async (service) => {
    const given = { ObjectID: 1, file: formFile(smallPng) };
    return (await act(service, "updatepic", given, "multipart")).json.Error === undefined;
  }],
  ["health", [200, 200, 200], at("/health")],
];

/** A service where an RPC over HTTP needs a token only if `anonymous` says so. */
async function startWith(parts: WrittenConfiguration | object): Promise<TestService> {
  const configuration = unlimitedWith({ restApi: { auth: "none" }, ...parts });
  const service = await startService({ configuration });
  const authorization = `Bearer ${tokens.admin}`;
  const given = { ObjectID: 1, file: formFile(smallPng) };
  await act(service, "updatepic", given, "multipart", { authorization });
  return service;
}

for (
  const [parts, column] of [
    [{}, 0],
    [{ anonymous: "operate" }, 0],
    [{ anonymous: "view" }, 1],
    [{ anonymous: "none" }, 2],
    [{ auth: "required" }, 2],
    [{ auth: "required", anonymous: "view" }, 2],
  ] as const
) {
  Deno.test(`a caller without a token has the rights that the configuration gives: ${JSON.stringify(parts)}`, async () => {
    await using service = await startWith(parts);
    const socket = await service.open();
    for (const [what, expected, ask] of table) {
      assertEquals([what, await ask(service, socket)], [what, expected[column]]);
    }
    await socket.ask({ method: "auth", token: tokens.one });
    assertEquals(await code(socket, { method: "set", path: FADER, payload: -5 }), 0, "a user may");
  });
}

Deno.test("websocket.auth and restApi.auth required ask for a token also with anonymous view", async () => {
  const parts = { websocket: { auth: "required" }, restApi: { auth: "required" } } as const;
  await using service = await startWith({ anonymous: "view", ...parts });
  const socket = await service.open();
  const answers = [
    await code(socket, { method: "get", path: FADER }),
    await status(service, `/api/rest${FADER}`),
    await carriedOut(service, "downloadmxsnap", { SnapshotID: 0 }),
    await status(service, "/pictures/1"),
  ];
  assertEquals(answers, [4, 401, false, 200]);
});

Deno.test("a configuration in force applies to connections that were open before it", async () => {
  await using service = await startWith({});
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: FADER });
  const configuration = unlimitedWith({ websocket: { auth: "required" } });
  const { state } = await testConsole({ configuration });
  granted(await restoredFrom(service.console, await packed(state, ["FWCONFIG"]), "FWCONFIG"));
  await service.post({ method: "set", path: FADER, payload: -1 });
  assertEquals(await socket.closed, 1012);
  assert(socket.untaken.length === 0, "it heard of nothing any more");
});
