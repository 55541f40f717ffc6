/**
 * The configuration of a hub: one JSON document.
 *
 * @module
 */
import * as v from "valibot";
import { reasonOf } from "../core/errors.ts";
import { parsePem } from "../core/backup/tls.ts";
import type { Tls } from "../core/backup/tls.ts";
import { describeIssue, type Fault, listFaults } from "../core/configuration/faults.ts";
import { optional, whole } from "../core/configuration/schema.ts";
import { directId } from "../fleet/direct/direct.ts";
import { STALE_AFTER_MS } from "../fleet/hub/hub-limits.ts";
import { FLEET_ID, FLEET_ID_FORM } from "../fleet/wire.ts";
import { invalid } from "./configuration-file.ts";
import { Failure } from "./failure.ts";
import { readBytes } from "./named-file.ts";

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const address = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol),
    "expected a ws: or wss: URL",
  ),
);

const direct = v.strictObject({
  id: optional(
    "id by which the fleet knows it; without it, an id that follows from the URL",
    v.pipe(v.string(), v.regex(FLEET_ID, FLEET_ID_FORM)),
  ),
  name: optional("its name in the fleet; without it, the name that it reports", name),
  site: optional("the site that it is at", v.pipe(v.string(), v.maxLength(128)), ""),
  url: v.pipe(address, v.description("where its WebSocket is, like ws://10.0.0.7/api/ws")),
  token: v.pipe(v.string(), v.description("the token of the user by whom the hub logs in there")),
});

const server = v.pipe(
  v.string(),
  v.check(
    (text) => URL.canParse(text) && /^(nats|tls):$/.test(new URL(text).protocol),
    "a nats: or tls: URL",
  ),
);

const nats = v.strictObject({
  kind: v.literal("nats"),
  servers: v.pipe(
    v.array(server),
    v.minLength(1),
    v.description("where the servers are, like tls://nats-a.example:4222"),
  ),
  credentials: optional(
    "file with the seed of an nkey, or with credentials, by which the servers know this hub",
    v.pipe(v.string(), v.minLength(1)),
  ),
  ca: optional(
    "PEM file with the certificates that vouch for the servers; without it, those of the machine",
    v.pipe(v.string(), v.minLength(1)),
  ),
  replicas: optional(
    "number of servers that keep what is stored, where that is not there yet",
    v.picklist([1, 3, 5]),
    3,
  ),
  allowOldServer: optional(
    "whether to accept a server that acknowledges what it has not synced: for trials, never on air",
    v.boolean(),
    false,
  ),
});

const schema = v.strictObject({
  organisation: optional("name of the organisation, which its consoles are told", name, "fleet"),
  name: optional(
    "name of this hub, which its consoles are told; without it, the organisation",
    name,
  ),
  ledger: optional(
    "where the hub keeps what it may not forget: its data folder, nowhere, or servers of NATS, " +
      "which it shares with other hubs",
    v.variant("kind", [v.strictObject({ kind: v.picklist(["files", "memory"]) }), nats]),
    { kind: "files" },
  ),
  anonymous: optional(
    "what a caller without a token of the fleet may do: nothing, or on a console what that allows " +
      "to callers without a token",
    v.picklist(["none", "console"]),
    "none",
  ),
  backup: optional(
    "backups each night of all consoles whose fleet.may is admin",
    v.strictObject({
      at: optional(
        "local time at which they begin; they are spread over two hours",
        v.pipe(v.string(), v.regex(/^([01]\d|2[0-3]):[0-5]\d$/, "a time such as 02:30")),
        "02:30",
      ),
      folder: v.pipe(v.string(), v.minLength(1), v.description("folder, for the owner alone")),
      keep: optional(
        "number of days, the newest with a backup, of which a console keeps its backups",
        whole(1, 3650),
        30,
      ),
    }),
  ),
  staleAfter: optional(
    "time in ms without a sign of a console after which it is stale",
    whole(STALE_AFTER_MS.min, STALE_AFTER_MS.max),
    STALE_AFTER_MS.default,
  ),
  tls: optional(
    "PEM file with the certificate chain and the key, for --listen-tls; SIGHUP reads it again",
    v.pipe(v.string(), v.minLength(1)),
  ),
  hosts: optional(
    'names by which the hub is called, beside that of the machine: needed with anonymous "console"',
    v.array(v.pipe(v.string(), v.minLength(1), v.maxLength(253))),
    [],
  ),
  trustProxy: optional(
    "whether a proxy in front adds the address of the client to X-Forwarded-For",
    v.boolean(),
    false,
  ),
  direct: optional("consoles without an uplink, which the hub dials", v.array(direct), []),
});

/** The configuration of a hub. */
export type HubConfiguration = v.InferOutput<typeof schema>;

/** A console that the hub dials itself. */
export type DirectConsole = HubConfiguration["direct"][number];

/** The servers of NATS that a hub shares with others. */
export type NatsConfiguration = v.InferOutput<typeof nats>;

/** Reads a configuration; without a file, an empty one. Throws {@link Failure}. */
export function loadHubConfiguration(file: string | undefined): HubConfiguration {
  const given = file === undefined ? {} : parseFile(file);
  const parsed = v.safeParse(schema, given);
  const faults = parsed.success
    ? [...listFaults(given, parsed.output), ...doubledIds(parsed.output.direct)]
    : parsed.issues.flatMap((issue) => describeIssue(issue));
  if (faults.length > 0) throw invalid(file, faults);
  return parsed.output as HubConfiguration;
}

/** Reads the certificate and the key of a PEM file; throws {@link Failure}. */
export function readTls(file: string): Tls {
  const tls = parsePem(readBytes(file, `tls: ${file}`))?.tls;
  if (tls !== undefined) return tls;
  throw new Failure(`tls: ${file}: expected certificates and one private key as PEM`);
}

/** Finds consoles with the id of an earlier one: a hub would show one and operate the other. */
function doubledIds(direct: readonly DirectConsole[]): Fault[] {
  const ids = direct.map(directId);
  return ids.flatMap((id, at) => {
    const first = ids.indexOf(id);
    const reason = `"${id}" is already the id of direct.${first}`;
    return first === at ? [] : [{ path: `direct.${at}.id`, reason }];
  });
}

function parseFile(file: string): unknown {
  try {
    return JSON.parse(Deno.readTextFileSync(file).replace(/^\ufeff/, ""));
  } catch (fault) {
    throw new Failure(`${file} cannot be read as JSON: ${reasonOf(fault)}`);
  }
}
