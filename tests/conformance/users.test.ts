/** Users are listed, added, changed and removed while the service runs (decisions.md, "Users"). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { tokens } from "../service.ts";
import { call, test } from "./row.ts";

const TOKEN = /^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/;

/** Calls that succeed for an admin. */
const calls: readonly (readonly [string, object])[] = [
  ["getuserlist", {}],
  ["getclientlist", {}],
  ["getcertificate", {}],
  ["getaudit", { limit: 1 }],
  ["adduser", { name: "new", groups: 1 }],
  ["modifyuser", { name: "one", groups: 2 }],
  ["modifyuser", { name: "one", newtoken: true }],
  ["removeuser", { name: "two" }],
  ["makehandover", { name: "none" }],
];

const callers: readonly (readonly [string, string | undefined, number | undefined])[] = [
  ["nobody", undefined, 4],
  ["a wrong token", "eeeeeeee-00000000-00000000-00000009", 4],
  ["a user in all groups who is not an admin", tokens.one, 5],
  ["a user in no group who is not an admin", tokens.none, 5],
  ["an admin", tokens.admin, undefined],
];

for (const [method, params] of calls) {
  const name = `${method} ${JSON.stringify(params)} is for admins alone`;
  test(name, async ({ service, socket }) => {
    await service.rpc("modifyuser", { name: "one", groups: 255 });
    const { state } = service.console;
    for (const [who, token, code] of callers) {
      const message = { ...call(method, params), ...(token === undefined ? {} : { token }) };
      if (code === undefined) {
        assertEquals((await socket.ask(message)).error, undefined, who);
        continue;
      }
      const answers = [await socket.ask(message), await service.post({ token, ...message })];
      for (const { success, error } of answers) {
        assertEquals([success, error?.code], [false, code], who);
      }
      assert(service.console.state === state, who);
    }
  });
}

test("rights come before the object: a user who may not change users does not learn their names", async ({ service }) => {
  const { state } = service.console;
  for (const name of ["admin", "nobody"]) {
    for (
      const [method, params] of [["removeuser"], ["modifyuser", { newtoken: true }]] as const
    ) {
      const answer = await service.rpc(method, { ...params, name }, tokens.one);
      assertEquals(answer.error?.code, 5, `${method} ${name}`);
    }
  }
  assert(service.console.state === state);
});

const demo = (name: string, groups: number, admin = false) => ({
  name,
  groups,
  admin,
  engine: false,
  may: admin ? "configure" : "operate",
  created: "1970-01-01T00:00:00.000Z",
  expires: null,
  lastused: "1970-01-01T00:00:00.000Z" as string | null,
});

test("getuserlist has name, groups, rights, created, expires and lastused of each user, in the order of adduser", async ({ service, both }) => {
  const add = { name: "Zoë", groups: 137, admin: true, engine: true };
  await service.rpc("adduser", add);
  await service.rpc("removeuser", { name: "one" });
  await service.rpc("modifyuser", { name: "two", groups: 0 });
  await service.rpc("adduser", { name: "one", groups: 1 });
  const { payload } = await both("getuserlist", {});
  assertEquals(payload.result, [
    demo("admin", 255, true),
    demo("two", 0),
    demo("none", 0),
    { ...demo("Zoë", 137, true), engine: true, lastused: null },
    { ...demo("one", 1), lastused: null },
  ]);
  const members = [
    "name",
    "groups",
    "admin",
    "engine",
    "may",
    "created",
    "expires",
    "lastused",
  ];
  for (const user of payload.result) assertEquals(Object.keys(user), members);
});

