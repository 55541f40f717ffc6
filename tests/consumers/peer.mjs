/**
 * A foreign consumer of Ember+ that a test operates: it takes one request a line, as JSON, and
 * answers each with a line. Messages that no request asked for are events.
 */
import { createInterface } from "node:readline";

/** Sends a message to the test. */
export function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

/** Answers the requests of the test by functions of their names, one after the other. */
export function serve(actions) {
  let last = Promise.resolve();
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, action, args } = JSON.parse(line);
    last = last.then(() => actions[action](...args)).then(
      (result) => say({ id, result: result ?? null }),
      (fault) => say({ id, error: String(fault?.message ?? fault) }),
    );
  }).on("close", () => process.exit());
}
