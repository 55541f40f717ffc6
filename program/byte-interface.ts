/**
 * Interfaces over TCP that are not HTTP, where the configuration has them.
 *
 * @module
 */
import { readListenAddress } from "../core/configuration/listen-address.ts";
import type { Timer } from "../core/ports.ts";
import { listenTcp } from "../runtimes/deno/tcp.ts";
import type { ByteProvider, ByteProviderOptions } from "../transport/byte-clients.ts";
import type { OpenByteSocket } from "../transport/byte-socket.ts";
import type { Address } from "../transport/server.ts";
import { bind } from "./listeners.ts";

/** The parts of the service that serving needs, besides the parts of the listener. */
export type ServingOptions = Omit<ByteProviderOptions, "may" | "onFault">;

/** A listener for an interface. */
export interface ByteInterface {
  readonly address: Address;
  /** Serves connections from now on; until then they are refused. */
  serve(options: ServingOptions): void;
  /** Closes all connections, and stops listening. */
  stop(): Promise<void>;
}

/** Begins to listen; throws `Failure` if the address is not available. */
export function listenBytes(
  member: "ember" | "ecp",
  listen: string,
  create: (options: ServingOptions) => ByteProvider,
  timer: Timer,
  onFault: (fault: unknown) => void,
): ByteInterface {
  let provider: ByteProvider | undefined;
  const open: OpenByteSocket = (socket, from) => provider?.open(socket, from);
  const server = bind(
    readListenAddress(listen)!,
    (address) => listenTcp(address, { open, timer, onFault }),
    `${member}.listen`,
  );
  return {
    address: server.address,
    serve(options) {
      provider = create(options);
    },
    stop() {
      provider?.close();
      return server.stop();
    },
  };
}
