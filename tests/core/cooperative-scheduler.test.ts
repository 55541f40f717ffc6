import { assertEquals } from "@std/assert";
import {
  createCooperativeScheduler,
  NETWORK_MS,
  SLICE_MS,
  withoutPauses,
} from "../../core/cooperative-scheduler.ts";

/** An event loop whose turns the test takes, in a time slice that has just begun. */
function loop() {
  let now = 0;
  let comeRound: (() => void) | undefined;
  const scheduler = createCooperativeScheduler({ monotonic: () => now }, (goOn) => {
    assertEquals(comeRound, undefined, "asked for twice");
    comeRound = goOn;
  });
  assertEquals(scheduler.pause(), undefined);
  const went: string[] = [];
  const spend = (slices: number) => now += slices * SLICE_MS;
  return {
    scheduler,
    went,
    spend,
    /** A caller takes a step of some time slices once the pause before it is over. */
    waits(asker: string, slices = 1) {
      const pause = scheduler.pause(asker);
      if (pause === undefined) throw new Error(`${asker} does not wait`);
      return pause.then(() => {
        went.push(asker);
        spend(slices);
      });
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
  const { scheduler, spend, turn, waits, went } = loop();
  spend(0.5);
  assertEquals(scheduler.pause(), undefined);
  spend(0.5);
  waits("work");
  assertEquals(went, []);
  await turn();
  assertEquals(went, ["work"]);
});

Deno.test("the first caller after a turn of the event loop continues at once", async () => {
  const { scheduler, spend, turn, isAsked } = loop();
  await turn();
  assertEquals(isAsked(), false, "nothing is asked of the loop while nothing is done");
  spend(10);
  assertEquals([scheduler.pause(), isAsked()], [undefined, true]);
  spend(1);
  assertEquals(scheduler.pause() instanceof Promise, true);
});

Deno.test("steps run in the order in which they wait, and a turn runs the steps that fit into a time slice", async () => {
  const { spend, turn, isAsked, waits, went } = loop();
  spend(1);
  for (const _ of "123") waits("", 0.6);
  await turn();
  assertEquals(went.length, 2);
  await turn();
  assertEquals(went.length, 3);
  await turn();
  assertEquals(isAsked(), false);
});

Deno.test("a caller waits for the callers before it", async () => {
  const { scheduler, spend, turn, went } = loop();
  spend(1);
  const asks = async (name: string) => {
    for (let step = 0; step < 2; step++) {
      const pause = scheduler.pause();
      if (pause !== undefined) await pause;
      went.push(name);
      spend(1);
    }
  };
  asks("first");
  asks("second");
  for (let turns = 0; turns < 5; turns++) await turn();
  assertEquals(went, ["first", "second", "first", "second"]);
});

Deno.test("a step waits for at most one step of each other caller, however many steps the others have waiting", async () => {
  const { spend, turn, waits, went } = loop();
  spend(1);
  for (let step = 0; step < 60; step++) waits("192.0.2.1");
  waits("192.0.2.2");
  waits("");
  await turn();
  waits("192.0.2.3");
  for (let turns = 0; turns < 4; turns++) await turn();
  assertEquals(went, ["192.0.2.1", "192.0.2.2", "", "192.0.2.1", "192.0.2.3"]);
});

Deno.test("the steps of a caller in one time slice count as one turn", async () => {
  const { scheduler, spend, turn } = loop();
  spend(1);
  const goesOn: boolean[] = [];
  scheduler.pause("192.0.2.1")!.then(() => {
    spend(0.5);
    for (const asker of ["192.0.2.1", "192.0.2.3"]) {
      goesOn.push(scheduler.pause(asker) === undefined);
    }
    spend(0.5);
    goesOn.push(scheduler.pause("192.0.2.1") === undefined);
  });
  scheduler.pause("192.0.2.2");
  await turn();
  assertEquals(goesOn, [true, false, false]);
});

Deno.test("while steps always wait, the network is polled every NETWORK_MS", () => {
  let now = 0;
  const waits: string[] = [];
  let goOn = () => {};
  const after = (what: string) => (next: () => void) => {
    waits.push(what);
    goOn = next;
  };
  const clock = { monotonic: () => now };
  const scheduler = createCooperativeScheduler(clock, after("others"), after("network"));
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

Deno.test("work in steps runs to its end, also when other work runs between its steps", async () => {
  const { scheduler, spend, turn } = loop();
  let steps = 0;
  const work = function* () {
    for (; steps < 10; steps++) {
      spend(1);
      yield;
    }
    return "done";
  };
  assertEquals(await withoutPauses.run(work()), "done", "without pauses it never waits");
  steps = 0;
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
  const under = (what: string, work: Promise<string>) =>
    scheduler.withMutex("192.0.2.1", () => {
      began.push(what);
      return work;
    });
  const one = under("one", first.promise);
  const other = under("other", Promise.resolve("other"));
  await Promise.resolve();
  assertEquals(began, ["one"]);
  first.reject(new Error("failed"));
  assertEquals(await one.catch((fault: Error) => fault.message), "failed");
  assertEquals(await other, "other");
});

Deno.test("a caller with much work under the mutex delays only itself", async () => {
  const { scheduler } = loop();
  const done: string[] = [];
  const ask = (asker: string, what: string) =>
    scheduler.withMutex(asker, () => Promise.resolve(done.push(what)));
  const all = [1, 2, 3, 4].map((count) => ask("192.0.2.1", `much ${count}`));
  await Promise.all([...all, ask("192.0.2.2", "one"), ask("192.0.2.3", "two")]);
  assertEquals(done, ["much 1", "much 2", "one", "two", "much 3", "much 4"]);
  await ask("192.0.2.1", "again");
  assertEquals(done.at(-1), "again");
});
