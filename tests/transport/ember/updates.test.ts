import { assertEquals } from "@std/assert";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { createUpdates } from "../../../transport/ember/updates.ts";
import { passingTime } from "../../timers.ts";

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
