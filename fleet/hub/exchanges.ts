/**
 * Requests over HTTP that a hub passes on to consoles: each by a line of its own, which is used
 * again for the same user of the same console.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import type { Timer } from "../../core/ports.ts";
import { refused } from "../../transport/json-answers.ts";
import { IDLE_LINES } from "./hub-limits.ts";
import { type ExchangeLine, type OpenLine, openLine } from "./exchange-line.ts";

/** The exchanges of a hub. */
export interface Exchanges {
  /**
   * Carries a request out by a socket that `open` opens, or by an idle one of the same `key`.
   * `target` is the path and the query of the console itself. It answers 503 if no socket could be
   * opened, and 502 if the console did not answer as it should.
   */
  fetch(key: string, open: OpenLine, target: string, request: Request): Promise<Response>;
}

/** Makes the exchanges of a hub. */
export function createExchanges(timer: Timer): Exchanges {
  const idle = new Map<string, ExchangeLine[]>();

  async function lineFor(key: string, open: OpenLine): Promise<ExchangeLine | Refusal> {
    const line = idle.get(key)?.pop();
    if (line !== undefined) {
      if (idle.get(key)?.length === 0) idle.delete(key);
      line.wake();
      return line;
    }
    return await openLine(open, timer, (freed) => {
      const lines = idle.get(key) ?? [];
      if (lines.length >= IDLE_LINES) return undefined;
      idle.set(key, lines);
      lines.push(freed);
      return () => {
        const at = lines.indexOf(freed);
        if (at >= 0) lines.splice(at, 1);
        if (lines.length === 0 && idle.get(key) === lines) idle.delete(key);
      };
    });
  }

  return {
    async fetch(key, open, target, request) {
      const line = await lineFor(key, open);
      if (isRefusal(line)) {
        request.body?.cancel().catch(() => {});
        return refused(503, line, { "retry-after": "5" });
      }
      return await line.exchange(target, request);
    },
  };
}
