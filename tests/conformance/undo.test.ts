/** The list and the undo of the last changes: `getundolist` and `undo` (ours). */
import { assertEquals } from "@std/assert";
import { type Json, tokens } from "../service.ts";
import type { AuditEntry } from "../../core/audit.ts";
import { call, factory, FADER, type Given, test } from "./row.ts";

const LEVEL = `${FADER}/fader`;
const set = (socket: Given["socket"], path: string, payload: unknown, token: string) =>
  socket.ask({ msgID: 1, method: "set", path, payload, token });

const lastStep = async ({ service }: Given): Promise<number> =>
  (await service.rpc("getundolist", {})).payload.result[0].step;

test("getundolist answers the last changes, the newest first, the same over HTTP and WebSocket", async ({ socket, both }) => {
  await set(socket, LEVEL, -12, tokens.one);
  await socket.rpc("loadsnapshot", { id: factory.mixer });
  const { payload } = await both("getundolist", {});
  const at = "1970-01-01T00:00:00.000Z";
  assertEquals(payload.result, [
    {
      step: 2,
      at,
      what: "loadsnapshot",
      subject: "All closed",
      path: FADER,
      member: "fader",
      values: 1,
    },
    { step: 1, at, user: "one", what: "set", path: FADER, member: "fader", values: 1 },
  ]);
});

test("getundolist with a step answers the values that its undo would change", async ({ service, socket, both }) => {
  await set(socket, FADER, { fader: -12, on: true }, tokens.one);
  await service.post({ method: "set", path: LEVEL, payload: -3 });
  const { payload } = await both("getundolist", { step: 1 });
  assertEquals(payload.result[0].preview, [
    { path: LEVEL, was: -160, put: -12, now: -3, changed: true, needs: "operate" },
    { path: `${FADER}/on`, was: false, put: true, now: true, changed: false, needs: "operate" },
  ]);
});

test("undo restores values that the step set and nothing changed since, answers the others as left, and with force restores all", async (given) => {
  const { service, socket, value } = given;
  await set(socket, FADER, { fader: -12, on: true }, tokens.one);
  const step = await lastStep(given);
  await service.post({ method: "set", path: LEVEL, payload: -3 });
  const { payload } = await service.rpc("undo", { step });
  const left = [{ path: LEVEL, was: -160, put: -12, now: -3 }];
  assertEquals(payload.result, { restored: 1, left });
  assertEquals([await value(LEVEL), await value(`${FADER}/on`)], [-3, false]);
  const forced = await service.rpc("undo", { step, force: true });
  assertEquals(forced.payload.result, { restored: 1, left: [] });
  assertEquals(await value(LEVEL), -160);
});

test("subscribers get the update of an undo, which is a step itself", async (given) => {
  const { service, socket, value } = given;
  await set(socket, LEVEL, -12, tokens.one);
  const hearing = await service.open();
  await hearing.ask({ msgID: 1, method: "subscribe", path: LEVEL });
  await service.rpc("undo", { step: await lastStep(given) });
  const heard: Json[] = [];
  while (heard.at(-1)?.payload?.audio?.mixers[0].faders[0].fader !== -160) {
    heard.push(await hearing.next());
  }
  const { payload } = await service.rpc("getundolist", {});
  const [{ what, subject }] = payload.result;
  assertEquals([what, subject], ["undo", "set by one"]);
  await service.rpc("undo", { step: await lastStep(given) });
  assertEquals(await value(LEVEL), -12);
});

test("an unknown step is error 6, and a user who may only view gets error 5", async ({ service, assertCodes }) => {
  await service.rpc("adduser", { name: "eyes", groups: 1, may: "view" });
  await assertCodes([
    ["getundolist", { step: 1 }, 6, /^step: there is no step 1/],
    ["undo", { step: 1 }, 6, /^step: there is no step 1/],
  ]);
  const { payload } = await service.rpc("modifyuser", { name: "eyes", newtoken: true });
  const { token } = payload.result;
  await service.post({ method: "set", path: LEVEL, payload: -12 });
  for (const [method, params] of [["getundolist", {}], ["undo", { step: 1 }]] as const) {
    const answer = await service.post({ ...call(method, params), token });
    assertEquals(answer.error?.code, 5, method);
  }
});

const told: AuditEntry[] = [];
test("the audit entry of an undo names the undone step and has the changes", async (given) => {
  const { service, socket } = given;
  await set(socket, LEVEL, -12, tokens.one);
  await service.rpc("undo", { step: await lastStep(given) });
  const { user, what, subject, changes } = told.at(-1)!;
  assertEquals({ user, what, subject, changes }, {
    user: "admin",
    what: "undo",
    subject: "set by one",
    changes: [{ path: LEVEL, before: -12, after: -160 }],
  });
}, { audit: (entry) => void told.push(entry) });
