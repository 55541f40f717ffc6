/** The messages of control-tree.md, over WebSocket and over HTTP. */
import { assert, assertEquals } from "@std/assert";
import {
  demoWith,
  type Json,
  startService,
  stillClock,
  type TestService,
  tokens,
} from "../service.ts";
import { FADER, test } from "./row.ts";

/** GETs `/api/rest/…`: the status and the body. */
async function read({ url }: TestService, path: string): Promise<readonly [number, Json]> {
  const response = await fetch(`${url}/api/rest${path}`);
  assertEquals(response.headers.get("content-type"), "application/json");
  return [response.status, await response.json()];
}

/** POSTs without adding anything: the status and the body. */
async function post({ url }: TestService, path: string, message: object) {
  const body = JSON.stringify(message);
  const response = await fetch(`${url}/api/rest${path}`, { method: "POST", body });
  return [response.status, await response.json()] as const;
}

test("the messages over WebSocket are those of the specification, to the letter", async ({ service, socket }) => {
  const fader = '"path":"/audio/mixers/0/faders/0"';
  const level = '"path":"/audio/mixers/0/faders/0/fader"';
  const absent = '"error":{"code":6,"message":"no such path: /nowhere"}';
  assert((await socket.ask(`{"method":"set",${fader},"payload":{"fader":-20}}`)).success);
  // The members of a request, and the further members of its answer.
  const exchanges = [
    [`"msgID":1,"method":"get",${level}`, `"payload":-20,"success":true`],
    [
      `"method":"set",${fader},"payload":{"on":true,"fader":99}`,
      `"method":"set",${fader},"payload":{"on":true,"fader":10},"success":true`,
    ],
    [`"method":"subscribe",${fader}`, `"success":true`],
    [`"method":"get","path":"/nowhere"`, `"success":false,${absent}`],
    [`"method":"unsubscribe",${fader}`, `"success":true`],
    [`"method":"subscribe",${fader}`, `"success":true`],
  ] as const;
  for (const [request, answer] of exchanges) {
    const whole = answer.startsWith('"method"') ? answer : `${request},${answer}`;
    assertEquals(JSON.stringify(await socket.ask(`{${request}}`)), `{${whole}}`);
  }
  await read(service, `${FADER}/fader?set=-19.4`);
  const update =
    '{"method":"update","payload":{"audio":{"mixers":{"0":{"faders":{"0":{"fader":-19.4}}}}}}}';
  assertEquals(JSON.stringify(await socket.next()), update);
});

test("auth answers as decisions.md shows it", async ({ socket }) => {
  const auth = `{"method":"auth","token":"${tokens.admin}"}`;
  assertEquals(JSON.stringify(await socket.ask(auth)), '{"method":"auth","success":true}');
});

test("paths come with and without the leading or a trailing slash", async ({ service, socket }) => {
  const name = "audio/mixers/0/_name";
  for (const path of [name, `/${name}`, `${name}/`, `/${name}/`]) {
    const answer = await socket.ask({ method: "get", path });
    assertEquals(answer, { method: "get", path, payload: "On Air", success: true });
  }
  assertEquals(await read(service, "/audio/mixers/0/_name"), [200, "On Air"]);
  assertEquals(await read(service, "/audio/mixers/0/_name/"), [200, "On Air"]);
});

test("a get of /audio/mixers, or of the root, answers the whole branch", async ({ service, socket }) => {
  const { payload } = await socket.ask({ method: "get", path: "/audio/mixers" });
  assertEquals(Object.keys(payload), ["0", "1"]);
  assertEquals(Object.keys(payload[1].faders).length, 8);
  assertEquals(await read(service, "/audio/mixers"), [200, payload]);
  for (const path of ["", "/"]) {
    const [status, tree] = await read(service, path);
    const roots = ["audio", "control", "general", "range"];
    assertEquals([status, Object.keys(tree).sort()], [200, roots]);
  }
});

