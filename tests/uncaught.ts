/**
 * Errors that nobody catches.
 *
 * @module
 */

/** Runs an action; returns the messages of the errors that nobody has caught meanwhile. */
export async function uncaughtDuring(action: () => Promise<void>): Promise<string[]> {
  const uncaught: string[] = [];
  const note = (event: ErrorEvent) => {
    event.preventDefault();
    uncaught.push(event.message.replace(/^Uncaught Error: /, ""));
  };
  globalThis.addEventListener("error", note);
  try {
    await action();
  } finally {
    globalThis.removeEventListener("error", note);
  }
  return uncaught;
}
