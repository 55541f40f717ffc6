/** The pages whose requests a browser may send (decisions.md, "pages"). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { actions } from "../../transport/action-api/actions.ts";
import { isForeignPage, mayOpenWebSocket, originRefusal } from "../../transport/origin.ts";
import { act, startService, stillClock, unlimitedWith } from "../service.ts";
import { openRaw } from "./raw-socket.ts";
import { ask, statusOf } from "./requests.ts";

type Headers = Readonly<Record<string, string>>;

const panel = "https://panel.example";
const studio = "http://studio.example:8080";
const evil = "https://evil.example";
const listed = [panel, studio];
const crossSite = { "sec-fetch-site": "cross-site" };
const sameSite = { "sec-fetch-site": "same-site" };
const sameOrigin = { "sec-fetch-site": "same-origin" };
const proxied = { "x-forwarded-proto": "https" };

/** Headers of requests by own pages, by listed pages, and by other clients than browsers. */
const welcome: readonly Headers[] = [
  // curl and automation send no headers about a site.
  {},
  { host: "console" },
  { "sec-fetch-site": "none" },
  // Over plain HTTP a browser sends only the origin of the page.
  { host: "console", origin: "http://console" },
  { host: "console:8080", origin: "http://console:8080" },
  { host: "console", origin: panel },
  { host: "console:80", origin: "http://console" },
  { host: "CONSOLE", origin: "http://console" },
  // Behind a proxy that speaks TLS and sends X-Forwarded-Proto.
  { host: "console", origin: "https://console", ...proxied },
  { host: "console:443", origin: "https://console", "x-forwarded-proto": "HTTPS" },
  { ...sameOrigin, origin: "http://console" },
  { ...sameOrigin, referer: "http://console/" },
  // A request of an image or a link names its page at most in Referer.
  { host: "console", referer: "http://console/faders" },
  { host: "console", referer: "https://console/", ...proxied },
  { host: "console", referer: `${studio}/x` },
  { host: "console", origin: "http://console", referer: evil },
  { ...sameSite, origin: "http://console" },
  { ...sameSite, referer: "http://console/faders" },
  { ...sameSite, origin: panel },
  { ...crossSite, origin: panel },
  { ...crossSite, origin: studio },
  { ...crossSite, referer: `${panel}/faders?x=1` },
];

/** Headers of requests by foreign pages. */
const foreign: readonly Headers[] = [
  { host: "console", origin: "http://console", ...proxied },
  // Without X-Forwarded-Proto it is another server on the same host.
  { host: "console", origin: "https://console" },
  { host: "console:443", origin: "https://console" },
  { host: "console:8080", referer: "https://console:8080/" },
  { host: "localhost", origin: "file://" },
  { host: "localhost", origin: "file://localhost" },
  { host: "console", origin: "http://evil.example" },
  { host: "console", origin: "http://console:8080" },
  { host: "console", origin: "null" },
  { host: "console", referer: "http://evil.example/" },
  { host: "console", referer: "http://console:8080/" },
  // A page of another host or port of the same site.
  sameSite,
  { ...sameSite, origin: "http://other.console" },
  { ...sameSite, referer: "http://console:3000/" },
  { ...sameSite, origin: "null" },
  crossSite,
  { ...crossSite, origin: "null" },
  { ...crossSite, origin: evil },
  { ...crossSite, referer: `${evil}/panel.example` },
  // Similar to a listed origin.
  { ...crossSite, origin: `${panel}.evil.example` },
  { ...crossSite, origin: "https://sub.panel.example" },
  { ...crossSite, origin: `${panel}:8443` },
  { ...crossSite, origin: "http://panel.example" },
  { ...crossSite, origin: "http://studio.example" },
  { ...crossSite, origin: evil, referer: `${panel}/` },
];

function request(headers: Headers): Request {
  return new Request("http://console/action/login", { headers });
}

Deno.test("a request is foreign if the headers of a browser show a foreign page that is not listed", () => {
  for (const headers of welcome) {
    assert(!isForeignPage(request(headers), listed), JSON.stringify(headers));
  }
  for (const headers of foreign) {
    assert(isForeignPage(request(headers), listed), JSON.stringify(headers));
  }
});

Deno.test("a page from a disk, or without an origin, is foreign unless it is listed", () => {
  for (const origin of ["file://", "null"]) {
    for (const origins of [[], [panel], ["file://"], ["null"]]) {
      for (const site of [{}, crossSite]) {
        const isForeign = isForeignPage(request({ origin, ...site }), origins);
        assertEquals(isForeign, !origins.includes(origin), `${origin} of ${origins}`);
      }
    }
  }
});

/** An origin, whether it may open a WebSocket, and the listed `websocket.origins`. */
const upgrades: readonly (readonly [origin: string, mayOpen: boolean, ...listed: string[]])[] = [
  ["http://console", true],
  // A Stream Deck plugin is a page from a disk.
  ["file://", true],
  [panel, false],
  [panel, true, panel],
  [panel, true, "https://PANEL.example:443/"],
  [panel, false, "http://panel.example"],
  ["http://panel.example", false, panel],
  [`${panel}:8443`, false, panel],
  [`${panel}.evil.example`, false, panel],
  [evil, false, panel],
  [studio, true, studio],
  ["http://127.0.0.1:1", false],
  // A page without an origin may be any page, so "null" has to be listed.
  ["null", false],
  ["null", false, panel, "file://"],
  ["null", true, "null"],
  [evil, false, "null"],
  ["", false, "null"],
  // Schemes other than the web's are told apart, too.
  ["app://panel", true, "app://panel"],
  ["app://evil", false, "app://panel"],
  ["chrome-extension://evil", false, "app://panel", "file://"],
];

