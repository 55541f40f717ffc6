/**
 * Opens the ledger and the bus that a hub shares with other hubs on servers of NATS, as its
 * configuration says.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { OpenShared, Shared } from "../fleet/several-hubs/shared.ts";
import { Failure } from "./failure.ts";
import type { NatsConfiguration } from "./hub-configuration.ts";
import { NATS_MODULE } from "./nats-module.ts";
import { readText } from "./named-file.ts";
import { reasonLineOf, report, warn } from "./print.ts";

/** Opens both. Throws {@link Failure} if they are not available. */
export async function openShared(
  nats: NatsConfiguration,
  hub: { readonly organisation: string; readonly name: string },
): Promise<Shared> {
  const { servers, replicas, allowOldServer } = nats;
  const openNats = await load();
  if (allowOldServer) {
    warn(
      'ledger: "allowOldServer": after a power failure the servers may lack changes that they acknowledged',
    );
  }
  try {
    return await openNats({
      ...hub,
      servers,
      replicas,
      allowOldServer,
      credentials: read("credentials", nats.credentials),
      ca: read("ca", nats.ca),
      onFault: (fault) => warn(`NATS: ${reasonLineOf(fault)}`),
      onState(state, server) {
        if (state === "back") return report(`NATS: connected to ${server}`);
        warn(`NATS: the connection to ${server} is lost; the hub connects again`);
      },
    });
  } catch (fault) {
    if (fault instanceof Failure) throw fault;
    throw new Failure(`ledger: ${servers.join(", ")}: ${reasonOf(fault)}`);
  }
}

async function load(): Promise<OpenShared> {
  try {
    return (await import(NATS_MODULE)).openNats;
  } catch (fault) {
    throw new Failure(
      `ledger: the client of NATS could not be loaded (from the sources: deno task nats-hub): ${
        reasonOf(fault)
      }`,
    );
  }
}

function read(member: string, file: string | undefined): string | undefined {
  return file === undefined ? undefined : readText(file, `ledger.${member}: ${file}`);
}
