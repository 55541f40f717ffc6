/**
 * What several hubs share, on NATS: the ledger in JetStream, and the bus.
 *
 * @module
 */
import type { Ledger } from "../ledger.ts";
import { type NatsOptions, openLine } from "./connection.ts";
import { openNatsLedger } from "./ledger.ts";

export { OLDEST_SERVER } from "./connection.ts";

/** The options of {@link openNats}. */
export interface SharedOptions extends NatsOptions {
  readonly organisation: string;
  /** Number of servers that keep what is stored, where that is not there yet: 1, 3 or 5. */
  readonly replicas: number;
}

/** Connects to the servers and opens the ledger of an organisation; closing that ends all of it. */
export async function openNats(options: SharedOptions): Promise<{ readonly ledger: Ledger }> {
  const line = await openLine(options);
  try {
    const ledger = await openNatsLedger(line, options);
    return {
      ledger: {
        ...ledger,
        async close() {
          await ledger.close();
          await line.close();
        },
      },
    };
  } catch (fault) {
    await line.close();
    throw fault;
  }
}
