/**
 * The messages of a start: its addresses, and remarks on problems that the owner should solve.
 *
 * @module
 */
import type { Configuration } from "../core/configuration/configuration.ts";
import { remarksOn } from "../core/configuration/remarks.ts";
import { unknownPaths } from "../core/configuration/unknown.ts";
import type { Console } from "../core/console.ts";
import { gainByLoggingOut, mayWithoutToken } from "../core/users/may.ts";
import { gateOf } from "../transport/action-api/gate.ts";
import type { Address } from "../runtimes/deno/server.ts";
import { siteKeyRemark } from "../runtimes/site-key.ts";
import {
  needsTokenForActions,
  needsTokenOverWebSocket,
  needsTokenToGet,
  needsTokenToPost,
} from "../transport/request-token.ts";
import { type EventLog, noLog } from "./event-log.ts";
import { type Listeners, urlOf } from "./listeners.ts";
import { announce } from "./print.ts";
import { VERSION } from "./version.ts";

/** Maximum number of unknown paths that are named; further ones are only counted. */
const NAMED_PATHS = 5;

/** The parameters of a started service. */
export interface Started {
  /** The configuration file; undefined for the demo console. */
  readonly source: string | undefined;
  readonly data: string;
  readonly listeners: Pick<Listeners, "http" | "https">;
  /** The address of Ember+; undefined without Ember+. */
  readonly ember?: Address | undefined;
  /** The address of ECP; undefined without ECP. */
  readonly ecp?: Address | undefined;
}

/** Prints the addresses of the service, and its configuration. */
export function sayStarted(
  { state }: Console,
  { source, data, listeners, ember, ecp }: Started,
  tell: EventLog,
): void {
  const http = urlOf(listeners.http);
  const https = listeners.https && urlOf(listeners.https, "https");
  const missing = https !== undefined && state.tls === undefined;
  if (tell === noLog) {
    announce(`faderd ${VERSION} on ${http}, ${source ?? "the embedded demo console"}`);
    if (https) announce(`HTTPS on ${https}${missing ? ", once a certificate is restored" : ""}`);
    if (ember) announce(`Ember+ on ${portOf(ember)}`);
    if (ecp) announce(`ECP on ${portOf(ecp)}`);
  }
  tell("info", "started", {
    version: VERSION,
    http,
    https,
    certificate: missing ? "none" : undefined,
    ember: ember && portOf(ember),
    ecp: ecp && portOf(ecp),
    configuration: source ?? "demo",
    data,
    pid: Deno.pid,
  });
}

/** Returns the problems that the owner should solve, a sentence for each. */
export function startRemarks(
  console: Console,
  { data, listeners: { http, https }, ember, ecp, isViewMissing }: Started & {
    readonly isViewMissing: boolean;
  },
): string[] {
  const { state } = console;
  const { configuration } = state;
  const sentences = [
    isViewMissing
      ? "there is no device view: run deno task view, or start with --no-view"
      : undefined,
    unknownValues(console, data),
    siteKeyRemark(configuration),
    ...remarksOn(configuration),
    openFolder(data),
    forbiddenHook(configuration),
    tracesWithTokens(),
    openToAnybody(configuration, [http, ...(https ? [https] : [])]),
    openToForgedAddresses(configuration, [http, ...(https ? [https] : [])]),
    openWithoutUsers("ember", configuration, ember),
    openWithoutUsers("ecp", configuration, ecp),
    gainByLoggingOut(state),
  ];
  return sentences.filter((sentence) => sentence !== undefined);
}

/** Returns a remark on stored values of resources that the configuration does not have. */
function unknownValues({ state }: Console, data: string): string | undefined {
  const paths = unknownPaths(state);
  if (paths.length === 0) return undefined;
  const named = paths.slice(0, NAMED_PATHS).join(", ");
  const more = paths.length > NAMED_PATHS ? ` and ${paths.length - NAMED_PATHS} more` : "";
  return `${data} holds values that this configuration has no place for: ${named}${more}; ` +
    "they are kept until faderd log drop-unknown removes them";
}

