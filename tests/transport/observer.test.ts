/** The observer of requests and connections, for metrics and logs. */
import { assertEquals } from "@std/assert";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import type { AnsweredRequest } from "../../transport/observer.ts";
import { passingTime } from "../timers.ts";
import { realClock, serviceOf, testConsole, tokens } from "../service.ts";

Deno.test("the observer receives each request and its answer, but not the query", async () => {
  const heard: unknown[] = [];
  const observer = {
    answered: ({ ms: _, ...request }: AnsweredRequest) => void heard.push(request),
    connected: (...who: unknown[]) => void heard.push(["connected", ...who]),
    loggedIn: (...who: unknown[]) => void heard.push(["logged in", ...who]),
    disconnected: (...who: unknown[]) => void heard.push(["disconnected", ...who]),
  };
  const world = { clock: realClock, timer: passingTime().timer, scheduler: withoutPauses };
  const { service, sessions } = serviceOf(await testConsole(), { ...world, observer });
  const from = "192.0.2.7";
  const request = new Request("http://localhost/action/login?Token=secret", { method: "PUT" });
  await service({ request, client: from, upgrade: () => new Response() });
  const socket = { bufferedAmount: 0, send() {}, close() {} };
  const session = sessions.open(socket, { address: from, since: 0 });
  for (const message of [{ method: "auth", token: tokens.one }, { method: "get" }, {}]) {
    session.receive(JSON.stringify(message));
  }
  session.closed();
  const over = "websocket";
  assertEquals(heard, [
    { over: "http", from, method: "PUT", path: "/action/login", status: 405 },
    ["connected", from, undefined],
    ["logged in", from, "one"],
    { over, from, method: "auth", code: undefined },
    { over, from, method: "get", code: 3 },
    { over, from, method: "none", code: 1 },
    ["disconnected", from, "one"],
  ]);
});
