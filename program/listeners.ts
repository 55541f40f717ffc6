/**
 * The listeners of the service: for HTTP, and for HTTPS if the command line says so.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { Tls } from "../core/backup/tls.ts";
import type { Console } from "../core/console.ts";
import { type Address, listen } from "../runtimes/deno/server.ts";
import type { TlsFront } from "../runtimes/deno/tls-front.ts";
import type { ServerParts } from "../transport/server.ts";
import { Failure } from "./failure.ts";
import { warn } from "./print.ts";

/** The listeners of a service. */
export interface Listeners {
  readonly http: Address;
  /** The address for HTTPS; undefined without HTTPS. */
  readonly https: Address | undefined;
  /** Gives new connections the certificate of a console, now and after each change of it. */
  followCertificate(console: Console): void;
  /** Gives new connections a certificate; throws if it is invalid. */
  setCertificate(tls: Tls): void;
  /** Stops listening; resolves once every request under way is answered. */
  stop(): Promise<unknown>;
}

/** Begins to listen; throws {@link Failure} if an address is not available. */
export async function openListeners(
  { http, https }: { readonly http: Address; readonly https: Address | undefined },
  parts: ServerParts,
): Promise<Listeners> {
  const server = bind(http, (address) => listen(address, parts));
  let front: TlsFront | undefined;
  if (https !== undefined) {
    try {
      // Loaded only on request, so that an idle service does not load it.
      const { listenTls } = await import("../runtimes/deno/tls-front.ts");
      front = bind(https, (address) => listenTls(address, parts));
    } catch (fault) {
      server.stop();
      throw fault;
    }
  }
  return {
    http: server.address,
    https: front?.address,
    followCertificate(console) {
      if (front !== undefined) followCertificate(console, front);
    },
    setCertificate: (tls) => front?.setCertificate(tls),
    stop: () => Promise.all([server.stop(), front?.stop()]),
  };
}

/**
 * Begins to listen on an address; throws {@link Failure} if it is not available. The failure names
 * `member`, if given: the member of the configuration that the address is from.
 */
export function bind<Listening>(
  address: Address,
  how: (address: Address) => Listening,
  member?: string,
): Listening {
  try {
    return how(address);
  } catch (fault) {
    const { hostname, port } = address;
    const from = member === undefined ? "" : `${member}: `;
    throw new Failure(`${from}cannot listen on ${hostname}:${port}: ${reasonOf(fault)}`);
  }
}

function followCertificate(console: Console, front: TlsFront): void {
  const follow = () => {
    try {
      front.setCertificate(console.state.tls);
    } catch (fault) {
      warn(`the TLS certificate cannot be used: ${reasonOf(fault)}`);
    }
  };
  follow();
  console.watch((event) => {
    if (event.type === "restored" && event.tls !== undefined) follow();
  });
}

/** Returns the URL of a listener for clients: `http://127.0.0.1:8080`. */
export function urlOf({ hostname, port }: Address, scheme = "http"): string {
  const host = hostname.includes(":") ? `[${hostname}]` : hostname;
  return `${scheme}://${host}:${port}`;
}
