/** The requests that fuzzers alter are valid, and of every kind. */
import { assert, assertEquals } from "@std/assert";
import { actions } from "../../transport/action-api/actions.ts";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";
import { actionCalls, envelopes, rpcCalls } from "../fuzz/corpus.ts";
import { atDesk, ENGINE_TOKEN } from "../fuzz/desk.ts";
import { tokens } from "../service.ts";

Deno.test("fuzzers alter requests of every method, calls of every RPC and of every action", () => {
  const folder = new URL("../../transport/methods/", import.meta.url);
  const methods = [...Deno.readDirSync(folder)].map(({ name }) => name.replace(".ts", ""));
  assertEquals(Object.keys(envelopes).sort(), methods.sort());
  assertEquals(Object.keys(rpcCalls).sort(), [...rpcMethods.keys()].sort());
  assertEquals(Object.keys(actionCalls).sort(), [...actions.keys()].sort());
});

/** Messages that make a list, and a change that can be undone. */
const before = [
  ...["registerextlist", "setextlist"]
    .map((method) => ({ method: "rpc", payload: { method, params: rpcCalls[method]![0] } })),
  { method: "set", path: "/audio/mixers/0/faders/1/fader", payload: -5 },
];

Deno.test("every request that fuzzers alter is valid", async () => {
  const all = Object.entries(envelopes)
    .flatMap(([method, messages]) => messages.map((message) => [method, message] as const));
  for (const [method, message] of all) {
    await atDesk(async (desk) => {
      const isEngines = method === "engine" || method === "report";
      const socket = await desk.open(isEngines ? ENGINE_TOKEN : tokens.admin);
      if (!isEngines) { for (const one of before) await socket.send(JSON.stringify(one)); }
      const text = JSON.stringify(message);
      const answers = (await socket.send(text)).map((answer) => JSON.parse(String(answer)));
      const isQuiet = method === "report" && !("msgID" in message);
      const expected = isQuiet ? [] : [!text.includes('"token":""')];
      assertEquals(
        answers.map(({ success }) => success),
        expected,
        JSON.stringify([text, answers]),
      );
    });
  }
});

Deno.test("every action without a file that fuzzers alter is valid", async () => {
  for (const [name, calls] of Object.entries(actionCalls)) {
    for (const call of calls.filter((call) => !("file" in call))) {
      await atDesk(async (desk) => {
        const pairs = Object.entries({ ...call, Token: tokens.admin }) as [string, string][];
        const answer = await desk.ask(`/action/${name}?${new URLSearchParams(pairs)}`, {});
        const text = await answer!.text();
        assert(answer!.status === 200 && !text.includes('"Error"'), `${name}: ${text}`);
      });
    }
  }
});
