/**
 * The reads of a console that the hub dials: at each beat a sign of life, and less often the values
 * that change rarely.
 *
 * @module
 */
import { type Client, RequestError } from "../../client/client.ts";
import { errorCodes } from "../../core/errors.ts";
import type { Timer } from "../../core/ports.ts";
import { FLEET_MAY, FRAME_BYTES } from "../wire.ts";
import { MIXERS_EXTENT, type Read } from "./direct-summary.ts";

/** Intervals in ms at which labels and keys, and the right of the hub's user, are read. */
const MIXERS_MS = 2000;
const MAY_MS = 10_000;

/** Time in ms after which a console that left a question unanswered is asked again. */
const UNANSWERED_MS = 10_000;

/** The reads of one console. */
export interface DirectReader {
  /** Monotonic time in ms of the last sign of the console; -Infinity before the first. */
  heardAt(): number;
  /** Takes a new connection as a sign of the console, after which everything is read again. */
  startAnew(): void;
  /**
   * Reads `/general`, as a sign of life, and now and then the labels and keys of the faders, and
   * the right of the hub's user. Reads nothing while the client is not open, or while an earlier
   * read waits for its answer.
   */
  read(client: Client): Promise<void>;
}

/** Makes the reads of a console, each of which calls `learn` with its values. */
export function createDirectReader(
  timer: Timer,
  learn: (part: Partial<Read>) => void,
): DirectReader {
  let heardAt = -Infinity;
  let mixersAt = -Infinity;
  let mayAt = -Infinity;
  /** The time until which the answer to the last question is waited for. */
  let waitsUntil = -Infinity;

  return {
    heardAt: () => heardAt,
    startAnew() {
      heardAt = timer.monotonic();
      mixersAt = -Infinity;
      mayAt = -Infinity;
      waitsUntil = -Infinity;
    },
    async read(client) {
      const now = timer.monotonic();
      if (client.state !== "open" || now < waitsUntil) return;
      waitsUntil = now + UNANSWERED_MS;
      if (now - mayAt >= MAY_MS) {
        mayAt = now;
        askMay(client, learn);
      }
      try {
        const general = await client.get("/general", { depth: 1 });
        heardAt = timer.monotonic();
        learn({ general: bounded(general) });
        if (heardAt - mixersAt >= MIXERS_MS) {
          mixersAt = heardAt;
          learn({ mixers: bounded(await client.get("/audio/mixers", MIXERS_EXTENT)) });
        }
      } catch {
        // A refusal leaves the known values; a loss shows in the state of the client.
      } finally {
        waitsUntil = -Infinity;
      }
    },
  };
}

/**
 * Asks for the right of the hub's user there. A console that does not know the method counts as
 * allowing to operate; without an answer the highest right stays assumed.
 */
async function askMay(client: Client, learn: (part: Partial<Read>) => void): Promise<void> {
  try {
    const user = await client.rpc("getuser", {});
    const may = user.admin ? "admin" : user.may;
    // Without a right that this version knows, the highest right stays assumed.
    if (FLEET_MAY.includes(may)) learn({ may });
  } catch (fault) {
    if (fault instanceof RequestError && fault.code === errorCodes.unknownMethod) {
      learn({ may: "operate" });
    }
  }
}

/**
 * Returns a read value, unless it is longer than a console that dials the hub may report: each
 * subscriber of the hub gets it.
 */
function bounded(value: unknown): unknown {
  return (JSON.stringify(value) ?? "").length <= FRAME_BYTES ? value : undefined;
}
