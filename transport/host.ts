/**
 * The names by which a request may address this service (decisions.md, "pages"). A page of another
 * site can make its own name resolve to this machine ("DNS rebinding"): to the browser its requests
 * are then same-origin. But they cannot carry a name that this service really has.
 *
 * @module
 */
import { refuse } from "../core/errors.ts";
import { shown } from "../core/shown.ts";
import { refusedEitherWay } from "./json-answers.ts";

/** The names of a service: of its device, and others. */
export interface OwnNames {
  readonly device: { readonly name: string };
  readonly hosts: readonly string[];
}

/** The host that a request was sent to, with its port: its `Host`, or `:authority` of HTTP/2. */
export function hostOf({ headers, url }: Request): string {
  return headers.get("host") ?? new URL(url).host;
}

/**
 * Whether a request addresses this service by an IP address, `localhost`, the name of the machine
 * or of the device (also as mDNS has it), or one in `hosts` of the configuration. The port does not
 * count.
 */
export function isAllowedHost(
  request: Request,
  configuration: OwnNames,
  machineName?: string,
): boolean {
  const { host, hostname } = new URL(request.url);
  const given = hostOf(request);
  // The host in an absolute target, as sent to proxies, counts in addition to `Host`.
  const called = given === host
    ? [hostname]
    : [hostname, parsedUrl(`http://${given}`)?.hostname ?? ""];
  return called.every((name) => ADDRESS.test(name) || isOurs(name, configuration, machineName));
}

function isOurs(
  hostname: string,
  { device, hosts }: OwnNames,
  machineName: string | undefined,
): boolean {
  const name = nameOf(hostname);
  const own = [device.name, machineName ?? device.name].map(nameOf);
  const isOne = (ours: string) =>
    name === ours || name.startsWith(ours) && IN_MDNS.test(name.slice(ours.length));
  return name === "localhost" || own.some(isOne) || hosts.some((listed) => nameOf(listed) === name);
}

/**
 * The end of a name in mDNS, with a number if another machine has the name, up to the number of
 * names that `program/advertise.ts` tries. Only machines of the
 * local network can make such a name resolve, and these can take the name without a number, too.
 */
const IN_MDNS = /^(-[2-9])?\.local$/;

/** An IP address in the normal form of a URL. */
const ADDRESS = /^(\d+(\.\d+){3}|\[[\da-f:.]+\])$/;

/** Returns the normal form of a name: case and a dot at the end do not count. */
function nameOf(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

/** The answer to a request that addresses this service by a foreign name. */
export function misdirected(request: Request): Response {
  const refusal = refuse(
    "noRight",
    "expected an IP address, localhost, the name of the machine or of the device, or one that is " +
      `listed in hosts of the configuration, got ${shown(hostOf(request))}`,
    "Host",
  );
  return refusedEitherWay(421, refusal);
}

/**
 * Reads a URL; undefined for any other text. (The first releases of Node 20 have no `URL.parse`.)
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
