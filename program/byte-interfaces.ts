/**
 * The interfaces over TCP that the configuration has: Ember+ and ECP. Each is loaded only if the
 * configuration has it.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import type { Timer } from "../core/ports.ts";
import type { Address } from "../runtimes/deno/server.ts";
import type { ByteInterface, ServingOptions } from "./byte-interface.ts";

/** The interfaces over TCP of a service. */
export interface ByteInterfaces {
  readonly ember: Address | undefined;
  readonly ecp: Address | undefined;
  /** Serves connections from now on; until then they are refused. */
  serve(options: ServingOptions): void;
  /** Closes all connections, and stops listening. */
  stop(): Promise<void>;
}

/** Begins to listen; throws `Failure`, and listens to nothing, if an address is not available. */
export async function openByteInterfaces(
  { ember, ecp }: Configuration,
  timer: Timer,
  onFault: (fault: unknown) => void,
): Promise<ByteInterfaces> {
  const opened: ByteInterface[] = [];
  const stop = async () => {
    await Promise.all(opened.map((one) => one.stop()));
  };
  const addresses: { ember?: Address; ecp?: Address } = {};
  try {
    if (ember !== undefined) {
      const { listenEmber } = await import("./ember.ts");
      const listening = listenEmber(ember, timer, onFault);
      opened.push(listening);
      addresses.ember = listening.address;
    }
    if (ecp !== undefined) {
      const { listenEcp } = await import("./ecp.ts");
      const listening = listenEcp(ecp, timer, onFault);
      opened.push(listening);
      addresses.ecp = listening.address;
    }
  } catch (fault) {
    void stop();
    throw fault;
  }
  return {
    ember: addresses.ember,
    ecp: addresses.ecp,
    serve(options) {
      for (const one of opened) one.serve(options);
    },
    stop,
  };
}
