/** `auth` "required": nothing is answered anywhere without a token (decisions.md, "Users"). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { smallPng } from "../core/pictures/made-png.ts";
import { actions } from "../../transport/action-api/actions.ts";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";
import { act, formFile, startService, tokens, unlimitedWith } from "../service.ts";

const configuration = unlimitedWith({ auth: "required", device: { firmware: "10.3.7" } });

/** Text that gives the console away: its names, values and versions. */
const TELLING = /faderd|10\.3\.7|Studio 1|Fader|Host|_firmware|audio/;

const wrong = "eeeeeeee-00000000-00000000-00000009";

/** Headers without a token, with an empty token, and with a wrong token. */
const strangers = [{}, { authorization: "Bearer " }, { authorization: `Bearer ${wrong}` }];

Deno.test("no path of HTTP tells anything about the console without a token; with a token each answers", async () => {
  await using service = await startService({ configuration });
  const authorization = `Bearer ${tokens.admin}`;
  const file = formFile(smallPng);
  await act(service, "updatepic", { ObjectID: 1, file }, "multipart", { authorization });
  const { state } = service.console;
  const requests: readonly (readonly [path: string, status: number, body?: string])[] = [
    ["/api/rest", 401],
    ["/api/rest/general", 401],
    ["/api/rest/audio?flat=true", 401],
    ["/api/rest/nowhere", 401],
    ["/api/rest/general?flat=x", 401],
    ["/api/rest/general?depth=1&depth=2", 401],
    ["/api/rest/control/labels/1/label?set=%ff", 401],
    ["/api/rest/range/audio", 401],
    ["/api/rest/audio/mixers/0/faders/0/fader?set=-20", 401],
    ["/api/rest", 200, '{"method":"get","path":"/general"}'],
    ["/api/rest", 200, '{"method":"set","path":"/control/labels/1/label","payload":"x"}'],
    ["/api/rest", 200, '{"method":"subscribe","path":"/general"}'],
    ["/api/rest", 200, '{"method":"nosuch"}'],
    ["/api/rest?depth=1&depth=2", 200, '{"method":"get","path":"/general"}'],
    ["/pictures/1", 401],
    ["/pictures/9", 401],
    ["/action/getgloballabel?ObjectID=1", 200],
    ["/action/getgloballabel?ObjectID=99", 200],
    ["/action/setgloballabel?ObjectID=1&Name=x", 200],
    ["/action/downloadchsnap?SnapshotID=1", 200],
    ["/action/nosuch", 404],
  ];
  for (const [path, status, body] of requests) {
    const init = body === undefined ? {} : { method: "POST", body };
    for (const headers of strangers) {
      const response = await fetch(service.url + path, { ...init, headers });
      const text = await response.text();
      const what = `${path} ${body ?? ""}: ${text}`;
      assertEquals([what, response.status], [what, status]);
      const { error, Error } = JSON.parse(text);
      assert(typeof (error?.message ?? Error) === "string", what);
      assert(!TELLING.test(text.replaceAll(path, "").replace(body ?? "", "")), what);
    }
  }
  assert(service.console.state === state);
  const status = async (path: string) => {
    const response = await fetch(service.url + path, { headers: { authorization } });
    await response.body?.cancel();
    return response.status;
  };
  for (const path of ["/api/rest/general", "/pictures/1", "/action/getgloballabel?ObjectID=1"]) {
    assertEquals([path, await status(path)], [path, 200]);
  }
  assertEquals(await status(`/pictures/1?token=${tokens.one}`), 200);
});

Deno.test("over a WebSocket without a login only a login is answered, and no updates are sent", async () => {
  await using service = await startService({ configuration });
  const socket = await service.open();
  const codeOf = async (message: object) => (await socket.ask(message)).error?.code;
  for (const method of ["get", "set", "subscribe", "unsubscribe", "rpc", "nosuch"]) {
    assertEquals([method, await codeOf({ method, path: "/general", payload: {} })], [method, 4]);
  }
  for (const [method, { logsIn }] of rpcMethods) {
    const payload = { method, params: {} };
    const code = logsIn ? 3 : 4;
    assertEquals([method, await codeOf({ method: "rpc", payload })], [method, code]);
  }
  assertEquals(await codeOf({ method: "auth", token: wrong }), 4);
  await service.rpc("setchannellabel", { sourceid: 1, label: "Secret" });
  assertEquals(socket.untaken, []);
  assertEquals(await codeOf({ method: "auth", token: tokens.one }), undefined);
  assertEquals(await codeOf({ method: "get", path: "/general" }), undefined);
});

Deno.test("an action says nothing about its parameters without a right token", async () => {
  await using service = await startService({ configuration });
  const urlencoded = { "content-type": "application/x-www-form-urlencoded" };
  const text = async (name: string, query: string, headers: Record<string, string>) => {
    const init = { method: "POST", headers: { ...urlencoded, ...headers } };
    return await (await fetch(`${service.url}/action/${name}${query}`, init)).text();
  };
  for (const [name, { parameters }] of actions) {
    for (const query of ["", "?ObjectID=x&SnapshotID=0.5&Tags=NONE", "?ObjectID=%zz"]) {
      for (const headers of strangers) {
        const { Error } = JSON.parse(await text(name, query, headers));
        assertMatch(
          Error,
          /^(Token|Authorization): expected the token of a user/,
          `${name}${query}`,
        );
      }
      const authorization = `Bearer ${tokens.admin}`;
      const { Error } = JSON.parse(await text(name, query, { authorization }));
      assert(!Error.startsWith("Token") && Object.keys(parameters.entries).length > 0, Error);
    }
  }
});

Deno.test("the answer of an action has the firmware", async () => {
  await using service = await startService({ configuration });
  for (const name of ["login", "logout"]) {
    assert(actions.has(name));
    const { json } = await act(service, name, { ObjectID: 0, Token: tokens.admin });
    assertEquals([json.Error, json.Debug.Firmware], [undefined, "10.3.7"]);
  }
});
