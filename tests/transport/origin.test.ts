import { assert, assertEquals, assertMatch } from "@std/assert";
import { isForeignPage, mayOpenWebSocket, originRefusal } from "../../transport/origin.ts";
import { act, startService, stillClock, unlimitedWith } from "../service.ts";
import { actions } from "../../transport/action-api/actions.ts";
import { openRaw } from "./raw-socket.ts";

const listed = ["https://panel.example", "http://studio.example:8080"];

type Row = readonly [headers: Readonly<Record<string, string>>, refused: boolean];

const crossSite = (more: Readonly<Record<string, string>>) => ({
  "sec-fetch-site": "cross-site",
  ...more,
});

const table: readonly Row[] = [
  // curl and automation say nothing of a site.
  [{}, false],
  [{ host: "console" }, false],
  [{ "sec-fetch-site": "none" }, false],
  // Over plain HTTP a browser says no more than where the page is from.
  [{ host: "console", origin: "http://console" }, false],
  [{ host: "console:8080", origin: "http://console:8080" }, false],
  [{ host: "console", origin: "https://panel.example" }, false],
  [{ host: "console:80", origin: "http://console" }, false],
  [{ host: "CONSOLE", origin: "http://console" }, false],
  // Behind what speaks TLS for us, and says so; else it is another server of the same host.
  [{ host: "console", origin: "https://console", "x-forwarded-proto": "https" }, false],
  [{ host: "console:443", origin: "https://console", "x-forwarded-proto": "HTTPS" }, false],
  [{ host: "console", origin: "http://console", "x-forwarded-proto": "https" }, true],
  [{ host: "console", origin: "https://console" }, true],
  [{ host: "console:443", origin: "https://console" }, true],
  [{ host: "console:8080", referer: "https://console:8080/" }, true],
  [{ host: "localhost", origin: "file://" }, true],
  [{ host: "localhost", origin: "file://localhost" }, true],
  [{ host: "console", origin: "http://evil.example" }, true],
  [{ host: "console", origin: "http://console:8080" }, true],
  [{ host: "console", origin: "null" }, true],
  [{ "sec-fetch-site": "same-origin", origin: "http://console" }, false],
  [{ "sec-fetch-site": "same-origin", referer: "http://console/" }, false],
  // An image or a link says at most by its Referer which page it is of.
  [{ host: "console", referer: "http://console/faders" }, false],
  [{ host: "console", referer: "https://console/", "x-forwarded-proto": "https" }, false],
  [{ host: "console", referer: "http://studio.example:8080/x" }, false],
  [{ host: "console", referer: "http://evil.example/" }, true],
  [{ host: "console", referer: "http://console:8080/" }, true],
  [{ host: "console", origin: "http://console", referer: "http://evil.example/" }, false],
  // A page of another host or port of the same site.
  [{ "sec-fetch-site": "same-site" }, true],
  [{ "sec-fetch-site": "same-site", origin: "http://other.console" }, true],
  [{ "sec-fetch-site": "same-site", referer: "http://console:3000/" }, true],
  [{ "sec-fetch-site": "same-site", origin: "null" }, true],
  [{ "sec-fetch-site": "same-site", origin: "http://console" }, false],
  [{ "sec-fetch-site": "same-site", referer: "http://console/faders" }, false],
  [{ "sec-fetch-site": "same-site", origin: "https://panel.example" }, false],
  // A page of another site.
  [crossSite({}), true],
  [crossSite({ origin: "null" }), true],
  [crossSite({ origin: "https://evil.example" }), true],
  [crossSite({ referer: "https://evil.example/panel.example" }), true],
  // A listed one, by its Origin or, on a GET, by its Referer.
  [crossSite({ origin: "https://panel.example" }), false],
  [crossSite({ origin: "http://studio.example:8080" }), false],
  [crossSite({ referer: "https://panel.example/faders?x=1" }), false],
  // Nearly a listed one.
  [crossSite({ origin: "https://panel.example.evil.example" }), true],
  [crossSite({ origin: "https://sub.panel.example" }), true],
  [crossSite({ origin: "https://panel.example:8443" }), true],
  [crossSite({ origin: "http://studio.example" }), true],
  [crossSite({ origin: "https://evil.example", referer: "https://panel.example/" }), true],
];

function request(headers: Readonly<Record<string, string>>): Request {
  return new Request("http://console/action/login", { headers });
}

Deno.test("a request that a browser marks as cross-site is a foreign page's, unless it is listed", () => {
  for (const [headers, refused] of table) {
    assertEquals([headers, isForeignPage(request(headers), listed)], [headers, refused]);
  }
});

