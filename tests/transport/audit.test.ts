/**
 * The audit entries of each interface: user, address, call, changes, and refusals.
 */
import { assertEquals } from "@std/assert";
import type { AuditEntry } from "../../core/audit.ts";
import { act, formFile, startService, tokens, unlimitedWith } from "../service.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";

const FADER = "/audio/mixers/0/faders/0/fader";
const from = "127.0.0.1";
const WRONG = "eeeeeeee-00000000-00000000-00000009";
const SAVED = { type: 2, id: "", name: "Morning", writegroups: 1 };

/** A service with an audit trail. */
async function audited(parts: Partial<WrittenConfiguration> = {}) {
  const entries: AuditEntry[] = [];
  const configuration = unlimitedWith(parts);
  const service = await startService({ configuration, audit: (entry) => entries.push(entry) });
  entries.length = 0;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${service.url}${path}`, { headers });
    await response.body?.cancel();
    return response.status;
  };
  return { ...service, get, taken: () => entries.splice(0) };
}

/** An entry in short: the user, the call, and the path or the error code. */
function inShort({ user, from: at, what, changes, refused }: AuditEntry) {
  assertEquals(at, from);
  return [user, what, refused?.code ?? changes?.[0]?.path];
}

Deno.test("changes by every interface have an entry with user, address and call", async () => {
  await using service = await audited();
  const socket = await service.open();
  const path = FADER;
  await socket.ask({ method: "set", path, payload: -1 });
  await socket.ask({ method: "auth", token: tokens.one });
  await socket.ask({ method: "set", path, payload: -2 });
  await socket.ask({ method: "set", token: tokens.two, path, payload: -3 });
  await service.post({ method: "set", path, payload: -4 });
  await service.get(`/api/rest${FADER}?set=-5`);
  await service.get(`/api/rest${FADER}?set=-6&token=${tokens.one}`);
  await act(service, "setchannellabel", { ObjectID: 1, Name: "Anna" });
  await act(service, "setgloballabel", { ObjectID: 1, Name: "News", Token: tokens.two });
  await act(service, "login", { ObjectID: 0, Token: tokens.one });
  await service.rpc("fadetovalue", { fader: 0, time: 1, value: -20 }, tokens.two);
  assertEquals(service.taken().map(inShort), [
    [undefined, "set", FADER],
    ["one", "set", FADER],
    ["two", "set", FADER],
    ["admin", "set", FADER],
    [undefined, "set", FADER],
    ["one", "set", FADER],
    [undefined, "setchannellabel", "/audio/mixers/0/faders/0/label"],
    ["two", "setgloballabel", "/control/labels/1/label"],
    ["one", "login", "/audio/mixers/0/_user"],
    ["two", "fadetovalue", FADER],
  ]);
});

Deno.test("reads have no entry, also malformed ones", async () => {
  await using service = await audited();
  const socket = await service.open();
  await socket.ask({ method: "get", path: FADER });
  await socket.ask({ method: "get", path: "/nowhere" });
  await socket.ask({ method: "subscribe", path: "/nowhere" });
  await socket.ask("no JSON");
  await socket.ask({ method: "nothing" });
  await socket.rpc("getsnapshot", { id: "no such" });
  await socket.rpc("nothing", {});
  await service.get("/api/rest/nowhere");
  await service.get("/nowhere");
  await act(service, "getgloballabel", { ObjectID: 9 });
  await act(service, "downloadmxsnap", { SnapshotID: 9 });
  assertEquals(service.taken(), []);
});

Deno.test("a refused change has an entry with the code, for any caller", async () => {
  await using service = await audited();
  const socket = await service.open();
  await socket.ask({ method: "set", path: "/nowhere", payload: 1 });
  await socket.ask({ method: "set", path: FADER, payload: "loud" });
  await socket.ask({ method: "set", path: "/general/_uptime", payload: 1 });
  await socket.rpc("savesnapshot", SAVED);
  await service.rpc("savesnapshot", { ...SAVED, writegroups: "1" }, tokens.one);
  await service.rpc("adduser", { name: "x", groups: 1 }, tokens.one);
  await service.get(`/api/rest${FADER}?set=loud`);
  await act(service, "setgloballabel", { ObjectID: "x", Name: "News", Token: tokens.two });
  await act(service, "setgloballabel", { ObjectID: 99, Name: "News", Token: tokens.two });
  await act(service, "login", { ObjectID: 0 });
  const file = formFile(Uint8Array.of(0x1f, 0x8b), "backup.bin");
  await act(service, "restore", { file, Tags: "ALL", Token: tokens.one }, "multipart");
  assertEquals(service.taken().map(inShort), [
    [undefined, "set", 6],
    [undefined, "set", 3],
    [undefined, "set", 7],
    [undefined, "savesnapshot", 4],
    ["one", "savesnapshot", 3],
    ["one", "adduser", 5],
    [undefined, "set", 3],
    ["two", "setgloballabel", 3],
    ["two", "setgloballabel", 6],
    [undefined, "login", 4],
    ["one", "restore", 5],
  ]);
});

Deno.test("the entry of a refused attempt has its target, but never the token", async () => {
  await using service = await audited();
  await service.rpc("removesnapshot", { id: "no-such", token: tokens.one });
  await act(service, "setgloballabel", { ObjectID: 99, Name: "News", Token: tokens.two });
  await service.get(`/api/rest/nowhere?set=1&token=${tokens.two}`);
  assertEquals(service.taken().map(({ target }) => target), [
    { id: "no-such", token: "***" },
    { ObjectID: 99, Name: "News", Token: "***" },
    "/nowhere",
  ]);
});

Deno.test("a wrong token has an entry, also in a request that only reads", async () => {
  await using service = await audited();
  const socket = await service.open();
  await socket.ask({ method: "auth", token: WRONG });
  await socket.ask({ method: "get", token: WRONG, path: FADER });
  await socket.ask({ method: "set", token: WRONG, path: FADER, payload: 1 });
  await service.post({ method: "get", token: WRONG, path: FADER });
  await service.get(`/api/rest${FADER}?token=${WRONG}`);
  await service.get(`/api/rest${FADER}?set=1`, { authorization: `Bearer ${WRONG}` });
  await service.get(`/api/ws?token=${WRONG}`, { upgrade: "websocket" });
  await act(service, "getgloballabel", { ObjectID: 1, Token: WRONG });
  await act(service, "logout", { ObjectID: 0, Token: WRONG });
  assertEquals(service.taken().map(({ what, refused }) => [what, refused?.code]), [
    ["auth", 4],
    ["token", 4],
    ["set", 4],
    ["token", 4],
    ["token", 4],
    ["set", 4],
    ["token", 4],
    ["token", 4],
    ["logout", 4],
  ]);
});

Deno.test("an attempt by a page of another site has an entry", async () => {
  await using service = await audited();
  const origin = "https://evil.example";
  await service.get(`/api/rest${FADER}?set=1`, { origin });
  const told = service.taken();
  assertEquals(told.map(inShort), [[undefined, "page of another site", 5]]);
  assertEquals(told[0]?.target, `/api/rest${FADER}`);
});

Deno.test("the end of a connection has entries for the buttons that it releases and the lists that it leaves", async () => {
  await using service = await audited();
  const socket = await service.open();
  await socket.rpc("registerextlist", { list: 1 });
  service.taken();
  await socket.close();
  // The service notices the end later than the client.
  while (service.console.state.lists.size > 0) await new Promise((done) => setTimeout(done, 5));
  assertEquals(service.taken().map(inShort), [
    [undefined, "connection closed", "/control/extlists/1/_exists"],
  ]);
});
