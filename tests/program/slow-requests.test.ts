import { assertEquals } from "@std/assert";
import { logSlow, logSlowMessages } from "../../program/slow-requests.ts";
import type { EventLog } from "../../program/event-log.ts";

/** A log that keeps what it is told. */
function createTold(): { readonly log: EventLog; readonly told: unknown[] } {
  const told: unknown[] = [];
  return { log: (...entry) => told.push(entry), told };
}

Deno.test("a request over HTTP whose answer took a second is in the log, without its query", async () => {
  const { log, told } = createTold();
  let now = 0;
  const service = logSlow(
    ({ request }) => {
      now += request.method === "POST" ? 1000 : 999;
      return new Response();
    },
    log,
    { now: () => now, monotonic: () => now },
  );
  const upgrade = () => new Response();
  for (const method of ["GET", "POST"]) {
    const request = new Request("http://127.0.0.1/action/login?Token=secret", { method });
    await service({ request, client: "192.0.2.7", upgrade });
  }
  const fields = {
    from: "192.0.2.7",
    method: "POST",
    path: "/action/login",
    status: 200,
    ms: 1000,
  };
  assertEquals(told, [["warning", "slow request", fields]]);
});

Deno.test("a message over a WebSocket whose answer took a second is in the log", () => {
  const { log, told } = createTold();
  const answered = logSlowMessages(log);
  answered("192.0.2.7", "set", 999.4, undefined);
  answered("192.0.2.7", "rpc", 1200.4, 11);
  const fields = { from: "192.0.2.7", method: "rpc", code: 11, ms: 1200 };
  assertEquals(told, [["warning", "slow request", fields]]);
});
