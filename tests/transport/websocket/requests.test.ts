/** The requests of one connection: their order, the limit of waiting ones, a failing answer. */
import { assertEquals } from "@std/assert";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import type { CooperativeScheduler } from "../../../core/ports.ts";
import { ample } from "../../budgets.ts";
import { createQueue } from "../../../transport/websocket/requests.ts";

/** A request, which is its own answer: a promise is a write, and `alone` overlaps no request. */
type Asked = string | Promise<string> | { readonly alone: Promise<string> };

function requestsOf(limit = 10_000, scheduler: CooperativeScheduler = withoutPauses) {
  const sent: string[] = [];
  const faults: unknown[] = [];
  const requests = createQueue<Asked, Asked, string>({
    address: "192.0.2.1",
    scheduler,
    read: (asked) => asked,
    overlaps: (asked) => asked instanceof Promise,
    answer(asked) {
      if (asked === "broken") throw new Error("broken");
      return typeof asked === "object" && "alone" in asked ? asked.alone : asked;
    },
    send: (answer) => void sent.push(answer),
    onFault: (fault) => void faults.push(fault),
    limit,
    quota: ample.requests,
    onEviction() {},
  });
  return { requests, sent, faults };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("answers come in the order of requests; a request that does not overlap with others waits", async () => {
  const { requests, sent } = requestsOf();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  for (const asked of ["a", first.promise, second.promise, "d"]) requests.push(asked, 1);
  assertEquals(sent, ["a"]);
  second.resolve("c");
  await settled();
  assertEquals(sent, ["a"]);
  first.resolve("b");
  await settled();
  assertEquals(sent, ["a", "b", "c", "d"]);
});

Deno.test("all requests behind one that has to run alone wait for it, also writes", async () => {
  const { requests, sent } = requestsOf();
  const alone = Promise.withResolvers<string>();
  const write = Promise.withResolvers<string>();
  let started = false;
  const then = write.promise.then.bind(write.promise);
  write.promise.then = ((...given: Parameters<typeof then>) => {
    started = true;
    return then(...given);
  }) as typeof then;
  requests.push({ alone: alone.promise }, 1);
  requests.push(write.promise, 1);
  write.resolve("b");
  await settled();
  assertEquals([sent, started], [[], false]);
  alone.resolve("a");
  await settled();
  assertEquals(sent, ["a", "b"]);
});

Deno.test("a failing answer is reported in its turn, and no later request is answered", async () => {
  const { requests, sent, faults } = requestsOf();
  const first = Promise.withResolvers<string>();
  const second = Promise.withResolvers<string>();
  for (const asked of [first.promise, second.promise, "c"]) requests.push(asked, 1);
  const fault = new Error("no answer");
  second.reject(fault);
  await settled();
  assertEquals(faults, [], "the one before it is still on its way");
  first.resolve("a");
  await settled();
  assertEquals([sent, faults], [["a"], [fault]]);
});

Deno.test("an answer that throws at once is reported, too, also behind an awaited one", async () => {
  const { requests, sent, faults } = requestsOf();
  for (const asked of [Promise.resolve("a"), "broken", "c"]) requests.push(asked, 1);
  await settled();
  assertEquals([sent, faults.map(String)], [["a"], ["Error: broken"]]);
  const atOnce = requestsOf();
  atOnce.requests.push("broken", 1);
  assertEquals(atOnce.faults.map(String), ["Error: broken"]);
});

Deno.test("clear drops the requests that have not started", async () => {
  const { requests, sent } = requestsOf();
  for (const asked of [Promise.resolve("a"), "b"]) requests.push(asked, 1);
  requests.clear();
  await settled();
  assertEquals(sent, ["a"]);
});

Deno.test("empty requests count for the limit, too", async () => {
  const { requests, sent } = requestsOf(100_000);
  const first = Promise.withResolvers<string>();
  requests.push(first.promise, 0);
  let taken = 0;
  while (taken < 1000 && requests.push("", 0)) taken++;
  assertEquals(taken > 10 && taken < 1000, true, `${taken} were taken`);
  first.resolve("a");
  await settled();
  assertEquals(sent.length, taken + 1);
  assertEquals(requests.push("b", 90_000), true, "those answered make room");
  assertEquals(requests.push(new Promise(() => {}), 90_000), true);
  assertEquals(requests.push("c", 10_000), false);
});

Deno.test("a request waits until it may start, and all behind it wait, too", async () => {
  const starts: (() => void)[] = [];
  let busy = false;
  const scheduler = {
    ...withoutPauses,
    pause: () => busy ? new Promise<void>((resolve) => starts.push(resolve)) : undefined,
  };
  const { requests, sent } = requestsOf(10_000, scheduler);
  requests.push("a", 1);
  busy = true;
  for (const asked of ["b", "c", "d"]) requests.push(asked, 1);
  assertEquals([sent, starts.length], [["a"], 1]);
  starts.shift()!();
  await settled();
  assertEquals([sent, starts.length], [["a", "b"], 1], "one, and it asks again");
  requests.clear();
  starts.shift()!();
  await settled();
  assertEquals(sent, ["a", "b"]);
  busy = false;
  requests.push("e", 1);
  assertEquals(sent, ["a", "b", "e"]);
});
