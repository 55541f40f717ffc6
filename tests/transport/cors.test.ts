/** CORS: only a page of a listed origin can read answers (decisions.md, "pages"). */
import { assertEquals } from "@std/assert";
import { smallPng } from "../core/pictures/made-png.ts";
import {
  act,
  demoWith,
  formFile,
  startService,
  stillClock,
  type TestService,
  tokens,
  unlimitedWith,
} from "../service.ts";
import { openRaw } from "./raw-socket.ts";
import { ask, statusOf } from "./requests.ts";

const panel = "https://panel.example";
const restApi = { origins: [panel, "http://studio.example:8080"] };
const crossSite = { "sec-fetch-site": "cross-site" };
const token = tokens.admin;

type Call = readonly [method: string, path: string, status: number, init?: RequestInit];

const json = (message: object): RequestInit => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(message),
});
const bearer: RequestInit = { headers: { authorization: `Bearer ${token}` } };

/** Requests with answers of every kind of the three interfaces. */
const calls: readonly Call[] = [
  ["GET", "/api/rest/general", 200],
  ["GET", "/api/rest/general", 200, bearer],
  ["GET", "/api/rest/audio", 200],
  ["GET", "/api/rest/general?token=wrong", 401],
  ["GET", "/api/rest/nowhere", 404],
  ["GET", "/api/rest/audio/mixers/0/faders/0/fader?set=x", 400],
  ["POST", "/api/rest", 200, json({ method: "get", path: "/general", token })],
  ["POST", "/api/rest", 200, json({ method: "get", path: "/general" })],
  ["POST", "/api/rest", 400, { body: "no JSON" }],
  ["POST", "/api/rest", 413, { body: "x".repeat(1024 * 1024 + 1) }],
  ["PUT", "/api/rest", 405],
  ["GET", "/action/getgloballabel?ObjectID=1", 200],
  ["GET", "/action/getgloballabel?ObjectID=99", 200],
  ["GET", "/action/downloadchsnap?SnapshotID=1", 200],
  ["GET", `/action/backup?Tags=SNMP&Token=${token}`, 200],
  ["GET", "/action/nosuch", 404],
  ["GET", "/action/updatepic", 405],
  ["POST", "/action/setgloballabel", 413, { body: "x".repeat(64 * 1024 + 1) }],
  ["GET", "/pictures/1", 200],
  ["HEAD", "/pictures/1", 200],
  ["GET", "/pictures/9", 404],
  ["GET", "/pictures/1", 401, { headers: { authorization: "Bearer x" } }],
  ["POST", "/pictures/1", 405],
  ["GET", "/nothing", 404],
];

const CORS = /^(access-control-|vary$)/;

function corsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => CORS.test(name)));
}

const shared = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "Content-Disposition, Deprecation, Durable, ETag, Retry-After",
  vary: "Origin",
});

/** A service with listed origins, and a picture. */
async function withPicture(): Promise<TestService> {
  const service = await startService({ configuration: unlimitedWith({ restApi }) });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  return service;
}

/** Makes all calls with headers; the status and the CORS headers of each answer. */
async function callAll({ url }: TestService, headers: Record<string, string>) {
  const answers: Record<string, [status: number, cors: Record<string, string>]> = {};
  for (const [method, path, , init] of calls) {
    const all = { ...init?.headers, ...headers } as HeadersInit;
    const answer = await ask(url + path, { ...init, method, headers: all });
    answers[`${method} ${path}`] = [answer.status, corsOf(answer.headers)];
  }
  return answers;
}

/** The expected answers of all calls, with these CORS headers; `refused` is the status of all. */
function allWith(cors: Record<string, string>, refused?: number) {
  return Object.fromEntries(
    calls.map(([method, path, status]) => [`${method} ${path}`, [refused ?? status, cors]]),
  );
}

Deno.test("a listed page may read every answer, errors too: Access-Control-Allow-Origin is its own, Vary: Origin", async () => {
  await using service = await withPicture();
  for (const origin of restApi.origins) {
    for (const site of [{}, { ...crossSite, "sec-fetch-mode": "cors" }]) {
      assertEquals(await callAll(service, { origin, ...site }), allWith(shared(origin)));
    }
  }
});

