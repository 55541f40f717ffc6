/**
 * What each interface tells the audit trail: who, from where, by which call, and what was refused.
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

/** An entry in short: who did what, and where, or why not. */
function inShort({ user, from: at, what, changes, refused }: AuditEntry) {
  assertEquals(at, from);
  return [user, what, refused?.code ?? changes?.[0]?.path];
}

Deno.test("every interface tells who changed what, from where, and by which call", async () => {
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

Deno.test("reads have no entry, not even malformed ones", async () => {
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

Deno.test("refused changes have an entry with the code, whoever the caller is", async () => {
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

Deno.test("a refused attempt says what it was about, and never the token", async () => {
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

Deno.test("a wrong token is told, also where nothing but reading was asked for", async () => {
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

Deno.test("attempts of a page of another site have an entry", async () => {
  await using service = await audited();
  const origin = "https://evil.example";
  await service.get(`/api/rest${FADER}?set=1`, { origin });
  const told = service.taken();
  assertEquals(told.map(inShort), [[undefined, "page of another site", 5]]);
  assertEquals(told[0]?.target, `/api/rest${FADER}`);
});

Deno.test("the end of a connection tells which buttons and lists it lets go", async () => {
  await using service = await audited();
  const socket = await service.open();
  await socket.rpc("registerextlist", { list: 1 });
  service.taken();
  await socket.close();
  // The service hears of it after the client.
  while (service.console.state.lists.size > 0) await new Promise((done) => setTimeout(done, 5));
  assertEquals(service.taken().map(inShort), [
    [undefined, "connection closed", "/control/extlists/1/_exists"],
  ]);
});