Deno.test("the heartbeat /general/_uptime counts seconds, _systemtime those since 1970", async () => {
  const clock = stillClock();
  await using service = await startService({ clock });
  const socket = await service.open();
  for (const [tick, expected] of [[0, 0], [4999, 4], [1, 5], [3_600_000, 3605]] as const) {
    clock.tick(tick);
    assertEquals((await socket.ask({ method: "get", path: "/general/_uptime" })).payload, expected);
    assertEquals(await read(service, "/general/_systemtime"), [200, expected]);
  }
  assertEquals((await socket.ask({ method: "get", path: "/general" })).payload._hourmeter, 1);
});

test("range has type, min, max, step, unit and default of each writable leaf", async ({ service }) => {
  const level = { type: "number", min: -160, max: 10, step: 0.1, unit: "dB", default: -160 };
  assertEquals(await read(service, `/range${FADER}/fader`), [200, level]);
  const key = { type: "boolean", default: false };
  assertEquals(await read(service, `/range${FADER}/on`), [200, key]);
  const [, ranges] = await read(service, `/range${FADER}`);
  assertEquals(Object.keys(ranges).filter((name) => name.startsWith("_")), []);
});

test("a wrong type, an unknown path or a read-only member changes nothing, also among many values", async ({ service, socket }) => {
  const { state } = service.console;
  const rows: readonly (readonly [string, unknown, number])[] = [
    [FADER, { fader: -3, on: "true" }, 3],
    [FADER, { fader: "-3" }, 3],
    [FADER, { fader: null }, 3],
    [FADER, { fader: [] }, 3],
    [FADER, -3, 3],
    [FADER, null, 3],
    [FADER, [], 3],
    [FADER, undefined, 3],
    [`${FADER}/fader`, {}, 3],
    [`${FADER}/label`, true, 3],
    [`${FADER}/options`, true, 3],
    [FADER, { fader: -3, nothing: 1 }, 6],
    ["/nowhere", 1, 6],
    [`${FADER}/fader/deeper`, 1, 6],
    [`${FADER}/constructor`, 1, 6],
    [`${FADER}/__proto__/on`, true, 6],
    [FADER, { fader: -3, _channelcnt: 1 }, 7],
    [`${FADER}/_defaultlabel`, "x", 7],
    [`${FADER}/meter/_input`, [0, 0], 7],
    ["/general/_uptime", 0, 7],
    ["/audio/mixers/0/sourcelist/0/_label", "x", 7],
    ["/audio/mixers/0/sourcelist", [], 7],
    [`/range${FADER}/fader/max`, 20, 7],
    ["/range", {}, 3],
    ["/", {
      audio: { mixers: { 0: { faders: { 0: { fader: -3 } } } }, pots: { 9: { value: 0 } } },
    }, 6],
  ];
  for (const [path, payload, code] of rows) {
    const answer = await socket.ask({ method: "set", path, payload });
    if (path === "/range") {
      assertEquals(service.console.state, state, "an empty write of range changes nothing");
      continue;
    }
    const what = `${path} ${JSON.stringify(payload)}`;
    assertEquals([answer.success, answer.error?.code], [false, code], what);
    assert(service.console.state === state, what);
  }
});

test("a set of many leaves at once from the root is one change", async ({ service, socket }) => {
  const watcher = await service.open();
  await watcher.ask({ method: "subscribe", path: "" });
  const payload = {
    audio: {
      mixers: { 0: { faders: { 0: { fader: -3 }, 7: { on: true } } } },
      pots: { 1: { value: -99 } },
    },
    control: { labels: { 1: { label: "Now" } } },
  };
  const answer = await socket.ask({ method: "set", path: "/", payload });
  const inForce = { ...payload, audio: { ...payload.audio, pots: { 1: { value: -80 } } } };
  assertEquals(answer, { method: "set", path: "/", payload: inForce, success: true });
  assertEquals(await watcher.next(), { method: "update", payload: inForce });
});

test("again/inc adds to again/value", async ({ socket, value }) => {
  const path = `${FADER}/params/gain/again`;
  for (const [inc, expected] of [[3, 3], [2, 5], [-1, 4], [100, 70], [-100, 0]]) {
    assert((await socket.ask({ method: "set", path: `${path}/inc`, payload: inc })).success);
    assertEquals(await value(`${path}/value`), expected);
  }
});

