import { simulatedTime } from "./fade/simulated_time.ts";

/** A timer whose time passes when the test says so: `pass` wakes whoever is due by then. */
export function passingTime() {
  const { timer, runTo, pending } = simulatedTime();
  const pass = (ms: number) => runTo(timer.monotonic() + ms);
  return { timer, pass, pending };
}
