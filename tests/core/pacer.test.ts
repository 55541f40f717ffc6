import { assertEquals } from "@std/assert";
import { createPacer, NETWORK_MS, STRETCH_MS, unpaced } from "../../core/pacer.ts";

/** An event loop that comes round when it is told. */
function loop() {
  let now = 0;
  let comeRound: (() => void) | undefined;
  const pacer = createPacer({ monotonic: () => now }, (goOn) => {
    assertEquals(comeRound, undefined, "asked for twice");
    comeRound = goOn;
  });
  return {
    pacer,
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

Deno.test("work goes on at once until it has held the loop for a stretch", async () => {
  const { pacer, spend, turn } = loop();
  assertEquals(pacer.pause(), undefined);
  spend(STRETCH_MS / 2);
  assertEquals(pacer.pause(), undefined);
  spend(STRETCH_MS / 2);
  let went = false;
  pacer.pause()!.then(() => went = true);
  assertEquals(went, false);
  await turn();
  assertEquals(went, true);
});

Deno.test("whoever comes first after the event loop came round goes on at once", async () => {
  const { pacer, spend, turn, isAsked } = loop();
  pacer.pause();
  await turn();
  assertEquals(isAsked(), false, "nothing is asked of the loop while nothing is done");
  spend(10 * STRETCH_MS);
  assertEquals(pacer.pause(), undefined);
  assertEquals(isAsked(), true);
  spend(STRETCH_MS);
  assertEquals(pacer.pause() instanceof Promise, true);
});

Deno.test("who waits longest goes first, as many in a turn as a stretch has room for", async () => {
  const { pacer, spend, turn, isAsked } = loop();
  pacer.pause();
  spend(STRETCH_MS);
  const went: number[] = [];
  for (const number of [1, 2, 3]) {
    pacer.pause()!.then(() => {
      went.push(number);
      spend(0.6 * STRETCH_MS);
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
  const { pacer, spend, turn } = loop();
  pacer.pause();
  spend(STRETCH_MS);
  const went: string[] = [];
  const asks = async (name: string) => {
    for (let step = 0; step < 2; step++) {
      const pause = pacer.pause();
      if (pause !== undefined) await pause;
      went.push(name);
      spend(STRETCH_MS);
    }
  };
  asks("first");
  asks("second");
  for (let turns = 0; turns < 5; turns++) await turn();
  assertEquals(went, ["first", "second", "first", "second"]);
});

Deno.test("who asks for one step waits for one of each other asker, however many those wait for", async () => {
  const { pacer, spend, turn } = loop();
  pacer.pause();
  spend(STRETCH_MS);
  const went: string[] = [];
  const asks = (asker: string) =>
    pacer.pause(asker)!.then(() => {
      went.push(asker);
      spend(STRETCH_MS);
    });
  for (let step = 0; step < 60; step++) asks("192.0.2.1");
  asks("192.0.2.2");
  asks("");
  await turn();
  asks("192.0.2.3");
  for (let turns = 0; turns < 4; turns++) await turn();
  assertEquals(went, ["192.0.2.1", "192.0.2.2", "", "192.0.2.1", "192.0.2.3"]);
});

Deno.test("what follows in the same stretch is of the same turn", async () => {
  const { pacer, spend, turn } = loop();
  pacer.pause();
  spend(STRETCH_MS);
  const went: string[] = [];
  pacer.pause("192.0.2.1")!.then(() => {
    spend(STRETCH_MS / 2);
    went.push(pacer.pause("192.0.2.1") === undefined ? "goes on" : "waits");
    went.push(pacer.pause("192.0.2.3") === undefined ? "goes on" : "waits");
    spend(STRETCH_MS / 2);
    went.push(pacer.pause("192.0.2.1") === undefined ? "goes on" : "waits");
  });
  pacer.pause("192.0.2.2");
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
  const pacer = createPacer({ monotonic: () => now }, after("others"), after("network"));
  pacer.pause();
  for (let steps = 0; steps < 3 * NETWORK_MS; steps++) {
    now += STRETCH_MS;
    pacer.pause();
    pacer.pause();
    goOn();
  }
  const times = waits.flatMap((what, at) => what === "network" ? [at] : []);
  assertEquals(times, [NETWORK_MS, 2 * NETWORK_MS + 1]);
});

Deno.test("work in steps is done to its end, whatever else is done meanwhile", async () => {
  const { pacer, spend, turn } = loop();
  let steps = 0;
  const work = function* () {
    for (; steps < 10; steps++) {
      spend(STRETCH_MS);
      yield;
    }
    return "done";
  };
  const done = pacer.run(work());
  for (let turns = 0; turns < 5; turns++) await turn();
  assertEquals(steps > 1 && steps < 10, true, `${steps} steps`);
  for (let turns = 0; turns < 10; turns++) await turn();
  assertEquals(await done, "done");
});

Deno.test("what is to be alone begins once all is done that was asked for so before, or has failed", async () => {
  const { pacer } = loop();
  const first = Promise.withResolvers<string>();
  const began: string[] = [];
  const one = pacer.alone("192.0.2.1", () => {
    began.push("one");
    return first.promise;
  });
  const other = pacer.alone("192.0.2.1", () => {
    began.push("other");
    return Promise.resolve("other");
  });
  await Promise.resolve();
  assertEquals(began, ["one"]);
  first.reject(new Error("failed"));
  assertEquals(await one.catch((fault: Error) => fault.message), "failed");
  assertEquals(await other, "other");
});

Deno.test("who asks for much alone makes nobody wait but himself", async () => {
  const { pacer } = loop();
  const done: string[] = [];
  const ask = (asker: string, what: string) =>
    pacer.alone(asker, () => {
      done.push(what);
      return Promise.resolve();
    });
  const all = [1, 2, 3, 4].map((count) => ask("192.0.2.1", `much ${count}`));
  await Promise.all([...all, ask("192.0.2.2", "one"), ask("192.0.2.3", "two")]);
  assertEquals(done, ["much 1", "much 2", "one", "two", "much 3", "much 4"]);
  await ask("192.0.2.1", "again");
  assertEquals(done.at(-1), "again");
});

Deno.test("what is not paced never waits", async () => {
  assertEquals(unpaced.pause(), undefined);
  assertEquals(
    await unpaced.run((function* () {
      for (let step = 0; step < 1000; step++) yield;
      return 1;
    })()),
    1,
  );
});