for (const way of ["HTTP", "WebSocket"]) {
  test(`adduser over ${way}: result.token, answered once, is the token of the user`, async ({ service, socket }) => {
    const params = { name: "desk-1", groups: 4 };
    const message = { ...call("adduser", params), token: tokens.admin };
    const add = () => way === "HTTP" ? service.post(message) : socket.ask(message);
    const answer = await add();
    assertEquals(Object.keys(answer.payload.result), ["token"]);
    const { token } = answer.payload.result;
    assertMatch(token, TOKEN);
    assertEquals(answer.payload.params, params, "no token in what is echoed");
    assertEquals(JSON.stringify(answer).split(token).length, 2, "nor anywhere else");
    assertEquals((await socket.ask({ method: "auth", token })).success, true);
    const again = await add();
    assertEquals([again.success, again.error.code], [false, 3], "a name is given once");
    const list = await service.rpc("getuserlist", {});
    assert(!JSON.stringify(list).includes(token));
  });
}

test("adduser takes 1 to 64 letters, digits and a few marks as a name", async ({ service, assertCodes }) => {
  const { state } = service.console;
  const wrong = ["", " ", "a b", "-a", "a\n", "a".repeat(65), "a/b", "\ud800"];
  const sentence = /^name: expected 1 to 64 letters/;
  const calls = wrong.map((name) => ["adduser", { name, groups: 1 }, 3, sentence] as const);
  await assertCodes(calls);
  assert(service.console.state === state);
});

test("groups are 0..255", async ({ service, both }) => {
  for (const [groups, code] of [[-1, 3], [0, 0], [1, 0], [255, 0], [256, 3], [1.5, 3]] as const) {
    const added = await service.rpc("adduser", { name: `a${groups}`, groups });
    assertEquals(added.error?.code ?? 0, code, `adduser ${groups}`);
    const { error } = await both("modifyuser", { name: "one", groups });
    assertEquals(error?.code ?? 0, code, `modifyuser ${groups}`);
  }
});

test("modifyuser answers {}, or with newtoken the new token", async ({ service, socket, both }) => {
  const modify = (params: object) => both("modifyuser", { name: "one", ...params });
  for (const params of [{}, { groups: 7 }, { admin: true, engine: true }, { newtoken: false }]) {
    assertEquals((await modify(params)).payload.result, {}, JSON.stringify(params));
  }
  const answer = await service.rpc("modifyuser", { name: "one", newtoken: true, groups: 3 });
  assertEquals(Object.keys(answer.payload.result), ["token"]);
  const { token } = answer.payload.result;
  assertMatch(token, TOKEN);
  assertEquals(JSON.stringify(answer).split(token).length, 2);
  assertEquals((await socket.ask({ method: "auth", token: tokens.one })).error.code, 4);
  assertEquals((await socket.ask({ method: "auth", token })).success, true);
});

test("modifyuser with the present attributes answers {}, and changes nothing", async ({ service, both }) => {
  const { state } = service.console;
  const same = { name: "one", groups: 1, admin: false, engine: false };
  for (const params of [{ name: "one" }, same]) {
    assertEquals((await both("modifyuser", params)).payload.result, {});
  }
  assert(service.console.state === state);
});

test("an unknown user name is error 6; the last admin cannot be removed or demoted, error 7", async ({ service, assertCodes }) => {
  const { state } = service.console;
  const name = /^name: /;
  await assertCodes([
    ["modifyuser", { name: "nobody", groups: 1 }, 6, name],
    ["modifyuser", { name: "nobody", admin: false }, 6, name],
    ["removeuser", { name: "nobody" }, 6, name],
    ["removeuser", { name: "" }, 6, name],
    ["removeuser", { name: "admin" }, 7, name],
    ["modifyuser", { name: "admin", admin: false }, 7, name],
    ["modifyuser", { name: "admin", admin: false, newtoken: true, groups: 3 }, 7, name],
  ]);
  assert(service.console.state === state);
});

test("removeuser answers {}, and the token of the user is refused from then on", async ({ service, socket }) => {
  assertEquals((await service.rpc("removeuser", { name: "one" })).payload.result, {});
  assertEquals((await socket.ask({ method: "auth", token: tokens.one })).error.code, 4);
  assertEquals((await service.rpc("removeuser", { name: "one" })).error.code, 6);
});
