/** The published error codes, each produced (decisions.md, "Control API endpoints"). */
import { assert, assertEquals } from "@std/assert";
import { errorCodes } from "../../core/errors.ts";
import {
  demoWith,
  heldStore,
  type Json,
  startService,
  type TestConsole,
  type TestService,
  type TestSocket,
  tokens,
  until,
} from "../service.ts";
import { factory } from "./row.ts";

type Produce = (socket: TestSocket, service: TestService) => Promise<Json>;

const asNone = (socket: TestSocket, method: string, params: object) =>
  socket.ask({ method: "rpc", token: tokens.none, payload: { method, params } });
const store = heldStore();

const rows: readonly (readonly [number, string, Produce, TestConsole?])[] = [
  [1, "malformed message", (socket) => socket.ask("{")],
  [2, "unknown method", (socket) => socket.rpc("nosuchmethod", {})],
  [3, "invalid parameter", (socket) => socket.rpc("getsnapshotlist", { type: "1" })],
  [
    4,
    "not logged in or bad token",
    (socket) => socket.rpc("savesnapshot", { type: 2, id: "", writegroups: 1 }),
  ],
  [5, "no right", (socket) => asNone(socket, "savesnapshot", { type: 2, id: "", writegroups: 1 })],
  [6, "no such object", (socket) => socket.ask({ method: "get", path: "/nowhere" })],
  [
    7,
    "read-only (factory or default)",
    (socket) => asNone(socket, "removesnapshot", { id: factory.mixer }),
  ],
  [8, "WebSocket only", (_, service) => service.rpc("registerextlist", { list: 1 })],
  [
    9,
    "license missing",
    (socket) => socket.rpc("registerextlist", { list: 1 }),
    { configuration: demoWith({ licenses: [] }) },
  ],
  [
    10,
    "altered or foreign snapshotdata",
    (socket) => socket.rpc("setsnapshot", { snapshotdata: {} }),
  ],
  [11, "limit reached", async (socket) => {
    await socket.rpc("registerextlist", { list: 1 });
    const entries = Array.from({ length: 1001 }, () => ({ label: "A" }));
    return socket.rpc("setextlist", { list: 1, entries });
  }],
  [12, "could not be stored", async (socket) => {
    store.hold();
    const params = { type: 2, id: "", writegroups: 1 };
    const payload = { method: "savesnapshot", params };
    const answer = socket.ask({ method: "rpc", token: tokens.admin, payload });
    await until(() => store.waiting === 1);
    store.fail("no space left on device");
    return await answer;
  }, { store }],
];

for (const [code, meaning, produce, options] of rows) {
  Deno.test(`error code ${code}: ${meaning}`, async () => {
    await using service = await startService(options);
    const answer = await produce(await service.open(), service);
    assertEquals([answer.success, answer.error?.code], [false, code], JSON.stringify(answer));
    assertEquals(Object.keys(answer.error), ["code", "message"]);
    assert(answer.error.message.length > 0);
  });
}

Deno.test("the codes are 1 to 12, and a test above produces each", () => {
  assertEquals(Object.values(errorCodes), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  assertEquals(rows.map(([code]) => code), Object.values(errorCodes));
});
