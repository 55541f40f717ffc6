/**
 * Announces the service in the local network by mDNS and DNS-SD (RFC 6762, 6763), if the
 * configuration has `advertise`: as `_faderd._tcp`, and as `_http._tcp` and `_https._tcp` for
 * browsers, by the name of the device.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { Console } from "../core/console.ts";
import { after, type Timer } from "../core/ports.ts";
import type { Address } from "../runtimes/deno/server.ts";
import { address, type DnsRecord, location, pointer, text } from "./dns-message.ts";
import { openResponder } from "./mdns.ts";
import { warn } from "./print.ts";
import { VERSION } from "./version.ts";

/** The path of the API, which clients find in the TXT record. */
const PATH = "/api/rest";

/** Times in s for which other machines may keep the records. */
const TTL = { type: 28_800, text: 4500, address: 120 };

const NO_MAC = "00:00:00:00:00:00";

/** Interval in ms of the check whether the machine has other addresses. */
const LOOK_MS = 5000;

/** Maximum number of names that are tried: "studio-1", "studio-1 (2)" and so on. */
const NAMES = 9;

/** The addresses of the service; without `https` it listens without TLS only. */
export interface Listening {
  readonly http: Address;
  readonly https?: Address | undefined;
}

/**
 * Advertises a service until it is stopped, also by a new name when the device gets one. If another
 * service of the network has the name, " (2)" is appended to it, and "-2" to the name of the host.
 * The addresses are those on which the service listens. Faults are reported, and the service
 * continues without being advertised. The returned function ends it, and resolves when the network
 * was told.
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
  const responder = await openResponder(timer, (fault) => warn(`advertise: ${reasonOf(fault)}`));
  let stopLooking = () => {};
  let addresses = "";
  let { name } = console.state.configuration.device;

  function claim(count: number): void {
    const own = services.map((service) => recordsOf(service, name, count));
    const names = own.map(([{ target }]) => target!);
    responder.claim(names, distinct(own.flat()), () => {
      if (count === NAMES) return warn(`advertise: ${NAMES} others are called ${name}`);
      const next = numbered(name, count + 1);
      warn(`advertise: another service is called ${numbered(name, count)}: this one is ${next}`);
      claim(count + 1);
    });
  }

  function claimAnew(): void {
    void responder.withdraw();
    claim(1);
  }

  function lookForAddresses(): void {
    stopLooking = after(timer, LOOK_MS, lookForAddresses);
    const found = ownAddresses();
    if (found.join() === addresses) return;
    addresses = found.join();
    responder.join(found.filter((own) => !own.includes(":")));
    claimAnew();
  }

  const stopWatching = console.watch((event, { configuration }) => {
    if (event.type !== "restored" || configuration.device.name === name) return;
    name = configuration.device.name;
    claimAnew();
  });
  lookForAddresses();
  return async () => {
    stopWatching();
    stopLooking();
    await responder.withdraw();
    await responder.close();
  };
}

/** The name of the device, with this number if it is not the first of that name. */
function numbered(name: string, count: number): string {
  return count === 1 ? name : `${name} (${count})`;
}

/** Returns the records of a service; the first leads from its type to its name. */
function recordsOf(
  { type, hostname, port }: { readonly type: string } & Address,
  device: string,
  count: number,
): [DnsRecord, ...DnsRecord[]] {
  const kind = `_${type}._tcp.local`;
  const unique = `${numbered(device, count).replaceAll(".", "-")}.${kind}`;
  // Two devices of one name must not have the same host name either.
  const host = count === 1 ? `${device}.local` : `${device}-${count}.local`;
  const isReached = (own: string) =>
    isOneAddress(hostname) ? own === hostname : hostname.includes(":") || !own.includes(":");
  return [
    pointer(kind, TTL.type, unique),
    location(unique, TTL.address, port, host),
    text(unique, TTL.text, [`version=${VERSION}`, `path=${PATH}`]),
    pointer("_services._dns-sd._udp.local", TTL.address, kind),
    ...ownAddresses().filter(isReached).map((own) => address(host, TTL.address, own)),
  ];
}

/** Removes repeated records, because services of one host have its addresses in common. */
function distinct(records: readonly DnsRecord[]): DnsRecord[] {
  return [...new Map(records.map((one) => [`${one.type} ${one.name} ${one.data}`, one])).values()];
}

/** Returns the addresses by which other machines may reach this machine. */
function ownAddresses(): string[] {
  return Deno.networkInterfaces()
    .filter(({ address, mac }) => !isOwn(address) && mac !== NO_MAC)
    .map(({ address }) => address).toSorted();
}

function isOwn(hostname: string): boolean {
  return hostname === "localhost" || hostname === "::1" || hostname.startsWith("127.");
}

function isOneAddress(hostname: string): boolean {
  return hostname !== "0.0.0.0" && hostname !== "::";
}