test("GET answers the bare value, ?set= writes it, ?flat=true names the children", async ({ service }) => {
  const options = {
    autooffair: false,
    combilogic0: false,
    combilogic1: false,
    combilogic2: false,
    combilogic3: false,
    timerreset: false,
  };
  const rows = [
    [`${FADER}/fader?set=-20`, -20],
    [`${FADER}/fader`, -20],
    [`${FADER}/fader?set=99`, 10],
    [`${FADER}/on?set=true`, true],
    [`${FADER}/label?set=Anna%20%C3%A9`, "Anna é"],
    [`${FADER}/label?set=1`, "1"],
    [`${FADER}/label?set=`, "Host"],
    [`${FADER}?set={"fader":-5,"on":false}`, { fader: -5, on: false }],
    ["/audio/mixers?flat=true", ["0", "1"]],
    [`${FADER}/options?flat=true`, Object.keys(options)],
    [`${FADER}/options?flat=1`, Object.keys(options)],
    [`${FADER}/options?flat=0`, options],
    [`${FADER}/options?flat=false`, options],
  ] as const;
  for (const [path, value] of rows) assertEquals(await read(service, path), [200, value], path);
});

test("get and GET answer as many levels as depth says, and at the last level the members of only", async ({ service, socket }) => {
  const label = { 0: { label: "Host" }, 1: { label: "Guest 1" } };
  const rows = [
    ["/audio/mixers", { depth: 2, only: ["_name"] }, {
      0: { _name: "On Air" },
      1: { _name: "Production" },
    }],
    ["/audio/mixers/0/faders", { depth: 2, only: ["label", "none"] }, label],
    ["/audio/mixers", { depth: 1 }, { 0: {}, 1: {} }],
    ["/audio/mixers", { depth: 0 }, {}],
    [FADER, { only: ["on", "options"] }, { on: false, options: {} }],
    [`${FADER}/on`, { depth: 3 }, false],
  ] as const;
  for (const [path, extent, value] of rows) {
    const { payload } = await socket.ask({ method: "get", path, ...extent });
    const query = Object.entries(extent).map(([name, one]) => `${name}=${one}`).join("&");
    assertEquals(await read(service, `${path}?${query}`), [200, payload]);
    const message = { method: "get", path, ...extent, token: tokens.one };
    assertEquals((await post(service, "", message))[1].payload, payload);
    assertEquals(path.endsWith("faders") ? { 0: payload[0], 1: payload[1] } : payload, value);
  }
  const wrong = [
    ["depth=-1", { depth: -1 }, "depth: expected an integer from 0, got -1"],
    ["depth=all", { depth: "all" }, 'depth: expected an integer from 0, got "all"'],
  ] as const;
  for (const [query, extent, message] of wrong) {
    const error = { code: 3, message };
    assertEquals((await socket.ask({ method: "get", path: FADER, ...extent })).error, error);
    assertEquals(await read(service, `${FADER}?${query}`), [400, { error }]);
  }
});

test("an error of GET is {error:{code,message}} with status 400, 401 or 404", async ({ service }) => {
  const { state } = service.console;
  const rows: readonly (readonly [string, number, number])[] = [
    [`${FADER}/fader?set=loud`, 400, 3],
    [`${FADER}/fader?set="1"`, 400, 3],
    [`${FADER}/fader?set=`, 400, 3],
    [`${FADER}/on?set=1`, 400, 3],
    [`${FADER}/label?set=${"x".repeat(129)}`, 400, 3],
    [`${FADER}/_channelcnt?set=1`, 400, 7],
    [`${FADER}/fader?token=wrong`, 401, 4],
    [`${FADER}/fader?token=%20`, 401, 4],
    [`${FADER}/fader?set=-1&token=00000000-00000000-00000000-00000000`, 401, 4],
    ["/nowhere", 404, 6],
    ["/nowhere?set=1", 404, 6],
    ["/audio/mixers/2", 404, 6],
    ["/%ff", 404, 6],
    ["/toString", 404, 6],
  ];
  for (const [path, status, code] of rows) {
    const [given, body] = await read(service, path);
    assertEquals([given, Object.keys(body), body.error?.code], [status, ["error"], code], path);
    assertEquals(Object.keys(body.error), ["code", "message"]);
  }
  assert(service.console.state === state);
  assertEquals(await read(service, `${FADER}/fader?token=${tokens.none}`), [200, -160]);
});

