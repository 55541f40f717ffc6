/** What a page of a listed origin can do with the answers, and no other (decisions.md, "pages"). */
import { assert, assertEquals } from "@std/assert";
import { smallPng } from "../core/pictures/made-png.ts";
import {
  act,
  demoWith,
  formFile,
  startService,
  stillClock,
  tokens,
  unlimitedWith,
} from "../service.ts";
import { openRaw } from "./raw-socket.ts";

const panel = "https://panel.example";
const restApi = { origins: [panel, "http://studio.example:8080"] };
const token = tokens.admin;

type Call = readonly [method: string, path: string, status: number, init?: RequestInit];

const json = (message: object): RequestInit => ({
  headers: { "content-type": "application/json" },
  body: JSON.stringify(message),
});
const bearer: RequestInit = { headers: { authorization: `Bearer ${token}` } };

/** Answers of every kind that the three interfaces have. */
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

Deno.test("a listed page may read every answer, errors too: Access-Control-Allow-Origin is its own, Vary: Origin", async () => {
  await using service = await startService({ configuration: unlimitedWith({ restApi }) });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  for (const origin of restApi.origins) {
    for (const site of [{}, { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }]) {
      for (const [method, path, status, init] of calls) {
        const headers = { ...init?.headers, origin, ...site } as HeadersInit;
        const response = await fetch(service.url + path, { ...init, method, headers });
        await response.body?.cancel();
        assertEquals([method, path, response.status], [method, path, status]);
        assertEquals(corsOf(response.headers), shared(origin), `${method} ${path}`);
      }
    }
  }
});

Deno.test("an unchanged picture, a locked and a full service say so to a listed page as well", async () => {
  const configuration = demoWith({ restApi, limits: { tree: { perSecond: 1 } } });
  await using service = await startService({ clock: stillClock(), configuration });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, { headers: { origin: panel, ...headers } });
    await response.body?.cancel();
    assertEquals(corsOf(response.headers), shared(panel));
    return response;
  };
  const etag = (await ask("/pictures/1")).headers.get("etag")!;
  assertEquals((await ask("/pictures/1", { "if-none-match": etag })).status, 304);
  await ask("/api/rest/general");
  assertEquals((await ask("/api/rest/general")).status, 503);
  for (let request = 1; request < 10; request++) await ask("/action/getgloballabel?ObjectID=1");
  const locked = await ask("/action/getgloballabel?ObjectID=1");
  assertEquals([locked.status, locked.headers.get("retry-after")], [423, "10"]);
});

Deno.test("nobody else gets any of these headers; a foreign page is refused", async () => {
  await using service = await startService({ configuration: unlimitedWith({ restApi }) });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  const crossSite = { "sec-fetch-site": "cross-site" };
  const rows: readonly (readonly [headers: Record<string, string>, foreign: boolean])[] = [
    [{}, false],
    [{ origin: service.url }, false],
    [{ origin: service.url, "sec-fetch-site": "same-origin" }, false],
    [{ ...crossSite, referer: `${panel}/faders` }, false],
    [{ origin: "https://evil.example" }, true],
    [{ origin: "https://evil.example", ...crossSite }, true],
    [{ origin: "http://panel.example", ...crossSite }, true],
    [{ origin: `${panel}.evil.example`, ...crossSite }, true],
    [{ origin: "null", ...crossSite }, true],
    [crossSite, true],
  ];
  for (const [headers, foreign] of rows) {
    for (const [method, path, status, init] of calls) {
      const all = { ...init?.headers, ...headers } as HeadersInit;
      const response = await fetch(service.url + path, { ...init, method, headers: all });
      await response.body?.cancel();
      const expected = foreign ? 403 : status;
      const what = `${method} ${path} ${JSON.stringify(headers)}`;
      assertEquals([what, response.status], [what, expected]);
      assertEquals(corsOf(response.headers), headers.origin ? {} : { vary: "Origin" }, what);
    }
  }
});

Deno.test("a preflight of a listed page is 204 with what it may send; it counts for no rate", async () => {
  const configuration = demoWith({
    restApi,
    limits: { rest: { burst: 1 }, tree: { perSecond: 1 } },
  });
  await using service = await startService({ clock: stillClock(), configuration });
  const paths = ["/api/rest", "/api/rest/audio", "/action/login", "/action/nosuch", "/pictures/1"];
  for (const path of [...paths, ...paths]) {
    const headers = {
      origin: panel,
      "sec-fetch-site": "cross-site",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type",
    };
    const response = await fetch(service.url + path, { method: "OPTIONS", headers });
    assertEquals([path, response.status, await response.text()], [path, 204, ""]);
    assertEquals(corsOf(response.headers), {
      "access-control-allow-origin": panel,
      "access-control-allow-methods": "GET, HEAD, POST",
      "access-control-allow-headers": "authorization, content-type",
      "access-control-max-age": "600",
      vary: "Origin",
    });
  }
  assertEquals((await act(service, "getgloballabel", { ObjectID: 1 })).status, 200);
});

Deno.test("a preflight of another page is refused without any of these headers", async () => {
  await using service = await startService({ configuration: unlimitedWith({ restApi }) });
  for (const origin of ["https://evil.example", "null", "file://", undefined]) {
    for (const path of ["/api/rest", "/action/login", "/pictures/1"]) {
      const headers = {
        ...(origin === undefined ? {} : { origin, "sec-fetch-site": "cross-site" }),
        "access-control-request-method": "POST",
      } as HeadersInit;
      const response = await fetch(service.url + path, { method: "OPTIONS", headers });
      await response.body?.cancel();
      const foreign = origin !== undefined;
      assertEquals([origin, path, response.status], [origin, path, foreign ? 403 : 405]);
      assertEquals(corsOf(response.headers), origin === undefined ? { vary: "Origin" } : {});
    }
  }
});

Deno.test("an answer to no page says Vary: Origin where origins are listed: no cache gives a page that one", async () => {
  for (const [origins, vary] of [[["https://panel.example"], "Origin"], [[], null]] as const) {
    const configuration = unlimitedWith({ restApi: { origins: [...origins] } });
    await using service = await startService({ configuration });
    for (const path of ["/api/rest/general", "/action/getgloballabel?ObjectID=1", "/pictures/1"]) {
      const response = await fetch(service.url + path);
      await response.body?.cancel();
      assertEquals([path, response.headers.get("vary")], [path, vary]);
      assertEquals(response.headers.get("access-control-allow-origin"), null);
    }
  }
});

Deno.test("restApi.origins opens no WebSocket, and websocket.origins no other interface", async () => {
  const origins = [panel];
  await using http = await startService({ configuration: unlimitedWith({ restApi: { origins } }) });
  using refused = await openRaw(`${http.url}/api/ws`, { origin: panel });
  assertEquals(refused.status, 403);
  await using sockets = await startService({
    configuration: unlimitedWith({ websocket: { origins } }),
  });
  using opened = await openRaw(`${sockets.url}/api/ws`, { origin: panel });
  assertEquals(opened.status, 101);
  assert(!/access-control/i.test(opened.head));
  const response = await fetch(`${sockets.url}/api/rest/general`, { headers: { origin: panel } });
  await response.body?.cancel();
  assertEquals([response.status, corsOf(response.headers)], [403, {}]);
});
