import { assertEquals } from "@std/assert";
import {
  createCooperativeScheduler,
  NETWORK_MS,
  SLICE_MS,
  withoutPauses,
} from "../../core/cooperative-scheduler.ts";

/** An event loop that comes round when it is told. */
function loop() {
  let now = 0;
  let comeRound: (() => void) | undefined;
  const scheduler = createCooperativeScheduler({ monotonic: () => now }, (goOn) => {
    assertEquals(comeRound, undefined, "asked for twice");
    comeRound = goOn;
  });
  return {
    scheduler,
    spend(ms: number) {
      now += ms;
    },
    isAsked: () => comeRound !== undefined,
    async turn() {
      const goOn = comeRound;
      comeRound = undefined;
      goOn?.();
      for (let ticks = 0; ticks < 10; ticks++) await Promise.resolve();
    },
  };
}

Deno.test("work goes on at once until its time slice is over", async () => {
  const { scheduler, spend, turn } = loop();
  assertEquals(scheduler.pause(), undefined);
  spend(SLICE_MS / 2);
  assertEquals(scheduler.pause(), undefined);
  spend(SLICE_MS / 2);
  let went = false;
  scheduler.pause()!.then(() => went = true);
  assertEquals(went, false);
  await turn();
  assertEquals(went, true);
});

Deno.test("whoever comes first after the event loop came round goes on at once", async () => {
  const { scheduler, spend, turn, isAsked } = loop();
  scheduler.pause();
  await turn();
  assertEquals(isAsked(), false, "nothing is asked of the loop while nothing is done");
  spend(10 * SLICE_MS);
  assertEquals(scheduler.pause(), undefined);
  assertEquals(isAsked(), true);
  spend(SLICE_MS);
  assertEquals(scheduler.pause() instanceof Promise, true);
});

Deno.test("the longest waiting step runs first, as many in a turn as fit into a time slice", async () => {
  const { scheduler, spend, turn, isAsked } = loop();
  scheduler.pause();
  spend(SLICE_MS);
  const went: number[] = [];
  for (const number of [1, 2, 3]) {
    scheduler.pause()!.then(() => {
      went.push(number);
      spend(0.6 * SLICE_MS);
    });
  }
  await turn();
  assertEquals(went, [1, 2]);
  await turn();
  assertEquals(went, [1, 2, 3]);
  await turn();
  assertEquals(isAsked(), false);
});

Deno.test("whoever asks while others wait goes after them", async () => {
  const { scheduler, spend, turn } = loop();
  scheduler.pause();
  spend(SLICE_MS);
  const went: string[] = [];
  const asks = async (name: string) => {
    for (let step = 0; step < 2; step++) {
      const pause = scheduler.pause();
      if (pause !== undefined) await pause;
      went.push(name);
      spend(SLICE_MS);
    }
  };
  asks("first");
  asks("second");
  for (let turns = 0; turns < 5; turns++) await turn();
  assertEquals(went, ["first", "second", "first", "second"]);
});

Deno.test("who asks for one step waits for one of each other asker, however many those wait for", async () => {
  const { scheduler, spend, turn } = loop();
  scheduler.pause();
  spend(SLICE_MS);
  const went: string[] = [];
  const asks = (asker: string) =>
    scheduler.pause(asker)!.then(() => {
      went.push(asker);
      spend(SLICE_MS);
    });
  for (let step = 0; step < 60; step++) asks("192.0.2.1");
  asks("192.0.2.2");
  asks("");
  await turn();
  asks("192.0.2.3");
  for (let turns = 0; turns < 4; turns++) await turn();
  assertEquals(went, ["192.0.2.1", "192.0.2.2", "", "192.0.2.1", "192.0.2.3"]);
});

Deno.test("the steps of an asker in one time slice are one turn", async () => {
  const { scheduler, spend, turn } = loop();
  scheduler.pause();
  spend(SLICE_MS);
  const went: string[] = [];
  scheduler.pause("192.0.2.1")!.then(() => {
    spend(SLICE_MS / 2);
    went.push(scheduler.pause("192.0.2.1") === undefined ? "goes on" : "waits");
    went.push(scheduler.pause("192.0.2.3") === undefined ? "goes on" : "waits");
    spend(SLICE_MS / 2);
    went.push(scheduler.pause("192.0.2.1") === undefined ? "goes on" : "waits");
  });
  scheduler.pause("192.0.2.2");
  await turn();
  assertEquals(went, ["goes on", "waits", "waits"]);
});

Deno.test("while there is always more to do the network is looked at now and then", () => {
  let now = 0;
  const waits: string[] = [];
  let goOn = () => {};
  const after = (what: string) => (next: () => void) => {
    waits.push(what);
    goOn = next;
  };
  const scheduler = createCooperativeScheduler(
    { monotonic: () => now },
    after("others"),
    after("network"),
  );
  scheduler.pause();
  for (let steps = 0; steps < 3 * NETWORK_MS; steps++) {
    now += SLICE_MS;
    scheduler.pause();
    scheduler.pause();
    goOn();
  }
  const times = waits.flatMap((what, at) => what === "network" ? [at] : []);
  assertEquals(times, [NETWORK_MS, 2 * NETWORK_MS + 1]);
});

Deno.test("work in steps is done to its end, whatever else is done meanwhile", async () => {
  const { scheduler, spend, turn } = loop();
  let steps = 0;
  const work = function* () {
    for (; steps < 10; steps++) {
      spend(SLICE_MS);
      yield;
    }
    return "done";
  };
  const done = scheduler.run(work());
  for (let turns = 0; turns < 5; turns++) await turn();
  assertEquals(steps > 1 && steps < 10, true, `${steps} steps`);
  for (let turns = 0; turns < 10; turns++) await turn();
  assertEquals(await done, "done");
});

Deno.test("work under the mutex begins once all earlier work is done or has failed", async () => {
  const { scheduler } = loop();
  const first = Promise.withResolvers<string>();
  const began: string[] = [];
  const one = scheduler.withMutex("192.0.2.1", () => {
    began.push("one");
    return first.promise;
  });
  const other = scheduler.withMutex("192.0.2.1", () => {
    began.push("other");
    return Promise.resolve("other");
  });
  await Promise.resolve();
  assertEquals(began, ["one"]);
  first.reject(new Error("failed"));
  assertEquals(await one.catch((fault: Error) => fault.message), "failed");
  assertEquals(await other, "other");
});

Deno.test("an asker with much work under the mutex delays only itself", async () => {
  const { scheduler } = loop();
  const done: string[] = [];
  const ask = (asker: string, what: string) =>
    scheduler.withMutex(asker, () => {
      done.push(what);
      return Promise.resolve();
    });
  const all = [1, 2, 3, 4].map((count) => ask("192.0.2.1", `much ${count}`));
  await Promise.all([...all, ask("192.0.2.2", "one"), ask("192.0.2.3", "two")]);
  assertEquals(done, ["much 1", "much 2", "one", "two", "much 3", "much 4"]);
  await ask("192.0.2.1", "again");
  assertEquals(done.at(-1), "again");
});

Deno.test("a scheduler without pauses never waits", async () => {
  assertEquals(withoutPauses.pause(), undefined);
  assertEquals(
    await withoutPauses.run((function* () {
      for (let step = 0; step < 1000; step++) yield;
      return 1;
    })()),
    1,
  );
});
