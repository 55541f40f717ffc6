/** The sessions by which a hub passes requests on to consoles, with consoles that misuse them. */
import { assertEquals } from "@std/assert";
import { isRefusal, type Refusal } from "../../../core/errors.ts";
import type { ConsoleAnswer } from "../../../fleet/api/console-link.ts";
import { createConsoleLinks } from "../../../fleet/api/console-links.ts";
import type { Listener } from "../../../transport/arrival.ts";
import { passingTime } from "../../timers.ts";
import { until } from "../../until.ts";
import { entry, fakeCore, idOf } from "../fake-core.ts";

const ID = idOf(1);
const BY = { user: { name: "anna", may: "admin" }, from: "10.0.0.1" } as const;
const SET = { method: "set", path: "/x", payload: 1 };

/**
 * Links to one console, which a test plays: `say` sends a message of it. It sends `flood` messages
 * before each session is open.
 */
function played(flood = 0) {
  const core = fakeCore();
  core.put(ID, entry("Studio"));
  const { timer, pass, pending } = passingTime();
  const sessions: (Listener & { isClosed: boolean })[] = [];
  let sentCount = 0;
  const links = createConsoleLinks({
    ...core,
    async session(_id, _as, _from, listener) {
      const session = { ...listener, isClosed: false };
      sessions.push(session);
      await Promise.resolve();
      for (let count = 0; count < flood; count++) listener.receive(`{"update":${count}}`);
      const close = () => void (session.isClosed = true);
      return { bufferedAmount: 0, close, send: () => void sentCount++ };
    },
  }, timer);
  return {
    pass,
    pending,
    sessions,
    /** Waits until `count` messages are sent. */
    sent: (count: number) => until(() => sentCount === count),
    ask: () => links.ask(ID, BY, SET),
    say: (message: object) => sessions.at(-1)!.receive(JSON.stringify(message)),
  };
}

Deno.test("a console that sends what nobody asked for loses the session of its user, and the next request has a new one", async () => {
  const { sessions, ask, sent, say } = played();
  const waiting = ask();
  await sent(1);
  for (let count = 0; count < 1000; count++) say({ update: count });
  assertEquals(sessions.map(({ isClosed }) => isClosed), [true]);
  assertEquals(isRefusal(await waiting), true);
  const next = ask();
  await sent(2);
  say({ msgID: 1, success: true, payload: 1 });
  assertEquals((await next as ConsoleAnswer).payload, 1);
});

Deno.test("answers that come too late are not counted as what nobody asked for", async () => {
  const { sessions, ask, sent, say, pass } = played();
  const all = Array.from({ length: 500 }, ask);
  await sent(500);
  pass(10_000);
  assertEquals((await Promise.all(all)).every(isRefusal), true);
  for (let msgID = 1; msgID <= 500; msgID++) say({ msgID, success: true });
  assertEquals(sessions.map(({ isClosed }) => isClosed), [false]);
});

Deno.test("a request that a console does not answer in time is refused with that reason, and not as one whose connection was lost", async () => {
  const { sessions, ask, sent, pass } = played();
  const late = ask();
  await sent(1);
  pass(10_000);
  assertEquals(
    (await late as Refusal).message,
    "the console did not answer within 10 s: nobody knows whether it was carried out",
  );
  const lost = ask();
  await sent(2);
  sessions.at(-1)!.closed();
  assertEquals(
    (await lost as Refusal).message,
    "the connection to the console was lost before its answer came: nobody knows whether it was " +
      "carried out",
  );
});

Deno.test("a session whose console sends too much before it is open is closed", async () => {
  const { sessions, ask, pending } = played(1000);
  assertEquals(isRefusal(await ask()), true);
  assertEquals(sessions.map(({ isClosed }) => isClosed), [true]);
  assertEquals(pending(), 0, "it has no timer any more");
});