const twice = "expected it once, got it 2 times";

/** A query of the control tree that is refused, with the error. */
const faultyQueries = [
  ["set=%ff", 1, 'the value of "set" in the query has wrong percent-encoding'],
  ["set=%zz", 1, 'the value of "set" in the query has wrong percent-encoding'],
  ["set=100%", 1, 'the value of "set" in the query has wrong percent-encoding'],
  ["%ff=1", 1, 'the name "%ff" in the query has wrong percent-encoding'],
  [`set=A&x=${"%41&x=".repeat(64)}`, 1, "the query has more than 64 parameters"],
  ["set=A&set=B", 3, `set: ${twice}`],
  ["depth=1&depth=2", 3, `depth: ${twice}`],
  ["only=label&only=on", 3, `only: ${twice}`],
  ["leaf=1&leaf=1", 3, `leaf: ${twice}`],
  ["flat=1&flat=1", 3, `flat: ${twice}`],
  [`token=${tokens.none}&token=wrong`, 3, `token: ${twice}`],
  ["flat=x", 3, 'flat: expected true or false, got "x"'],
  ["flat=TRUE&set=A", 3, 'flat: expected true or false, got "TRUE"'],
  ["leaf=x", 3, 'leaf: expected true or false, got "x"'],
] as const;

test("GET refuses wrong percent-encoding, a repeated parameter and a wrong switch, and writes nothing", async ({ service }) => {
  const { state } = service.console;
  for (const [query, code, message] of faultyQueries) {
    const answer = await read(service, `${FADER}/label?${query}`);
    assertEquals([query, answer], [query, [400, { error: { code, message } }]]);
  }
  assert(service.console.state === state);
  for (const query of ["x=1&x=2", `token=&token=${tokens.none}`, "depth=1&x=%C3%A9"]) {
    assertEquals(await read(service, `${FADER}/label?${query}`), [200, "Host"], query);
  }
});

test("POST refuses a query with wrong percent-encoding, and two tokens, in its envelope", async ({ service }) => {
  const message = { method: "get", path: FADER, msgID: 1 };
  const rows = [
    [`?token=${tokens.none}&x=%ff`, 1, 'the value of "x" in the query has wrong percent-encoding'],
    [`?token=${tokens.none}&token=${tokens.none}`, 3, `token: ${twice}`],
  ] as const;
  for (const [query, code, sentence] of rows) {
    const error = { code, message: sentence };
    assertEquals(await post(service, query, message), [200, { ...message, success: false, error }]);
  }
  const [, answer] = await post(service, `?token=&token=${tokens.none}`, message);
  assertEquals(answer.success, true);
});

test("GET without a token is 401 where websocket.auth is required", async ({ service }) => {
  assertEquals((await read(service, `${FADER}/fader`))[0], 401);
  assertEquals(await read(service, `${FADER}/fader?token=${tokens.none}`), [200, -160]);
}, { configuration: demoWith({ websocket: { auth: "required" } }) });

Deno.test("over limits.tree.perSecond a GET is 503, for that client, until the next second", async () => {
  const clock = stillClock();
  const configuration = demoWith({ limits: { tree: { perSecond: 3 } } });
  await using service = await startService({ clock, configuration });
  const statuses = async (count: number) => {
    const given = [];
    for (let at = 0; at < count; at++) given.push((await read(service, `${FADER}/on`))[0]);
    return given;
  };
  assertEquals(await statuses(5), [200, 200, 200, 503, 503]);
  clock.tick(999);
  assertEquals(await statuses(1), [503]);
  clock.tick(1);
  assertEquals(await statuses(4), [200, 200, 200, 503]);
  const response = await fetch(`${service.url}/api/rest${FADER}/on`);
  assertEquals([response.status, response.headers.get("retry-after")], [503, "1"]);
  assertEquals((await response.json()).error.code, 11);
  const socket = await service.open();
  assert((await socket.ask({ method: "get", path: `${FADER}/on` })).success, "WebSockets go on");
});

