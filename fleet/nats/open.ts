/**
 * What several hubs share, on NATS: the ledger in JetStream.
 *
 * @module
 */
import type { OpenShared } from "../shared.ts";
import { openLine } from "./connection.ts";
import { openNatsLedger } from "./ledger.ts";

/** Connects to the servers and opens the ledger of an organisation. */
export const openNats: OpenShared = async (options) => {
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
};
