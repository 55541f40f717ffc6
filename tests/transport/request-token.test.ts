/**
 * The places of a token in a request, and the requests that need one (decisions.md, "Users"), over
 * real connections.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { actions } from "../../transport/action-api/actions.ts";
import { smallPng } from "../core/pictures/made-png.ts";
import {
  act,
  actionForms,
  formFile,
  startService,
  type TestService,
  tokens,
  unlimitedWith,
} from "../service.ts";
import { opcodes, openRaw } from "./raw-socket.ts";

const right = tokens.admin;
const wrong = "eeeeeeee-00000000-00000000-00000009";

/** The token in each place; undefined for none. */
interface Tokens {
  readonly body?: string;
  readonly query?: string;
  readonly header?: string;
}

/** The outcome of a request that needs a token. */
type Outcome = "taken" | "missing" | "wrong";

interface Answer {
  readonly outcome: Outcome;
  /** The whole text of the answer. */
  readonly text: string;
}

/** Requests that need a token, by interface. */
const places: Readonly<
  Record<string, (service: TestService, tokens: Tokens) => Promise<Answer | undefined>>
> = {
  async "an action by GET"({ url }, { body, query, header }) {
    if (body !== undefined) return undefined;
    return ofAction(
      await fetch(`${url}/action/login?${asked("Token", query, 0)}`, bearing(header)),
    );
  },
  async "an action by POST"({ url }, { body, query, header }) {
    const form = asked("Token", body, 0);
    const target = `${url}/action/login?${asked("Token", query)}`;
    return ofAction(await fetch(target, { method: "POST", body: form, ...bearing(header) }));
  },
  async "POST /api/rest"({ url }, { body, query, header }) {
    const envelope = JSON.stringify({ method: "auth", token: body });
    const target = `${url}/api/rest?${asked("token", query)}`;
    const response = await fetch(target, { method: "POST", body: envelope, ...bearing(header) });
    assertEquals(response.status, 200);
    const text = await response.text();
    return { text, outcome: outcomeOf(JSON.parse(text).error) };
  },
  async "GET /api/rest"({ url }, { body, query, header }) {
    if (body !== undefined) return undefined;
    return ofStatus(
      await fetch(`${url}/api/rest/general?${asked("token", query)}`, bearing(header)),
    );
  },
  async "a WebSocket"({ url }, { body, query, header }) {
    if (body !== undefined) return undefined;
    const target = `${url}/api/ws?${asked("token", query)}`;
    using socket = await openRaw(target, bearing(header).headers);
    if (socket.status === 401) return { text: socket.head, outcome: "wrong" };
    assertEquals(socket.status, 101);
    await socket.send(opcodes.text, JSON.stringify({ method: "get", path: "/general" }));
    const answer = await socket.next();
    return { text: JSON.stringify(answer), outcome: outcomeOf(answer.error) };
  },
};

function asked(name: string, token: string | undefined, ObjectID?: number): URLSearchParams {
  const query = new URLSearchParams(ObjectID === undefined ? {} : { ObjectID: `${ObjectID}` });
  if (token !== undefined) query.set(name, token);
  return query;
}

function bearing(token: string | undefined): { readonly headers: Record<string, string> } {
  return { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
}

async function ofAction(response: Response): Promise<Answer> {
  assertEquals(response.status, 200);
  const text = await response.text();
  const { Error: message, User } = JSON.parse(text);
  assertEquals(User, message === undefined ? "admin" : undefined);
  return { text, outcome: outcomeOf(message && { code: 4, message }) };
}

async function ofStatus(response: Response): Promise<Answer> {
  const text = await response.text();
  const { error } = JSON.parse(text);
  assertEquals(
    [response.status, response.headers.get("www-authenticate")],
    error === undefined ? [200, null] : [401, "Bearer"],
  );
  return { text, outcome: outcomeOf(error) };
}

function outcomeOf(error: { code: number; message: string } | undefined): Outcome {
  if (error === undefined) return "taken";
  assertEquals(error.code, 4);
  return /missing/.test(error.message) ? "missing" : "wrong";
}

const lockedSockets = unlimitedWith({ websocket: { auth: "required" } });

const precedence: readonly (readonly [Tokens, Outcome])[] = [
  [{}, "missing"],
  [{ query: right }, "taken"],
  [{ header: right }, "taken"],
  [{ body: right }, "taken"],
  [{ query: wrong }, "wrong"],
  [{ header: wrong }, "wrong"],
  [{ body: wrong }, "wrong"],
  [{ header: "x" }, "wrong"],
  [{ header: `${right} ${right}` }, "wrong"],
  // The body wins over the query, the query over the header.
  [{ body: right, query: wrong, header: wrong }, "taken"],
  [{ body: wrong, query: right, header: right }, "wrong"],
  [{ query: right, header: wrong }, "taken"],
  [{ query: wrong, header: right }, "wrong"],
  // An empty token counts as none.
  [{ query: "" }, "missing"],
  [{ header: "" }, "missing"],
  [{ body: "" }, "missing"],
  [{ body: "", query: "", header: "" }, "missing"],
  [{ query: "", header: right }, "taken"],
  [{ query: "", header: wrong }, "wrong"],
  [{ query: right, header: "" }, "taken"],
  [{ body: "", query: right }, "taken"],
  [{ body: "", query: wrong, header: right }, "wrong"],
  [{ body: "", header: right }, "taken"],
];

for (const [place, ask] of Object.entries(places)) {
  Deno.test(`${place}: a token in the body wins over one in the query, and one in the query over one in the header; an empty one counts as none, a wrong one is refused`, async () => {
    await using service = await startService({ configuration: lockedSockets });
    for (const [given, expected] of precedence) {
      const answer = await ask(service, given);
      if (answer === undefined) continue;
      assertEquals([given, answer.outcome], [given, expected]);
      for (const token of [right, wrong]) {
        assert(!answer.text.includes(token), `${JSON.stringify(given)}: ${answer.text}`);
      }
    }
  });
}

Deno.test("the refusal of a wrong token names the place that it came in", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const [place, ask] of Object.entries(places)) {
    for (const given of [{ body: wrong }, { query: wrong }, { header: wrong }]) {
      const answer = await ask(service, given);
      if (answer === undefined || place === "a WebSocket") continue;
      const name = "header" in given ? "Authorization" : /action/.test(place) ? "Token" : "token";
      assertMatch(answer.text, new RegExp(`"${name}: expected the token of a user"`), place);
    }
  }
  const picture = await fetch(`${service.url}/pictures/1`, bearing(wrong));
  assertMatch(await picture.text(), /"Authorization: expected the token of a user"/);
});