Deno.test("a WebSocket is open to the service's own pages, pages from a disk, and pages that websocket.origins lists", async () => {
  assert(mayOpenWebSocket(request({}), []), "clients that are not browsers send no Origin");
  for (const [origin, mayOpen, ...listed] of upgrades) {
    const row = `${origin} of ${listed}`;
    assertEquals(mayOpenWebSocket(request({ host: "console", origin }), listed), mayOpen, row);
  }
  const configuration = unlimitedWith({ websocket: { origins: [panel] } });
  await using service = await startService({ configuration });
  for (const [origin, status] of [[panel, 101], [service.url, 101], [evil, 403]] as const) {
    using socket = await openRaw(`${service.url}/api/ws`, { origin });
    assertEquals([origin, socket.status], [origin, status]);
  }
});

Deno.test("the refusal of a WebSocket behind a proxy names the received headers and those that the proxy has to pass on", () => {
  const bare = { host: "house.example", origin: "http://house.example:8443" };
  assertEquals(
    originRefusal(request(bare)).message,
    'Origin: expected "http://house.example", by the "Host" that came, or one of ' +
      'websocket.origins, got "http://house.example:8443"; a proxy must hand on "Host" with its ' +
      'port (nginx: proxy_set_header Host $http_host) and, where it speaks TLS, "X-Forwarded-Proto"',
  );
  const tls = { host: "house.example:8443", origin: "https://house.example:8443" };
  for (
    const [headers, mayOpen] of [
      [tls, false],
      [{ ...tls, ...proxied }, true],
      [{ ...tls, ...sameOrigin }, true],
      [{ ...tls, ...sameSite }, false],
    ] as const
  ) assertEquals(mayOpenWebSocket(request(headers), []), mayOpen, JSON.stringify(headers));
});

Deno.test("every action refuses a cross-site request with 403 and an Error, and nothing changes", async () => {
  const configuration = unlimitedWith({ restApi: { origins: listed } });
  await using service = await startService({ clock: stillClock(), configuration });
  const { state } = service.console;
  const parameters = { ObjectID: 1, SnapshotID: 1, Name: "Evil" };
  for (const name of [...actions.keys(), "nosuch"]) {
    for (const form of ["GET", "urlencoded", "multipart"] as const) {
      const { status, json } = await act(service, name, parameters, form, { origin: evil });
      assertEquals([name, status], [name, 403]);
      assertMatch(json.Error, /restApi\.origins/);
    }
  }
  assert(service.console.state === state);
  for (const headers of [{}, { ...crossSite, origin: panel }, { referer: `${studio}/` }]) {
    const answer = await act(service, "getgloballabel", { ObjectID: 1 }, "GET", headers);
    assertEquals([answer.status, answer.text], [200, "Studio 1"]);
  }
});

Deno.test("a cross-site request does not use up the rate of the client", async () => {
  const configuration = unlimitedWith({ limits: { rest: { burst: 1 } } });
  await using service = await startService({ clock: stillClock(), configuration });
  const label = `${service.url}/action/getgloballabel?ObjectID=1`;
  assertEquals(await statusOf(label, { headers: crossSite }), 403);
  assertEquals(await statusOf(label), 200);
});

/** Requests that a foreign page can cause over plain HTTP, without Sec-Fetch-Site. */
const page = "http://evil.example";
const fader = "/api/rest/audio/mixers/0/faders/0/fader";
const label = "/action/setgloballabel?ObjectID=1&Name=Evil";
const form = { origin: page, referer: `${page}/` };
const text = { ...form, "content-type": "text/plain" };
const set = '{"method":"set","path":"/audio/mixers/0/faders/0/fader","payload":-20}';

const sent: Readonly<Record<string, [path: string, headers: Headers, body?: string]>> = {
  "an image": [`${fader}?set=-20`, { referer: `${page}/` }],
  "a picture": ["/pictures/1", { referer: `${page}/` }],
  "a link": [label, { referer: `${page}/faders?x=1` }],
  "a page on another port of this machine": [label, { referer: "http://127.0.0.1:1/" }],
  "a form as text": ["/api/rest", text, set],
  "a form as text, from a sandbox": ["/api/rest", { ...text, origin: "null" }, set],
  "a form": ["/action/setgloballabel", form, "ObjectID=1&Name=Evil"],
  "fetch without cors": [`${fader}?set=-20`, form],
};

Deno.test("requests of a foreign page over plain HTTP are refused, and nothing changes", async () => {
  // So that none of these requests needs a token.
  const configuration = unlimitedWith({ restApi: { auth: "none" } });
  await using service = await startService({ clock: stillClock(), configuration });
  const { state } = service.console;
  for (const [what, [path, headers, body]] of Object.entries(sent)) {
    const init = body === undefined ? { headers } : { headers, body, method: "POST" };
    const { status, headers: answered } = await ask(service.url + path, init);
    assertEquals([what, status], [what, 403]);
    assertEquals(answered.get("access-control-allow-origin"), null);
  }
  assert(service.console.state === state);
});
