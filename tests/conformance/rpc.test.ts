/**
 * The RPC envelope, tokens and `setchannellabel` (service.md, "B. RPC envelope", "C. RPC methods").
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { tokens } from "../service.ts";
import { call, factory, FADER, test } from "./row.ts";

test("an answer has method rpc, the payload with method, params and result, and success", async ({ both }) => {
  const params = { type: 3, unknown: [1] };
  const answer = await both("getsnapshotlist", params);
  const entry = { factory: true, id: factory.processing, name: "Transparent" };
  const result = [{ ...entry, readgroups: 0, writegroups: 255 }];
  assertEquals(answer, {
    method: "rpc",
    payload: { method: "getsnapshotlist", params, result },
    success: true,
  });
});

test("a failure echoes method and params and has error with code and message", async ({ both }) => {
  const params = { type: 4 };
  const answer = await both("getsnapshotlist", params);
  assertEquals(answer, {
    method: "rpc",
    payload: { method: "getsnapshotlist", params },
    success: false,
    error: { code: 3, message: answer.error.message },
  });
  assertEquals(answer.error.message, "type: expected 1, 2 or 3, got 4");
});

test("token is required for HTTP POST and not over WebSocket", async ({ service, socket }) => {
  const message = call("getsnapshotlist", { type: 1 });
  const answer = await service.post({ ...message, token: undefined });
  assertEquals([answer.success, answer.error.code], [false, 4]);
  assertEquals((await socket.ask(message)).success, true);
});

test("an invalid token is an error, also where a token is optional", async ({ both }) => {
  for (const token of ["x", "00000000-00000000-00000000-00000000", 1, null, {}]) {
    const answer = await both("getsnapshotlist", { type: 1 }, token);
    assertEquals([answer.success, answer.error.code], [false, 4], JSON.stringify(token));
    assertStringIncludes(answer.error.message, "token");
  }
});

test("the messages of a wrong and of a missing token differ", async ({ service, socket }) => {
  const missing = "token: expected the token of a user, it is missing";
  const wrong = "token: expected the token of a user";
  for (const method of ["auth", "get"]) {
    const message = { method, path: "/" };
    assertEquals((await service.post({ ...message, token: undefined })).error.message, missing);
    assertEquals((await socket.ask({ ...message, token: "x" })).error.message, wrong);
  }
  assertEquals((await socket.ask({ method: "auth" })).error.message, missing);
});

test("tokens are compared case-insensitively", async ({ both }) => {
  const token = tokens.admin.toUpperCase();
  assertEquals((await both("getsnapshotlist", { type: 1 }, token)).success, true);
});

test("setchannellabel sets a label; blank resets it; the result is the label now shown", async ({ value, both }) => {
  for (const [label, shown] of [["Anna", "Anna"], ["A\u030aa", "\u00c5a"], ["", "Booth"]]) {
    const params = { sourceid: 101, label };
    const answer = await both("setchannellabel", params);
    const result = { label: shown, mixer: 1, sourceid: 101 };
    assertEquals(answer.payload, { method: "setchannellabel", params, result });
    for (const path of ["faders/0/label", "sourcelist/0/_label"]) {
      assertEquals(await value(`/audio/mixers/1/${path}`), shown);
    }
  }
});

test("a set of the label of a fader in the tree has the same effect as setchannellabel", async ({ service, socket }) => {
  const watcher = await service.open();
  await watcher.ask({ method: "subscribe", path: FADER });
  const update = (label: string) => ({
    method: "update",
    payload: { audio: { mixers: { 0: { faders: { 0: { label } } } } } },
  });
  await socket.rpc("setchannellabel", { sourceid: 1, label: "Via RPC" });
  assertEquals(await watcher.next(), update("Via RPC"));
  await socket.ask({ method: "set", path: `${FADER}/label`, payload: "Via tree" });
  assertEquals(await watcher.next(), update("Via tree"));
  await socket.rpc("setchannellabel", { sourceid: 1, label: "" });
  assertEquals(await watcher.next(), update("Host"));
});

test("a label has at most 128 characters and no control characters", async ({ assertCodes }) => {
  const wrong = ["x".repeat(129), "a\nb", "\u0085", "\u202e", "\ud800"];
  await assertCodes([
    ["setchannellabel", { sourceid: 1, label: "😀".repeat(128) }],
    ...wrong.map((label) => ["setchannellabel", { sourceid: 1, label }, 3, /^label: /] as const),
  ]);
});

test("an object that is not in the configuration is refused (6), and nothing is changed", async ({ service, assertCodes }) => {
  const { state } = service.console;
  const nobody = "12345678-0000-4000-8000-000000000000";
  const save = { id: "", writegroups: 1 };
  await assertCodes([
    ["getsnapshotlist", { type: 2, mixer: 9 }, 6, /^mixer: /],
    ["loadsnapshot", { id: nobody }, 6, /^id: /],
    ["loadsnapshot", { id: "" }, 6, /^id: /],
    ["loadsnapshot", { id: "default", mixer: 9 }, 6, /^mixer: /],
    ["loadsnapshot", { id: factory.channel, fader: 8 }, 6, /^fader: /],
    ["loadsnapshot", { id: factory.channel, fader: 0, mixer: 9 }, 6, /^mixer: /],
    ["loadsnapshot", { id: factory.processing, fp: 2 }, 6, /^fp: /],
    ["savesnapshot", { ...save, type: 1, fader: 8 }, 6, /^fader: /],
    ["savesnapshot", { ...save, type: 2, mixer: 2 }, 6, /^mixer: /],
    ["savesnapshot", { ...save, type: 3, fp: 2 }, 6, /^fp: /],
    ["savesnapshot", { ...save, type: 2, id: nobody }, 6, /^id: /],
    ["modifysnapshot", { id: nobody }, 6, /^id: /],
    ["removesnapshot", { id: nobody }, 6, /^id: /],
    ["getsnapshot", { id: nobody }, 6, /^id: /],
    ["getsnapshot", { id: "default", mixer: 2 }, 6, /^mixer: /],
    ["setchannellabel", { sourceid: 9, label: "x" }, 6, /^sourceid: .*9/],
  ]);
  assert(service.console.state === state);
});