Deno.test("a token follows Bearer, in any case, and no other scheme", async () => {
  await using service = await startService({ configuration: lockedSockets });
  const rows: readonly (readonly [authorization: string, status: number])[] = [
    [`Bearer ${right}`, 200],
    [`bearer ${right}`, 200],
    [`BEARER   ${right}`, 200],
    [`Bearer ${right.toUpperCase()}`, 200],
    ["Bearer x", 401],
    ["Bearer", 401],
    [`Basic ${btoa(`admin:${right}`)}`, 401],
    [right, 401],
    [`Bearer${right}`, 401],
  ];
  for (const [authorization, status] of rows) {
    const response = await fetch(`${service.url}/api/rest/general`, { headers: { authorization } });
    await response.body?.cancel();
    assertEquals([authorization, response.status], [authorization, status]);
  }
  // The user of a proxy beside a token, and in a request that needs none.
  const headers = { authorization: "Basic cHJveHk6c2VjcmV0" };
  const { json } = await act(service, "login", { ObjectID: 0, Token: right }, "GET", headers);
  assertEquals(json.User, "admin");
  assertEquals((await act(service, "getgloballabel", { ObjectID: 1 }, "GET", headers)).status, 200);
});

Deno.test("a token given twice is refused; an empty one beside it does not count", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const rows = [
    [[right, right], "Token: expected it once, got it 2 times"],
    [["", right], undefined],
    [["", ""], missing],
  ] as const;
  for (const [Token, error] of rows) {
    const { json } = await act(service, "login", { ObjectID: 0, Token });
    assertEquals(json.Error, error);
  }
});

Deno.test("if a token is optional, a wrong token is refused, and an empty one counts as none", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  const rows:
    readonly (readonly [headers: Record<string, string>, query: string, right: boolean])[] = [
      [{}, "", true],
      [{}, "token=", true],
      [bearing("").headers, "token=", true],
      [bearing(right).headers, "", true],
      [{}, `token=${right}`, true],
      [bearing(wrong).headers, "", false],
      [{}, `token=${wrong}`, false],
    ];
  for (const [headers, query, right] of rows) {
    const what = JSON.stringify([headers, query]);
    for (const path of ["/pictures/1", "/pictures/9", "/api/rest/general"]) {
      const response = await fetch(`${service.url}${path}?${query}`, { headers });
      await response.body?.cancel();
      const found = path === "/pictures/9" ? 404 : 200;
      assertEquals([path, what, response.status], [path, what, right ? found : 401]);
    }
    using socket = await openRaw(`${service.url}/api/ws?${query}`, headers);
    assertEquals([what, socket.status], [what, right ? 101 : 401]);
    const named = query.replace("token", "Token");
    const action = `${service.url}/action/setgloballabel?ObjectID=1&Name=A&${named}`;
    const response = await fetch(action, { headers });
    assertEquals([what, (await response.json()).Error === undefined], [what, right]);
  }
});

Deno.test("a WebSocket with a token in its handshake is logged in from the start, and auth changes the user", async () => {
  await using service = await startService({ configuration: lockedSockets });
  using socket = await openRaw(`${service.url}/api/ws`, bearing(tokens.none).headers);
  const ask = async (message: object) => {
    await socket.send(opcodes.text, JSON.stringify(message));
    return await socket.next();
  };
  const params = { type: 2, id: "", writegroups: 1 };
  const save = { method: "rpc", payload: { method: "savesnapshot", params } };
  assertEquals((await ask(save)).error.code, 5, "the user none, who is in no group");
  assert((await ask({ method: "subscribe", path: "/audio" })).success);
  assert((await ask({ method: "auth", token: right })).success);
  assert((await ask(save)).success);
  const empty = await ask({ method: "auth", token: "" });
  assertEquals([empty.success, empty.error.message], [
    false,
    "token: expected the token of a user, it is missing",
  ]);
  assertEquals((await ask(save)).error.code, 4);
});

