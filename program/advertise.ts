/**
 * The service says in the local network where it is, by mDNS and DNS-SD (RFC 6762, 6763), where the
 * configuration has `advertise`: as `_faderd._tcp`, and as `_http._tcp` and `_https._tcp` for
 * browsers, by the name of the device.
 *
 * @module
 */
import { Bonjour, type Service } from "bonjour-service";
import type { Console } from "../core/console.ts";
import { after, type Timer } from "../core/ports.ts";
import type { Address } from "../runtimes/deno/server.ts";
import { reasonOf, warn } from "./print.ts";
import { VERSION } from "./version.ts";

/** Where the API begins, which clients find in the TXT record. */
const PATH = "/api/rest";

/**
 * Time in ms after which a name that no other service has claimed is ours. The library asks for 750
 * ms, after a wait of up to 250 ms.
 */
const ASKED_MS = 1500;

const MDNS_PORT = 5353;

/** Interval in ms of the check whether the machine has other addresses. */
const LOOK_MS = 5000;

/** Maximum number of names that are tried: "studio-1", "studio-1 (2)" and so on. */
const NAMES = 9;

/** Where the service listens; without `https`, it does so in the clear alone. */
export interface Listening {
  readonly http: Address;
  readonly https?: Address | undefined;
}

/**
 * Advertises a service until it is stopped, also by a new name when the device gets one. Where
 * another service of the network has the name, " (2)" is put behind it, and "-2" behind that of the
 * host. Its addresses are those that it listens to. What goes wrong is said, and the service goes on
 * without. The answer ends it, and resolves when the network was told.
 */
export async function advertise(
  console: Console,
  listening: Listening,
  timer: Timer,
): Promise<() => Promise<void>> {
  const services = [
    ...["faderd", "http"].map((type) => ({ type, ...listening.http })),
    ...(listening.https === undefined ? [] : [{ type: "https", ...listening.https }]),
  ].filter(({ hostname }) => !isOwn(hostname));
  if (services.length === 0) {
    warn("advertise: the service listens to this machine alone, so there is nothing to advertise");
    return () => Promise.resolve();
  }
  const kind = { name: "sys", kind: "networkInterfaces" } as const;
  if (Deno.permissions.querySync(kind).state !== "granted") {
    warn(
      "advertise: this needs to know the addresses of the machine: --allow-sys=networkInterfaces",
    );
    return () => Promise.resolve();
  }
  const say = (fault: unknown) => warn(`advertise: ${reasonOf(fault)}`);
  const { createSocket } = await import("node:dgram");
  const socket = createSocket({ type: "udp4", reuseAddr: true });
  // Options of the package `multicast-dns`, to which it hands them on.
  const options: object = { socket, bind: false };
  const bonjour = new Bonjour(options, say);
  // Its own listener would end the program.
  socket.removeAllListeners("error").on("error", say);
  let stopAsking = () => {};
  let stopLooking = () => {};
  let addresses = ownAddresses();
  let { name } = console.state.configuration.device;

  function announce(count: number): void {
    const unique = count === 1 ? name : `${name} (${count})`;
    const txt = { version: VERSION, path: PATH };
    // Two devices of one name are not to have one host either.
    const host = count === 1 ? `${name}.local` : `${name}-${count}.local`;
    const published = services.map(({ type, hostname, port }) => {
      const disableIPv6 = !hostname.includes(":");
      const service = bonjour.publish({ name: unique, type, port, host, txt, disableIPv6 });
      // Called where the name is taken; the library's own says goodbye for the one that has it.
      service.stop = () => {
        service.activated = false;
      };
      if (isOneAddress(hostname)) nameAlone(service, hostname);
      return service;
    });
    stopAsking = after(timer, ASKED_MS, () => {
      if (published.every(({ activated }) => activated)) return;
      if (count === NAMES) return warn(`advertise: ${NAMES} others are called ${name}`);
      warn(`advertise: another service is called ${unique}: this one is ${name} (${count + 1})`);
      bonjour.unpublishAll(() => announce(count + 1));
    });
  }

  function announceAnew(): void {
    stopAsking();
    bonjour.unpublishAll(() => announce(1));
  }

  function lookForAddresses(): void {
    stopLooking = after(timer, LOOK_MS, lookForAddresses);
    const found = ownAddresses();
    if (found === addresses) return;
    addresses = found;
    announceAnew();
  }

  const stopWatching = console.watch((event, { configuration }) => {
    if (event.type !== "restored" || configuration.device.name === name) return;
    name = configuration.device.name;
    announceAnew();
  });
  socket.on("listening", () => {
    announceAnew();
    lookForAddresses();
  });
  socket.bind(MDNS_PORT);
  return () => {
    stopWatching();
    stopAsking();
    stopLooking();
    return new Promise((resolve) => bonjour.unpublishAll(() => bonjour.destroy(() => resolve())));
  };
}

function ownAddresses(): string {
  return Deno.networkInterfaces().map(({ address }) => address).toSorted().join();
}

function isOwn(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname.startsWith("127.");
}

function isOneAddress(hostname: string): boolean {
  return hostname !== "0.0.0.0" && hostname !== "::";
}

/** Has a service name this address of the machine and no other: it is not to be had at those. */
function nameAlone(service: Service, address: string): void {
  const records = service.records.bind(service);
  service.records = () =>
    records().filter(({ type, data }) => type !== "A" && type !== "AAAA" || data === address);
}
