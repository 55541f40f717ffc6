/** Slow requests in the log. */
import { assertEquals } from "@std/assert";
import { logSlow } from "../../program/observe.ts";

Deno.test("a request whose answer took a second or more is logged", () => {
  const told: unknown[] = [];
  const http = {
    over: "http",
    from: "192.0.2.7",
    method: "POST",
    path: "/action/login",
    status: 200,
  } as const;
  const message = { over: "websocket", from: "192.0.2.7", method: "rpc", code: 11 } as const;
  for (const request of [http, message]) {
    for (const ms of [999.4, 1000.4]) logSlow((...entry) => told.push(entry), { ...request, ms });
  }
  const from = "192.0.2.7";
  assertEquals(told, [
    ["warning", "slow request", {
      from,
      method: "POST",
      path: "/action/login",
      status: 200,
      ms: 1000,
    }],
    ["warning", "slow request", { from, method: "rpc", code: 11, ms: 1000 }],
  ]);
});
