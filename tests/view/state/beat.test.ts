import { assertEquals } from "@std/assert";
import { createBeat } from "../../../view/state/beat.ts";

/** A beat with ticks of 200 ms; the test makes the ticks and the answers. */
function page() {
  const answers: (() => void)[] = [];
  const changes: boolean[] = [];
  let tick = () => {};
  let now = 0;
  const beat = createBeat({
    ask: () => new Promise<void>((resolve) => answers.push(resolve)),
    every: (_, act) => void (tick = act),
    now: () => now,
    changed: (isSilent) => changes.push(isSilent),
  });
  return {
    beat,
    changes,
    asked: () => answers.length,
    sleep: (ms: number) => void (now += ms),
    ticks(count: number) {
      for (let at = 0; at < count; at++) {
        now += 200;
        tick();
      }
    },
    async answer() {
      for (const resolve of answers.splice(0)) resolve();
      await Promise.resolve();
      beat.heard();
    },
  };
}

async function livePage() {
  const live = page();
  live.beat.begin();
  await live.answer();
  return live;
}

Deno.test("a console that sends nothing is asked, and counts as silent after about a second", async () => {
  const { ticks, asked, changes, beat } = await livePage();
  ticks(5);
  assertEquals([asked(), changes], [1, []]);
  ticks(1);
  assertEquals(changes, [true]);
  ticks(20);
  assertEquals([asked(), changes], [1, [true]]);
  beat.heard();
  assertEquals(changes, [true, false]);
});

Deno.test("a console that sends meters is never asked; one that answers is never silent", async () => {
  const { ticks, asked, answer, changes, beat } = await livePage();
  for (let count = 0; count < 100; count++) {
    ticks(1);
    beat.heard();
  }
  assertEquals(asked(), 0);
  for (let count = 0; count < 100; count++) {
    ticks(5);
    await answer();
  }
  assertEquals(changes, []);
});

Deno.test("until the first answers, which take long on a slow line, silence begins after 10 s", () => {
  const { ticks, changes, beat } = page();
  beat.begin();
  ticks(49);
  assertEquals(changes, []);
  ticks(1);
  assertEquals(changes, [true]);
  beat.heard();
  assertEquals(changes, [true, false]);
});

Deno.test("while a large answer is on its way silence begins after 10 s, then after a second again", async () => {
  const { ticks, changes, beat, answer } = await livePage();
  beat.reads();
  ticks(49);
  assertEquals(changes, []);
  await answer();
  ticks(6);
  assertEquals(changes, [true]);
});

Deno.test("a message waits for an answer of a quiet console, and is sent at once to a live one", async () => {
  const { ticks, asked, beat, answer } = await livePage();
  assertEquals(await beat.lately(), true);
  ticks(1);
  const there = beat.lately();
  assertEquals(asked(), 1);
  await answer();
  assertEquals(await there, true);
  ticks(1);
  const gone = beat.lately();
  ticks(5);
  assertEquals(await gone, false);
  assertEquals(await beat.lately(), false, "while it is silent");
});

Deno.test("after a sleep without ticks the console is asked before anything is sent", async () => {
  const { sleep, asked, beat, answer } = await livePage();
  sleep(3_600_000);
  const there = beat.lately();
  assertEquals(asked(), 1);
  await answer();
  assertEquals(await there, true);
});

Deno.test("messages that wait for the console are given up at the end of the connection", async () => {
  const { ticks, beat } = await livePage();
  ticks(1);
  const there = beat.lately();
  beat.end();
  assertEquals(await there, false);
});