Deno.test("an origin is listed with its scheme: a page that came over plain http is another", () => {
  assert(isForeignPage(request(crossSite({ origin: "http://panel.example" })), listed));
  const headers = { host: "console", origin: "http://panel.example" };
  assert(!mayOpenWebSocket(request(headers), listed));
});

Deno.test("every action refuses a cross-site request with 403 and an Error, and nothing changes", async () => {
  const configuration = unlimitedWith({ restApi: { origins: listed } });
  await using service = await startService({ clock: stillClock(), configuration });
  const { state } = service.console;
  const parameters = { ObjectID: 1, SnapshotID: 1, Name: "Evil" };
  for (const name of [...actions.keys(), "nosuch"]) {
    for (const form of ["GET", "urlencoded", "multipart"] as const) {
      const origin = { origin: "https://evil.example" };
      for (const headers of [crossSite(origin), origin]) {
        const { status, json } = await act(service, name, parameters, form, headers);
        assertEquals([name, status, typeof json.Error], [name, 403, "string"]);
        assertMatch(json.Error, /restApi\.origins/);
      }
    }
  }
  assert(service.console.state === state);
});

Deno.test("a listed page and whoever is no browser are answered", async () => {
  const configuration = unlimitedWith({ restApi: { origins: listed } });
  await using service = await startService({ configuration });
  for (
    const headers of [{}, crossSite({ origin: listed[0]! }), crossSite({ referer: listed[1]! })]
  ) {
    const answer = await act(service, "getgloballabel", { ObjectID: 1 }, "GET", headers);
    assertEquals([answer.status, answer.text], [200, "Studio 1"]);
  }
});

Deno.test("a cross-site request does not use up the rate of the client", async () => {
  const configuration = unlimitedWith({ limits: { rest: { burst: 1 } } });
  await using service = await startService({ clock: stillClock(), configuration });
  const headers = crossSite({});
  assertEquals((await act(service, "getgloballabel", { ObjectID: 1 }, "GET", headers)).status, 403);
  assertEquals((await act(service, "getgloballabel", { ObjectID: 1 })).status, 200);
});

Deno.test("the same holds for the control API over HTTP, and for pictures", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const path of ["/api/rest/general", "/pictures/1"]) {
    const response = await fetch(service.url + path, { headers: crossSite({}) });
    await response.body?.cancel();
    assertEquals([path, response.status], [path, 403]);
  }
});

/**
 * Who may open a WebSocket, with what `websocket.origins` lists; undefined is the service's own.
 */
const upgrades: readonly (readonly [
  origin: string | undefined | null,
  status: number,
  listed?: string,
])[] = [
  [null, 101],
  [undefined, 101],
  // A Stream Deck plugin is a page from a disk.
  ["file://", 101],
  ["https://panel.example", 403],
  ["https://panel.example", 101, "https://panel.example"],
  ["https://panel.example", 101, "https://PANEL.example:443/"],
  ["https://panel.example", 403, "http://panel.example"],
  ["https://panel.example:8443", 403, "https://panel.example"],
  ["https://panel.example.evil.example", 403, "https://panel.example"],
  ["https://evil.example", 403, "https://panel.example"],
  ["http://studio.example:8080", 101, "http://studio.example:8080"],
  ["http://127.0.0.1:1", 403],
  // A page without an origin may be anybody's: only where it is listed.
  ["null", 403],
  ["null", 403, "https://panel.example"],
  ["null", 403, "file://"],
  ["null", 101, "null"],
  ["https://evil.example", 403, "null"],
  ["", 403, "null"],
  // Schemes other than the web's are told apart, too.
  ["app://panel", 101, "app://panel"],
  ["app://evil", 403, "app://panel"],
  ["chrome-extension://evil", 403, "app://panel"],
  ["chrome-extension://evil", 403, "file://"],
];

Deno.test("a WebSocket is for the service's own pages and those from a disk, others where websocket.origins lists them", async () => {
  for (const [origin, status, listed] of upgrades) {
    const origins = listed === undefined ? [] : [listed];
    await using service = await startService({
      configuration: unlimitedWith({ websocket: { origins } }),
    });
    const headers: Record<string, string> = origin === null
      ? {}
      : { origin: origin ?? service.url };
    using socket = await openRaw(`${service.url}/api/ws`, headers);
    assertEquals([origin, listed, socket.status], [origin, listed, status]);
  }
});

