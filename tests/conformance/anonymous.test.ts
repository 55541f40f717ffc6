/** `anonymous`: what a caller without a token may do, by each interface (decisions.md, "Users"). */
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

/** What is asked without a token, and what comes of it: to operate, to view, to do nothing. */
const table: readonly (readonly [string, Asked, readonly [unknown, unknown, unknown]])[] = [
  ["a get", (_, socket) => code(socket, { method: "get", path: FADER }), [0, 0, 4]],
  ["a subscription", (_, socket) => code(socket, { method: "subscribe", path: FADER }), [0, 0, 4]],
  ["a set", (_, socket) => code(socket, { method: "set", path: FADER, payload: -3 }), [0, 4, 4]],
  ["a list of snapshots", (_, socket) => code(socket, call("getsnapshotlist", { type: 2 })), [
    0,
    0,
    4,
  ]],
  ["a fade", (_, socket) => code(socket, call("fadetovalue", { fader: 0, time: 0, value: 0 })), [
    0,
    4,
    4,
  ]],
  ["loading a snapshot", (_, socket) => code(socket, call("loadsnapshot", { id: "default" })), [
    0,
    4,
    4,
  ]],
  ["a list", (_, socket) => code(socket, call("registerextlist", { list: 1 })), [0, 4, 4]],
  [
    "an RPC over HTTP that reads",
    (service) => posted(service, call("getsnapshotlist", { type: 2 })),
    [0, 0, 4],
  ],
  [
    "an RPC over HTTP that writes",
    (service) => posted(service, call("setchannellabel", { sourceid: 1, label: "A" })),
    [0, 4, 4],
  ],
  ["GET of the tree", (service) => status(service, `/api/rest${FADER}`), [200, 200, 401]],
  ["GET with set", (service) => status(service, `/api/rest${FADER}?set=-9`), [200, 401, 401]],
  [
    "an action that reads",
    async (service) => (await act(service, "getgloballabel", { ObjectID: 1 })).json === undefined,
    [true, true, false],
  ],
  [
    "an action that writes",
    (service) => carriedOut(service, "setgloballabel", { ObjectID: 1, Name: "A" }),
    [true, false, false],
  ],
  [
    "a snapshot that an action loads",
    (service) => carriedOut(service, "loadmx", { ObjectID: 0, SnapshotID: 0 }),
    [true, false, false],
  ],
  ["a picture", (service) => status(service, "/pictures/1"), [200, 200, 401]],
  ["a picture that is brought", async (service) => {
    const given = { ObjectID: 1, file: formFile(smallPng) };
    return (await act(service, "updatepic", given, "multipart")).json.Error === undefined;
  }, [true, false, false]],
  ["health", (service) => status(service, "/health"), [200, 200, 200]],
];

/** A service in which RPCs over HTTP need no token but for `anonymous`. */
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
  Deno.test(`what a caller without a token may do, with ${JSON.stringify(parts)}`, async () => {
    await using service = await startWith(parts);
    const socket = await service.open();
    for (const [what, ask, expected] of table) {
      assertEquals([what, await ask(service, socket)], [what, expected[column]]);
    }
    await socket.ask({ method: "auth", token: tokens.one });
    assertEquals(await code(socket, { method: "set", path: FADER, payload: -5 }), 0, "a user may");
  });
}

Deno.test("websocket.auth and restApi.auth ask for a token where anonymous lets anybody view", async () => {
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

Deno.test("a connection that is open is held to the configuration that is in force", async () => {
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