/** Returns a remark if other users of this machine can read the data folder. */
function openFolder(data: string): string | undefined {
  const mode = modeOf(data);
  if (mode === null || (mode & OTHERS) === 0) return undefined;
  const octal = (mode & EVERYBODY).toString(8);
  return `${data} is open to others on this machine (mode ${octal}); close it: chmod 700 ${data}`;
}

/** Returns the mode of a folder; null if the file system has none, or the folder cannot be read. */
function modeOf(data: string): number | null {
  try {
    return Deno.statSync(data).mode;
  } catch {
    return null;
  }
}

/** Bits of the mode of a file: the permissions of everybody, and those of others than the owner. */
const EVERYBODY = 0o777;
const OTHERS = 0o077;

/** Returns a remark if this process may not run the program `hooks.applied`. */
function forbiddenHook({ hooks: { applied } }: Configuration): string | undefined {
  if (applied === undefined) return undefined;
  const { state } = Deno.permissions.querySync({ name: "run", command: applied });
  if (state === "granted") return undefined;
  return `hooks.applied may not be run: start with --allow-run=${applied}`;
}

/** Returns a remark if Deno sends traces, which contain the whole URL of each request. */
function tracesWithTokens(): string | undefined {
  const telemetry: unknown = Reflect.get(globalThis, OPEN_TELEMETRY);
  const traces = typeof telemetry === "object" && telemetry !== null && "trace" in telemetry;
  if (!traces) return undefined;
  return "OTEL_DENO sends a trace of each request with its full URL, including a token in it " +
    "(Token=); to have metrics alone set OTEL_DENO_TRACING=false";
}

/**
 * The symbol under which Deno has its settings of OpenTelemetry; reading the environment would need
 * a permission.
 */
const OPEN_TELEMETRY = Symbol.for("opentelemetry.js.api.1");

/**
 * Returns a remark if other machines may write without a token, with the setting that forbids it;
 * undefined if they may not.
 */
export function openToAnybody(
  configuration: Configuration,
  addresses: readonly Address[],
): string | undefined {
  const where = beyondThisMachine(addresses);
  const noActions = needsTokenForActions(configuration) || gateOf(configuration) !== undefined;
  const closed = mayWithoutToken(configuration) === "view" ||
    needsTokenOverWebSocket(configuration) && needsTokenToGet(configuration) &&
      needsTokenToPost(configuration) && noActions;
  if (where === "" || closed) return undefined;
  return `anyone who reaches ${where} may write without a token; to change that set auth to ` +
    '"required" in the configuration';
}

/**
 * Returns a remark if clients other than a proxy of this machine can claim any address, with the
 * ways to prevent that.
 */
export function openToForgedAddresses(
  { limits }: Configuration,
  addresses: readonly Address[],
): string | undefined {
  const where = beyondThisMachine(addresses);
  if (where === "" || !limits.rest.trustProxy) return undefined;
  return `limits.rest.trustProxy lets anyone who reaches ${where} claim any address; ` +
    "listen on 127.0.0.1, or let nobody but the proxy reach it";
}

function beyondThisMachine(addresses: readonly Address[]): string {
  return addresses.filter(({ hostname }) => !LOOPBACK.test(hostname)).map(portOf).join(" or ");
}

/** The interfaces that know no users, by their members of the configuration. */
const WITHOUT_USERS = { ember: "Ember+", ecp: "ECP" } as const;

/** Returns a remark if other machines may make changes over an interface that knows no users. */
export function openWithoutUsers(
  member: keyof typeof WITHOUT_USERS,
  { [member]: configured }: Configuration,
  address: Address | undefined,
): string | undefined {
  if (configured === undefined || address === undefined || configured.may === "view") {
    return undefined;
  }
  if (LOOPBACK.test(address.hostname)) return undefined;
  return `anyone who reaches ${portOf(address)} may ${configured.may} over ` +
    `${WITHOUT_USERS[member]}, which knows no users; ` +
    `to change that set ${member}.may to "view" in the configuration`;
}

function portOf({ hostname, port }: Address): string {
  return `${hostname} port ${port}`;
}

/** Addresses that only this machine can reach. */
const LOOPBACK = /^(localhost|::1|(::ffff:)?127\.[\d.]+)$/i;