Deno.test("a listed page may also read 304 of a picture, and 423 and 503 over a limit", async () => {
  const configuration = demoWith({ restApi, limits: { tree: { perSecond: 1 } } });
  await using service = await startService({ clock: stillClock(), configuration });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await ask(service.url + path, { headers: { origin: panel, ...headers } });
    assertEquals(corsOf(answer.headers), shared(panel));
    return answer;
  };
  const etag = (await get("/pictures/1")).headers.get("etag")!;
  assertEquals((await get("/pictures/1", { "if-none-match": etag })).status, 304);
  await get("/api/rest/general");
  assertEquals((await get("/api/rest/general")).status, 503);
  for (let request = 1; request < 10; request++) await get("/action/getgloballabel?ObjectID=1");
  const locked = await get("/action/getgloballabel?ObjectID=1");
  assertEquals([locked.status, locked.headers.get("retry-after")], [423, "10"]);
});

Deno.test("no other client gets any CORS headers, and a foreign page is refused", async () => {
  await using service = await withPicture();
  const own = { origin: service.url, "sec-fetch-site": "same-origin" };
  // So that no cache gives a page the answer to another client.
  for (const headers of [{}, { ...crossSite, referer: `${panel}/faders` }]) {
    assertEquals(await callAll(service, headers), allWith({ vary: "Origin" }));
  }
  assertEquals(await callAll(service, own), allWith({}));
  for (const origin of ["https://evil.example", "null"]) {
    assertEquals(await callAll(service, { origin, ...crossSite }), allWith({}, 403));
  }
  assertEquals(await callAll(service, crossSite), allWith({ vary: "Origin" }, 403));
});

Deno.test("a preflight of a listed page is 204 with the allowed methods and headers, and counts for no rate limit", async () => {
  const limits = { rest: { burst: 1 }, tree: { perSecond: 1 } };
  const configuration = demoWith({ restApi, limits });
  await using service = await startService({ clock: stillClock(), configuration });
  const paths = ["/api/rest", "/api/rest/audio", "/action/login", "/action/nosuch", "/pictures/1"];
  for (const path of [...paths, ...paths]) {
    const headers = { origin: panel, ...crossSite, "access-control-request-method": "POST" };
    const answer = await ask(service.url + path, { method: "OPTIONS", headers });
    assertEquals([path, answer.status, answer.text], [path, 204, ""]);
    assertEquals(corsOf(answer.headers), {
      "access-control-allow-origin": panel,
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": "600",
      vary: "Origin",
    });
  }
  assertEquals((await act(service, "getgloballabel", { ObjectID: 1 })).status, 200);
});

Deno.test("a preflight of another page is refused without CORS headers", async () => {
  await using service = await startService({ configuration: unlimitedWith({ restApi }) });
  for (const origin of ["https://evil.example", "null", "file://", undefined]) {
    for (const path of ["/api/rest", "/action/login", "/pictures/1"]) {
      const headers = origin === undefined ? undefined : { origin, ...crossSite };
      const answer = await ask(service.url + path, { method: "OPTIONS", headers: headers ?? {} });
      const isForeign = headers !== undefined;
      assertEquals([origin, path, answer.status], [origin, path, isForeign ? 403 : 405]);
      assertEquals(corsOf(answer.headers), isForeign ? {} : { vary: "Origin" });
    }
  }
});

Deno.test("without listed origins no answer has CORS headers", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const path of ["/api/rest/general", "/action/getgloballabel?ObjectID=1", "/pictures/1"]) {
    assertEquals(corsOf((await ask(service.url + path)).headers), {});
  }
});

Deno.test("restApi.origins does not allow WebSockets, and websocket.origins allows only them", async () => {
  const origin = panel;
  await using http = await startService({ configuration: unlimitedWith({ restApi }) });
  using refused = await openRaw(`${http.url}/api/ws`, { origin });
  assertEquals(refused.status, 403);
  const websocket = { origins: [panel] };
  await using sockets = await startService({ configuration: unlimitedWith({ websocket }) });
  using opened = await openRaw(`${sockets.url}/api/ws`, { origin });
  assertEquals([opened.status, /access-control/i.test(opened.head)], [101, false]);
  assertEquals(await statusOf(`${sockets.url}/api/rest/general`, { headers: { origin } }), 403);
});