/** The outcomes of a `set` without a token: by an action, by GET, by POST and by a WebSocket. */
async function ofNobody(service: TestService): Promise<unknown[]> {
  const { json } = await act(service, "setgloballabel", { ObjectID: 1, Name: "Anybody" });
  const get = await fetch(`${service.url}/api/rest/audio/mixers/0/faders/0/fader?set=-3`);
  await get.body?.cancel();
  const set = { method: "set", path: "/audio/mixers/0/faders/0/on", payload: true };
  const overHttp = await service.post({ ...set, token: undefined });
  const overSocket = await (await service.open()).ask(set);
  return [json.Error ?? "done", get.status, overHttp.error?.code ?? 0, overSocket.error?.code ?? 0];
}

const missing = "Token: expected the token of a user, it is missing";
const optional = { auth: "optional" };
const required = { auth: "required" };
const none = { auth: "none" };
const nothing = [missing, 401, 4, 4];

const auths: readonly (readonly [object, readonly unknown[]])[] = [
  [{}, ["done", 200, 4, 0]],
  [{ restApi: optional }, ["done", 200, 4, 0]],
  [{ restApi: required }, [missing, 401, 4, 0]],
  [{ restApi: none }, ["done", 200, 0, 0]],
  [{ websocket: required }, ["done", 401, 4, 4]],
  [{ restApi: required, websocket: required }, nothing],
  [{ restApi: none, websocket: required }, ["done", 200, 0, 4]],
  [optional, ["done", 200, 4, 0]],
  [{ ...optional, restApi: required, websocket: required }, nothing],
  // auth is one switch for all interfaces: the other two can only be stricter.
  [required, nothing],
  [{ ...required, restApi: none, websocket: optional }, nothing],
];

for (const [auth, expected] of auths) {
  Deno.test(`requests without a token, with a right one and with a wrong one are answered as ${JSON.stringify(auth)} demands`, async () => {
    await using service = await startService({ configuration: unlimitedWith(auth) });
    assertEquals(await ofNobody(service), expected);
    for (const [token, outcome] of [[right, "taken"], [wrong, "wrong"]] as const) {
      for (const [place, ask] of Object.entries(places)) {
        const answer = await ask(service, { header: token });
        assertEquals([place, answer!.outcome], [place, outcome]);
      }
    }
  });
}

// Parameters are checked before the token, unless nothing is answered without one; the object is
// checked after the token.
for (const [locked, first] of [[{ restApi: required }, /^ObjectID: /], [required, /^Token: /]]) {
  Deno.test(`${JSON.stringify(locked)}: every action answers Error without a token, and nothing changes`, async () => {
    await using service = await startService({ configuration: unlimitedWith(locked as object) });
    const download = await act(service, "downloadchsnap", { SnapshotID: 1, Token: right });
    const { state } = service.console;
    for (const { name, methods } of actions.values()) {
      const file = /^up.*snap$/.test(name)
        ? formFile(download.text, "a.sfp")
        : name === "restore"
        ? formFile(Uint8Array.of(0x1f, 0x8b), "a.bin")
        : formFile(smallPng, "a.png");
      for (const form of methods.includes("GET") ? actionForms : ["multipart"] as const) {
        for (const Token of [undefined, ""]) {
          const parameters = { ObjectID: 1, SnapshotID: 5, Name: "N", Tags: "TLS", Token };
          const given = form === "multipart" ? { ...parameters, file } : parameters;
          const { status, json } = await act(service, name, given, form);
          assertEquals([name, form, status, json.Error], [name, form, 200, missing]);
        }
      }
    }
    for (const [ObjectID, error] of [["x", first as RegExp], [99, /^Token: /]] as const) {
      const { json } = await act(service, "setgloballabel", { ObjectID, Name: "N" });
      assertMatch(json.Error, error);
    }
    assert(service.console.state === state);
  });
}

Deno.test("restApi.auth none: calls without a token have the rights of a caller without a login", async () => {
  await using service = await startService({
    configuration: unlimitedWith({ restApi: { auth: "none" } }),
  });
  const rpc = (method: string, params: object) => service.rpc(method, params, "");
  assert((await rpc("getsnapshotlist", { type: 2 })).success);
  assert((await rpc("loadsnapshot", { id: "default" })).success);
  assertEquals((await rpc("savesnapshot", { type: 2, id: "", writegroups: 1 })).error.code, 4);
  assertEquals((await act(service, "login", { ObjectID: 0 })).json.Error, missing);
  assertEquals((await act(service, "backup", { Tags: "ALL" })).json.Error, missing);
});
