import { assertEquals } from "@std/assert";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { set } from "../../../core/tree/set.ts";
import { createUpdates } from "../../../transport/ember/updates.ts";
import { schedulerWith } from "../../schedulers.ts";
import { demoWith, heldStore, result, until } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { connectConsumer, startEmber } from "./consumer.ts";

Deno.test("a meter is not sent after its consumer has unsubscribed, also if a value waited", () => {
  const { timer, pass } = passingTime();
  let messages = 0;
  const updates = createUpdates({
    output: {
      message: () => void messages++,
      packet() {},
      lags: () => false,
      untilRead: () => undefined,
      close() {},
    },
    timer,
    scheduler: withoutPauses,
    address: "127.0.0.1",
    onFault(fault) {
      throw fault;
    },
    *write() {
      yield;
      return undefined;
    },
  });
  updates.meter(1, -2000);
  updates.forgetMeter(1);
  pass(100);
  assertEquals(messages, 0);
  updates.meter(1, -2000);
  updates.meter(2, -2000);
  updates.forgetMeter(1);
  pass(100);
  assertEquals(messages, 1);
});

/** The path of the global labels, and of the first of them. */
const LABELS = "1.5";
const LABEL = "1.5.2";

/** Connects a consumer to a console with 40 labels: their directory is written in two steps. */
async function consumerOfLabels() {
  const { timer, pass } = passingTime();
  let pause: PromiseWithResolvers<void> | undefined;
  let isPaused = false;
  const scheduler = schedulerWith(async () => {
    isPaused = pause !== undefined;
    await pause?.promise;
  });
  const globalLabels = Array.from({ length: 40 }, (_, at) => ({ id: at + 1, label: "first" }));
  const configuration = { globalLabels, ember: { listen: "127.0.0.1:0" } };
  const service = await startEmber(configuration, timer, scheduler);
  const consumer = await connectConsumer(service);
  return {
    consumer,
    /** The values of the first label that have come. */
    values: () => consumer.came.filter(({ path }) => path === LABEL).map((one) => one.contents[2]),
    /** Sets the first labels. */
    setLabels(count: number, label: string) {
      const first = globalLabels.slice(0, count).map(({ id }) => [id, { label }]);
      return result(service.console, set("/control/labels", Object.fromEntries(first)));
    },
    /** Lets the time pass in which an update becomes due. */
    passUpdate: () => pass(100),
    /** Stops what is written from now on after its first step, until the returned function. */
    pause() {
      pause = Promise.withResolvers();
      isPaused = false;
      return pause.resolve;
    },
    untilPaused: () => until(() => isPaused),
    async [Symbol.asyncDispose]() {
      await consumer[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

Deno.test("a value that a consumer sets while an older one is being written comes again after it", async () => {
  await using scene = await consumerOfLabels();
  const { consumer, values } = scene;
  await consumer.directory(LABELS);
  const goOn = scene.pause();
  await scene.setLabels(40, "second");
  scene.passUpdate();
  await scene.untilPaused();
  await consumer.set(LABEL, "third");
  await until(() => values().at(-1) === "third");
  goOn();
  await until(() => values().at(-1) === "second");
  scene.passUpdate();
  await until(() => values().length === 4);
  assertEquals(values(), ["first", "third", "second", "third"]);
});

Deno.test("a change while a directory is being written comes after it, whether known before or not", async () => {
  await using scene = await consumerOfLabels();
  const { consumer, values } = scene;
  for (const [round, label] of ["second", "third"].entries()) {
    const goOn = scene.pause();
    const listed = consumer.directory(LABELS);
    await scene.untilPaused();
    await scene.setLabels(1, label);
    scene.passUpdate();
    goOn();
    await listed;
    scene.passUpdate();
    await until(() => values().length === 2 * (round + 1));
  }
  assertEquals(values(), ["first", "second", "second", "third"]);
});

Deno.test("a value that changes while the answer to its set waits for an earlier one is not followed by the old one", async () => {
  const store = heldStore();
  const { timer, pass } = passingTime();
  const configuration = demoWith({ ember: { listen: "127.0.0.1:0", may: "configure" } });
  await using service = await startEmber(configuration, timer, withoutPauses, store);
  await using consumer = await connectConsumer(service);
  const LEVEL = "1.4.1.1";
  await consumer.directory("1.4.1");
  const valuesAt = (path: string) =>
    consumer.came.filter((one) => one.path === path).map(({ contents }) => contents[2]);
  store.hold();
  await consumer.set(LABEL, "slow");
  await until(() => store.waiting === 1);
  // Refused at once: the answer has the value in force, after that to the label.
  await consumer.set(LEVEL, "loud");
  await until(() => service.audit.at(-1)?.refused !== undefined);
  await result(service.console, fadeToValue({ mixer: 0, fader: 0, seconds: 0.02, value: -12 }));
  await until(() => {
    pass(100);
    return valuesAt(LEVEL).at(-1) === -12;
  });
  store.store();
  const count = valuesAt(LEVEL).length;
  await until(() => valuesAt(LABEL).length === 1 && valuesAt(LEVEL).length > count);
  assertEquals(valuesAt(LEVEL).at(-1), -12);
});
