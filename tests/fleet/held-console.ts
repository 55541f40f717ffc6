/**
 * A console that a hub dials, for tests.
 *
 * @module
 */
import type { HeldConsole } from "../../fleet/hub/hub-core.ts";
import type { Summary } from "../../fleet/wire.ts";
import { summaryOf } from "./open-hub.ts";

/** A live console that the hub dials; without a `session` or a `fetch` it must not be asked. */
export function heldConsole(
  id: string,
  { summary, ...answers }: Partial<Pick<HeldConsole, "session" | "fetch">> & {
    readonly summary?: Partial<Summary>;
  } = {},
): HeldConsole {
  const notAskedFor = () => Promise.reject(new Error("not asked for"));
  return {
    entry: () => ({ id, state: "live", since: 0, summary: summaryOf(summary) }),
    watch: () => () => {},
    session: notAskedFor,
    fetch: notAskedFor,
    close() {},
    ...answers,
  };
}