Deno.test("a WebSocket behind a proxy is refused with what came, and what the proxy has to hand on", async () => {
  const configuration = unlimitedWith({ hosts: ["house.example"] });
  await using service = await startService({ configuration });
  const bare = { host: "house.example", origin: "http://house.example:8443" };
  assertEquals(
    originRefusal(request(bare)).message,
    'Origin: expected "http://house.example", by the "Host" that came, or one of ' +
      'websocket.origins, got "http://house.example:8443"; a proxy must hand on "Host" with its ' +
      'port (nginx: proxy_set_header Host $http_host) and, where it speaks TLS, "X-Forwarded-Proto"',
  );
  const tls = { host: "house.example:8443", origin: "https://house.example:8443" };
  for (
    const [headers, status] of [
      [tls, 403],
      [{ ...tls, "x-forwarded-proto": "https" }, 101],
      [{ ...tls, "sec-fetch-site": "same-origin" }, 101],
      [{ ...tls, "sec-fetch-site": "same-site" }, 403],
    ] as const
  ) {
    using socket = await openRaw(`${service.url}/api/ws`, headers);
    assertEquals([headers, socket.status], [headers, status]);
  }
});

Deno.test("a page from a disk, or without an origin, may not call the HTTP interfaces unless it is listed", async () => {
  for (const origin of ["file://", "null"]) {
    for (const origins of [[], ["https://panel.example"], ["file://"], ["null"]]) {
      await using service = await startService({
        configuration: unlimitedWith({ restApi: { origins } }),
      });
      for (const path of ["/api/rest/general", "/action/getgloballabel?ObjectID=1"]) {
        for (const site of [{}, { "sec-fetch-site": "cross-site" }]) {
          const response = await fetch(service.url + path, { headers: { origin, ...site } });
          await response.body?.cancel();
          const listed = origins.includes(origin);
          assertEquals([origin, origins, response.status], [origin, origins, listed ? 200 : 403]);
          assertEquals(
            response.headers.get("access-control-allow-origin"),
            listed ? origin : null,
          );
        }
      }
    }
  }
});

/** What a page elsewhere can make a browser send over plain HTTP, where no Sec-Fetch-Site comes. */
const page = "http://evil.example";
const fader = "/api/rest/audio/mixers/0/faders/0/fader";
const label = "/action/setgloballabel?ObjectID=1&Name=Evil";
const form = { origin: page, referer: `${page}/` };
const text = { ...form, "content-type": "text/plain" };
const set = '{"method":"set","path":"/audio/mixers/0/faders/0/fader","payload":-20}';

const sent: readonly (readonly [
  what: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
])[] = [
  ["an image", `${fader}?set=-20`, { referer: `${page}/` }],
  ["a link", label, { referer: `${page}/faders?x=1` }],
  ["a page on another port of this machine", label, { referer: "http://127.0.0.1:1/" }],
  ["a form as text", "/api/rest", text, set],
  ["a form as text, from a sandbox", "/api/rest", { ...text, origin: "null" }, set],
  ["a form", "/action/setgloballabel", form, "ObjectID=1&Name=Evil"],
  ["fetch without cors", `${fader}?set=-20`, form],
];

for (const [what, path, headers, body] of sent) {
  Deno.test(`${what} of a page elsewhere is refused over plain HTTP, and nothing changes`, async () => {
    // So that no token would be needed for any of it.
    const configuration = unlimitedWith({ restApi: { auth: "none" } });
    await using service = await startService({ clock: stillClock(), configuration });
    const { state } = service.console;
    const init = body === undefined ? { headers } : { headers, body, method: "POST" };
    const response = await fetch(service.url + path, init);
    await response.body?.cancel();
    assertEquals(response.status, 403);
    assert(service.console.state === state);
  });
}

Deno.test("an image of a page that hides where it is: writesByGet false or auth required refuses it", async () => {
  for (
    const [parts, status, answer] of [
      [{}, 200, 200],
      [{ restApi: { writesByGet: false } }, 405, 405],
      [{ auth: "required" }, 401, 200],
    ] as const
  ) {
    await using service = await startService({ configuration: unlimitedWith(parts) });
    const { state } = service.console;
    const statusOf = async (path: string) => {
      const response = await fetch(service.url + path);
      await response.body?.cancel();
      return response.status;
    };
    const statuses = [await statusOf(`${fader}?set=-20`), await statusOf(label)];
    assertEquals(statuses, [status, answer]);
    assertEquals(service.console.state === state, status !== 200);
  }
});
