/** What fuzzers alter has to be right, and of every kind. */
import { assert, assertEquals } from "@std/assert";
import { actions } from "../../transport/action-api/actions.ts";
import { rpcMethods } from "../../transport/control-api/rpc-methods.ts";
import { actionCalls, messages, rpcCalls } from "../fuzz/corpus.ts";
import { atDesk } from "../fuzz/desk.ts";
import { tokens } from "../service.ts";

Deno.test("fuzzers alter calls of every RPC and of every action", () => {
  assertEquals(Object.keys(rpcCalls).sort(), [...rpcMethods.keys()].sort());
  assertEquals(Object.keys(actionCalls).sort(), [...actions.keys()].sort());
});

const list = ["registerextlist", "setextlist"]
  .map((method) => ({ method: "rpc", payload: { method, params: rpcCalls[method]![0] } }));

Deno.test("every request that is altered is right before", async () => {
  for (const message of messages) {
    await atDesk(async (desk) => {
      const socket = await desk.open(tokens.admin);
      for (const before of list) await socket.send(JSON.stringify(before));
      const [text] = await socket.send(JSON.stringify(message));
      const answer = JSON.parse(String(text));
      const isToken = JSON.stringify(message).includes('"token":""');
      assertEquals(answer.success, !isToken, JSON.stringify([message, answer.error]));
    });
  }
});

Deno.test("every action without a file that is altered is right before", async () => {
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
