/** One fade, followed over each protocol at once, in simulated time and networks. */
import { assert, assertEquals } from "@std/assert";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { TCP_UPDATE_MS } from "../../core/limits.ts";
import { STEP_MS } from "../../fade/plan.ts";
import { createBudget } from "../../transport/budget.ts";
import { readBlock } from "../../transport/ecp/block.ts";
import { levelAt } from "../../transport/ecp/level.ts";
import { createProvider as createEcp } from "../../transport/ecp/provider.ts";
import { readBer } from "../../transport/ember/ber.ts";
import { createProvider as createEmber } from "../../transport/ember/provider.ts";
import { createS101Reader } from "../../transport/ember/s101.ts";
import { demoWith, serviceOf, stillClock, testConsole } from "../service.ts";
import { passingTime } from "../timers.ts";
import { blocks } from "./ecp/blocks.ts";
import { elementOf, requestFor } from "./ember/consumer.ts";

/** A level that was sent, and its time in ms. */
interface Heard {
  readonly at: number;
  /** In hundredths of a dB, the unit of ECP. */
  readonly level: number;
}

const FROM = "192.0.2.1";

/** Fader 4 of mixer 0 carries channel 5. */
const FADER = "/audio/mixers/0/faders/4";
const CHANNEL = "1.4.5";

const hundredths = (level: number) => Math.round(level * 100);

/** Lets all pending microtasks run. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await undefined;
}

async function followers() {
  const configuration = demoWith({
    ember: { listen: "127.0.0.1:0" },
    ecp: { listen: "127.0.0.1:0" },
  });
  const console = await testConsole({ configuration, clock: stillClock() });
  const { timer, pass } = passingTime();
  const scheduler = withoutPauses;
  const { sessions } = serviceOf(console, { clock: stillClock(), timer, scheduler });
  const budget = createBudget(() => console.state.configuration.limits.memory);
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const parts = { console, timer, scheduler, budget, sessions, may: "operate", onFault } as const;
  const heard = { websocket: [] as Heard[], ember: [] as Heard[], ecp: [] as Heard[] };
  const hear = (by: keyof typeof heard, level: number) =>
    void heard[by].push({ at: timer.monotonic(), level: hundredths(level) });

  const session = sessions.open({
    bufferedAmount: 0,
    close() {},
    send(text) {
      const { method, payload } = JSON.parse(text);
      const level = method === "update" && payload.audio.mixers[0].faders[4].fader;
      if (typeof level === "number") hear("websocket", level);
    },
  }, { address: FROM, since: 0 });
  session.receive(JSON.stringify({ method: "subscribe", path: FADER }));

  const glow = createS101Reader({
    message(bytes) {
      for (const { inside } of readBer(bytes)!.inside) {
        for (const { inside: [element] } of inside) {
          const { path, contents } = elementOf(element!);
          if (path === `${CHANNEL}.1`) hear("ember", contents[2] as number);
        }
      }
    },
    asksAlive() {},
    tooLong() {},
  });
  const consumer = createEmber(parts).open(
    { bufferedAmount: 0, close() {}, send: glow.read },
    FROM,
  )!;
  consumer.receive(requestFor(CHANNEL, "a2{64{a0{62{a0{02 01 20}}}}}"));

  const client = createEcp(parts).open({
    bufferedAmount: 0,
    close() {},
    send: (bytes) => hear("ecp", levelAt(readBlock(bytes)!.data, 2)),
  }, FROM)!;
  client.receive(blocks("01 00 11030000 01"));
  await turns();
  // The directory has the level, too.
  heard.ember.length = 0;
  return {
    heard,
    client,
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += STEP_MS) {
        pass(STEP_MS);
        await turns();
      }
    },
  };
}

Deno.test("the steps of a fade are sent on the grid of 20 ms over WebSocket, and every second one over Ember+ and ECP", async () => {
  const { heard, client, pass } = await followers();
  // To 0 dB in 2 s; the answer has the level before.
  client.receive(blocks("07 00 11030000 0004 0000 07D0 01"));
  await pass(3000);
  const { websocket, ember, ecp } = heard;
  assertEquals(ecp.shift(), { at: 0, level: -16_000 });
  assertEquals(websocket.length, 100);
  const levels = new Map(websocket.map(({ at, level }) => [at, level]));
  assertEquals([...levels.keys()], websocket.map((_, step) => (step + 1) * STEP_MS));
  for (const told of [ember, ecp]) {
    assertEquals(told.at(-1)?.level, 0);
    assert(told.length === 50 || told.length === 51, `${told.length} were told`);
    for (const [index, { at, level }] of told.entries()) {
      // A step that is due at the same time may come before or after.
      const steps = [levels.get(at), levels.get(at - STEP_MS)];
      assert(steps.includes(level), `${level} at ${at} ms is none of ${steps}`);
      if (index > 0) assert(at - told[index - 1]!.at >= TCP_UPDATE_MS);
    }
  }
});
