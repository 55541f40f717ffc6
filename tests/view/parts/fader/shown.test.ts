import { assertEquals } from "@std/assert";
import { simulatedTime } from "../../../fade/simulated_time.ts";
import { createShown } from "../../../../view/parts/fader/shown.ts";

/** A value that shows 0, in simulated time; the test decides when the console answers. */
function desk() {
  const { clock, timer, runTo } = simulatedTime();
  const shows: number[] = [];
  const sent: (readonly [at: number, value: number])[] = [];
  const answers: PromiseWithResolvers<void>[] = [];
  let others = 0;
  const shown = createShown(0, {
    show: (value) => shows.push(value),
    send(value) {
      sent.push([clock.monotonic(), value]);
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    elsewhere: () => void others++,
    now: clock.monotonic,
    later: (ms, act) => void timer.at(clock.monotonic() + ms, act),
  });
  return {
    shown,
    shows,
    sent,
    others: () => others,
    runTo,
    async answer() {
      for (const { resolve } of answers.splice(0)) resolve();
      await Promise.resolve();
    },
    async refuse() {
      for (const { reject } of answers.splice(0)) reject(new Error("no"));
      await Promise.resolve();
    },
  };
}

Deno.test("values from the console are shown at once while the user does not move the value", () => {
  const { shown, shows } = desk();
  shown.told(-3);
  shown.told(-4);
  assertEquals(shows, [-3, -4]);
});

Deno.test("own moves show at once, and are sent at most every 20 ms, the last move always", () => {
  const { shown, shows, sent, runTo } = desk();
  shown.hold();
  for (let ms = 0; ms < 50; ms += 5) {
    runTo(ms);
    shown.move(ms);
    shown.told(sent.at(-1)![1]);
  }
  shown.letGo();
  runTo(60);
  assertEquals(shows, [0, 5, 10, 15, 20, 25, 30, 35, 40, 45]);
  assertEquals(sent, [[0, 0], [20, 15], [40, 35], [60, 45]]);
});

Deno.test("a hanging console is sent one move, and the last move once it answers", async () => {
  const { shown, sent, runTo, answer } = desk();
  for (let ms = 0; ms < 1000; ms += 5) {
    runTo(ms);
    shown.move(ms);
  }
  assertEquals(sent, [[0, 0]]);
  await answer();
  assertEquals(sent, [[0, 0], [995, 995]]);
});

Deno.test("a move not yet sent when the console is lost is never sent, and shows no more", async () => {
  const { shown, shows, sent, runTo, refuse } = desk();
  shown.hold();
  shown.move(-5);
  shown.move(-6);
  shown.drop();
  await refuse();
  await Promise.resolve();
  runTo(1000);
  assertEquals(sent, [[0, -5]]);
  assertEquals(shows, [-5, -6, 0]);
});

Deno.test("another hand's value shows at once while the value is held, and is reported", async () => {
  const { shown, shows, sent, others, runTo, answer } = desk();
  shown.hold();
  shown.move(-5);
  shown.move(-6);
  shown.told(-20);
  assertEquals(shows, [-5, -6, -20]);
  assertEquals(others(), 1);
  shown.told(-5);
  assertEquals(shows, [-5, -6, -20, -5], "the console took the own value after the other");
  await answer();
  runTo(1000);
  assertEquals(sent, [[0, -5]], "a move from the own picture is not sent any more");
  shown.move(-5.5);
  assertEquals(sent, [[0, -5], [1000, -5.5]]);
});

Deno.test("a move that goes on from another hand's value is sent after the report of an earlier own move", async () => {
  const { shown, sent, others, runTo, answer } = desk();
  shown.hold();
  shown.move(-10);
  shown.told(-30);
  shown.move(-29);
  // The console carried out the other hand's value first.
  shown.told(-10);
  await answer();
  runTo(1000);
  assertEquals(sent.map(([, value]) => value), [-10, -29]);
  assertEquals(shown.value, -29);
  assertEquals(others(), 1);
});

Deno.test("an own value stays until the console has answered it: its echoes move nothing", async () => {
  const { shown, shows, answer, runTo } = desk();
  shown.hold();
  shown.move(-5);
  runTo(20);
  shown.move(-6);
  shown.letGo();
  shown.told(-5);
  assertEquals(shows, [-5, -6], "the echo of the first does not turn it back");
  shown.told(-6);
  await answer();
  assertEquals(shows, [-5, -6]);
});

Deno.test("another client's value after an own value shows once the own value is answered", async () => {
  const { shown, shows, answer } = desk();
  shown.move(-5);
  shown.told(-5);
  shown.told(-40);
  await answer();
  assertEquals(shows, [-5, -40]);
});

Deno.test("a refused value gives way to the value in force", async () => {
  const { shown, shows, refuse } = desk();
  shown.told(-12);
  shown.move(-5);
  await refuse();
  await Promise.resolve();
  assertEquals(shows, [-12, -5, -12]);
});
