/** The requests of one connection: their order, how much may wait, and an answer that fails. */
import { assertEquals, assertThrows } from "@std/assert";
import { createPipeline } from "../../../transport/websocket/requests.ts";

type Given = string | Promise<string>;

/** A pipeline whose requests are their own answers; those that are promises overlap. */
function pipelineOf(limit = 1000) {
  const sent: string[] = [];
  const faults: unknown[] = [];
  const pipeline = createPipeline<Given, string>({
    overlaps: (request) => request instanceof Promise,
    answer(request) {
      if (request === "broken") throw new Error("broken");
      return request;
    },
    send: (answer) => void sent.push(answer),
    onFault: (fault) => void faults.push(fault),
    limit,
  });
  return { pipeline, sent, faults };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("answers come in the order of requests; what does not overlap waits", async () => {
  const { pipeline, sent } = pipelineOf();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  for (const request of ["a", first.promise, second.promise, "d"]) pipeline.push(request, 1);
  assertEquals(sent, ["a"]);
  second.resolve("c");
  await settled();
  assertEquals(sent, ["a"]);
  first.resolve("b");
  await settled();
  assertEquals(sent, ["a", "b", "c", "d"]);
});

Deno.test("an answer that fails is told in its turn, and nothing after it is answered", async () => {
  const { pipeline, sent, faults } = pipelineOf();
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  for (const request of [first.promise, second.promise, "c"]) pipeline.push(request, 1);
  const fault = new Error("no answer");
  second.reject(fault);
  await settled();
  assertEquals(faults, [], "the one before it is still on its way");
  first.resolve("a");
  await settled();
  assertEquals([sent, faults], [["a"], [fault]]);
});

Deno.test("an answer that fails at once is told too, also behind one that was waited for", async () => {
  const { pipeline, sent, faults } = pipelineOf();
  assertThrows(() => pipeline.push("broken", 1), Error, "broken");
  pipeline.push(Promise.resolve("a"), 1);
  pipeline.push("broken", 1);
  await settled();
  assertEquals([sent, faults.map(String)], [["a"], ["Error: broken"]]);
});

Deno.test("what has not started is forgotten on clear", async () => {
  const { pipeline, sent } = pipelineOf();
  for (const request of [Promise.resolve("a"), "b"]) pipeline.push(request, 1);
  pipeline.clear();
  await settled();
  assertEquals(sent, ["a"]);
});

Deno.test("requests without any size count too: no endless queue of empty ones", async () => {
  const { pipeline, sent } = pipelineOf(10_000);
  const first = Promise.withResolvers<string>();
  pipeline.push(first.promise, 0);
  let taken = 0;
  while (taken < 1000 && pipeline.push("", 0)) taken++;
  assertEquals(taken > 10 && taken < 1000, true, `${taken} were taken`);
  first.resolve("a");
  await settled();
  assertEquals(sent.length, taken + 1);
  assertEquals(pipeline.push("b", 9000), true, "those answered make room");
  assertEquals(pipeline.push(new Promise(() => {}), 9000), true);
  assertEquals(pipeline.push("c", 1000), false);
});

Deno.test("nothing starts while it is held", async () => {
  const { pipeline, sent, faults } = pipelineOf();
  const first = Promise.withResolvers<string>();
  const goOn = pipeline.hold();
  for (const request of [first.promise, "b"]) pipeline.push(request, 1);
  first.resolve("a");
  await settled();
  assertEquals(sent, []);
  goOn();
  await settled();
  assertEquals([sent, faults], [["a", "b"], []]);
});

Deno.test("a request waits until it may start, and those behind it; a hold holds them all the same", async () => {
  const sent: string[] = [];
  const starts: (() => void)[] = [];
  let open = true;
  const pipeline = createPipeline<string, string>({
    overlaps: () => true,
    answer: (request) => request,
    send: (answer) => void sent.push(answer),
    onFault: (fault) => {
      throw fault;
    },
    mayStart(start) {
      if (!open) starts.push(start);
      return open;
    },
    limit: 1000,
  });
  pipeline.push("a", 1);
  open = false;
  for (const request of ["b", "c", "d"]) pipeline.push(request, 1);
  assertEquals([sent, starts.length], [["a"], 1]);
  starts.shift()!();
  assertEquals([sent, starts.length], [["a", "b"], 1], "one, and it asks again");
  const goOn = pipeline.hold();
  starts.shift()!();
  assertEquals(sent, ["a", "b"]);
  open = true;
  goOn();
  await settled();
  assertEquals(sent, ["a", "b", "c", "d"]);
});
