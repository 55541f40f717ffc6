/** The real clock: these few tests wait for it. */
import { assert, assertEquals } from "@std/assert";
import { machine, machineTimer, punctualTimer } from "../../runtimes/clock.ts";

const { monotonic } = machine.clock;

for (const [name, timer] of Object.entries({ machineTimer, punctualTimer })) {
  Deno.test(`a wake-up of ${name} never comes before its time`, async () => {
    const late: number[] = [];
    for (let wakes = 0; wakes < 30; wakes++) {
      const due = monotonic() + 3 + wakes / 30;
      await new Promise<void>((resolve) => timer.at(due, resolve));
      late.push(monotonic() - due);
    }
    // The bench measures the lateness: here other tests keep the machine busy.
    const least = Math.min(...late);
    assert(least >= 0, `${-least} ms early`);
  });
}

Deno.test("a wake-up whose time has passed comes at once, but not inside the call", async () => {
  let woken = false;
  const wake = new Promise<void>((resolve) =>
    machineTimer.at(monotonic() - 100, () => {
      woken = true;
      resolve();
    })
  );
  assertEquals(woken, false);
  await wake;
});

Deno.test("a cancelled wake-up does not come", async () => {
  let woken = false;
  const due = monotonic() + 2;
  const cancel = machineTimer.at(due, () => woken = true);
  cancel();
  await new Promise<void>((resolve) => machineTimer.at(due + 1, resolve));
  assertEquals(woken, false);
});
