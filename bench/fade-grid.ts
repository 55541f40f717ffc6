/**
 * The limit of this machine, for `fade.ts`: a process that does nothing but wake up every 20 ms on
 * a fixed grid. It ends when its standard input does, and prints the lateness of each wake-up, in
 * ms.
 *
 * @module
 */
import { punctualTimer } from "../runtimes/clock.ts";
import { untilEnded } from "./process.ts";
import { print } from "./report.ts";

const STEP_MS = 20;

const late: number[] = [];
let due = Math.ceil(performance.now());
function next(): void {
  const passed = Math.floor((performance.now() - due) / STEP_MS);
  due += (passed + 1) * STEP_MS;
  punctualTimer.at(due, wake);
}
function wake(): void {
  const now = performance.now();
  if (now < due) punctualTimer.at(due, wake);
  else {
    late.push(now - due);
    next();
  }
}
next();
await untilEnded();
print(JSON.stringify({ late }));
Deno.exit();