test("POST takes the envelope, with path in the URL or in the body, token in either", async ({ service }) => {
  const token = tokens.none;
  const answer = { method: "get", path: `${FADER}/fader`, payload: -160, success: true };
  const get = { method: "get", path: `${FADER}/fader` };
  for (const path of ["", "/", "/audio/mixers/1"]) {
    assertEquals(await post(service, path, { ...get, token }), [200, answer], path);
  }
  for (const path of [`?token=${token}`, `/?token=${token}`]) {
    assertEquals(await post(service, path, get), [200, answer], path);
  }
  for (const path of [`${FADER}/fader`, `${FADER}/fader/`]) {
    const [status, found] = await post(service, path, { method: "get", token });
    assertEquals([status, found.payload, found.success], [200, -160, true]);
  }
  const set = { method: "set", payload: { on: true, fader: 99 }, token };
  const [, changed] = await post(service, FADER, set);
  assertEquals([changed.payload, changed.success], [{ on: true, fader: 10 }, true]);
});

test("POST: every envelope is status 200; a token in the body wins over the query", async ({ service }) => {
  const get = { method: "get", path: FADER };
  const rows = [
    ["", get, 4],
    ["", { ...get, token: "wrong" }, 4],
    [`?token=${tokens.none}`, { ...get, token: "wrong" }, 4],
    ["?token=wrong", { ...get, token: tokens.none }, undefined],
    ["", { method: "get", path: "/nowhere", token: tokens.none }, 6],
    ["", { method: "nosuch", token: tokens.none }, 2],
    ["", { method: "get", path: 1, token: tokens.none }, 3],
    ["", { method: "subscribe", path: FADER, token: tokens.none }, 8],
    ["", { method: "unsubscribe", path: FADER, token: tokens.none }, 8],
    ["", { token: tokens.none }, 1],
  ] as const;
  for (const [query, message, code] of rows) {
    const [status, answer] = await post(service, query, message);
    assertEquals([status, answer.error?.code], [200, code], JSON.stringify([query, message]));
  }
});

test("POST: 400 with an envelope when the body is not a JSON object", async ({ service }) => {
  for (const body of ["", "{", "[]", "null", '"get"', "1", "{}{}", "\ufeff"]) {
    const response = await fetch(`${service.url}/api/rest`, { method: "POST", body });
    const answer = await response.json();
    assertEquals([response.status, answer.success, answer.error?.code], [400, false, 1], body);
  }
});

test("control/logics/{n} answers a bare boolean with leaf, and takes one in any set", async ({ service, socket, value }) => {
  const path = "/control/logics/2";
  const whole = { value: true, _name: "Door", _path: "Studio 1/Door" };
  const get = async (query: string) => {
    const response = await fetch(`${service.url}/api/rest${path}${query}`);
    return [response.status, await response.json()];
  };
  assertEquals(await get(""), [200, whole]);
  assertEquals(await get("?leaf=1"), [200, true]);
  assertEquals(await get("?leaf=0"), [200, whole]);
  for (const text of ["2", "x", ""]) {
    const [status, { error }] = await get(`?leaf=${text}`);
    assertEquals([status, error.code], [400, 3], text);
  }
  assertEquals(await get("?set=false"), [200, false]);
  assertEquals(await get("?leaf=1"), [200, false]);
  assertEquals((await socket.ask({ method: "get", path, leaf: true })).payload, false);
  for (const query of ["depth=0", "depth=1", "depth=9", "only=_name", "depth=0&only=value"]) {
    assertEquals(await get(`?leaf=1&${query}`), [200, false], query);
  }
  for (const extent of [{ depth: 0 }, { only: ["_name"] }]) {
    assertEquals((await socket.ask({ method: "get", path, leaf: true, ...extent })).payload, false);
  }
  assertEquals((await socket.ask({ method: "set", path, payload: true })).payload, true);
  assertEquals((await socket.ask({ method: "get", path, leaf: false })).payload, whole);
  assertEquals((await socket.ask({ method: "get", path, leaf: 1 })).error.code, 3);
  assertEquals((await socket.ask({ method: "get", path: FADER, leaf: true })).payload.on, false);
  assertEquals(await value(`${path}/value`), true);
});
