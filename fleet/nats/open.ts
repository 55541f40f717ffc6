/**
 * The shared parts of several hubs, on NATS: the ledger in JetStream, and the bus.
 *
 * @module
 */
import type { OpenShared } from "../several-hubs/shared.ts";
import { createNatsBus } from "./bus.ts";
import { openLine } from "./connection.ts";
import { openNatsLedger } from "./ledger.ts";

/** Connects to the servers and opens the ledger of an organisation. */
export const openNats: OpenShared = async (options) => {
  const line = await openLine(options);
  try {
    const ledger = await openNatsLedger(line, options);
    return {
      bus: createNatsBus(line, options.onFault),
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
};
