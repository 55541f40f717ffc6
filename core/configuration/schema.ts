/**
 * The configuration is one JSON document, which stands in for the vendor's configuration tool. This
 * schema validates it, fills its defaults and is published as JSON Schema (`faderd config schema`).
 *
 * @module
 */
import * as v from "valibot";
import {
  CONNECTIONS,
  CONNECTIONS_PER_ADDRESS,
  FADES,
  LABEL_LENGTH,
  LIST_PAGE_SIZE,
  MEMORY_BYTES,
  MESSAGE_BYTES,
  READGROUPS,
  REST_BURST,
  REST_PER_SECOND,
  SNAPSHOTS,
  STATE_BYTES,
  WRITEGROUPS,
  WRITES,
} from "../limits.ts";
import { OWN_SITE_KEY } from "../site-key.ts";
import { textFault } from "../tree/leaf.ts";
import { BLOCKS, FADER_BLOCKS } from "../tree/processing.ts";

const whole = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const id = whole(0, 65535);
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const label = v.pipe(
  v.string(),
  v.minLength(1),
  v.check(
    (text) => textFault(text, LABEL_LENGTH.max) === undefined,
    `at most ${LABEL_LENGTH.max} characters, without control characters`,
  ),
  v.transform((text) => text.normalize("NFC")),
);
const dB = v.pipe(v.number(), v.finite());
const count = whole(0, 4096);
const list = <Item extends v.GenericSchema>(item: Item) => v.optional(v.array(item), []);
const limit = (initial: number, least = 0) =>
  v.optional(v.pipe(v.number(), v.integer(), v.minValue(least)), initial);

/** A firmware version has three or four numbers: "10.3.0" or "10.3.0.17". */
const firmware = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}(\.\d{1,5}){2,3}$/, 'a version of three or four numbers, like "10.3.0"'),
);

/**
 * A device is named so in `device.name` here, and in `deviceName` of the settings document NETWORK.
 */
export const deviceName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits, '.', '_', '-'"),
);

const device = v.strictObject({
  name: v.optional(deviceName, "faderd"),
  kind: v.optional(v.picklist(["core", "aes67", "other"]), "core"),
  firmware: v.optional(firmware, "10.3.0"),
  serial: v.optional(name, "000000"),
});

const processing = v.pipe(
  v.array(v.picklist(BLOCKS)),
  v.description(`the blocks of its processing, in order; by default ${FADER_BLOCKS.join(", ")}`),
);

const channel = v.pipe(id, v.minValue(1, "0 stands for no channel"));

const fader = v.strictObject({
  id: v.optional(id),
  channel: v.optional(channel),
  label: v.optional(label),
  processing: v.optional(processing),
});

/** Every resource has a number, and perhaps a name. */
const identified = { id, name: v.optional(name) };

/** A resource without a name is called by what it is, and its number. */
const named = <Written, Item extends { id: number; name?: string | undefined }>(
  what: string,
  item: v.GenericSchema<Written, Item>,
) =>
  v.pipe(item, v.transform((item: Item) => ({ ...item, name: item.name ?? `${what} ${item.id}` })));
const ids = (first: number) => {
  const description = `their ids, or how many there are, from ${first} on`;
  return v.optional(v.pipe(v.union([count, v.array(id)]), v.description(description)), 0);
};

/**
 * The ids of a mixer's parts count from here where the configuration says only how many there are.
 */
export const FIRST_ID = { automix: 1, cleanfeeds: 1, mutegroups: 0 } as const;

const mixer = v.strictObject({
  id: v.optional(id),
  name: v.optional(name),
  faders: v.union([count, v.array(fader)]),
  automix: ids(FIRST_ID.automix),
  cleanfeeds: ids(FIRST_ID.cleanfeeds),
  mutegroups: ids(FIRST_ID.mutegroups),
});

/** A pot has these values, in dB, where its configuration does not say. */
export const POT = { min: -100, max: 20, step: 0.5, value: 0 } as const;

const pot = v.strictObject({
  ...identified,
  min: v.optional(dB, POT.min),
  max: v.optional(dB, POT.max),
  step: v.optional(v.pipe(dB, v.gtValue(0)), POT.step),
  value: v.optional(dB, POT.value),
});

const logic = v.strictObject({
  ...identified,
  path: v.optional(v.string(), ""),
  value: v.optional(v.boolean(), false),
  follows: v.optional(
    v.pipe(
      v.array(channel),
      v.description("true while a fader that carries one of these channels is on and open"),
    ),
  ),
});

const level = v.strictObject({
  ...identified,
  mode: v.optional(v.picklist(["PPM", "VU", "TruePeak"]), "PPM"),
});

const loudness = v.strictObject({ ...identified, mode: v.optional(name, "EBU R128") });

const port = { ...identified, device: v.optional(name), channels: v.optional(count, 2) };
const routedInput = v.optional(v.pipe(id, v.description("the input routed to it at first")));

const routing = v.strictObject({
  inputs: list(named("Input", v.strictObject(port))),
  outputs: list(named("Output", v.strictObject({ ...port, input: routedInput }))),
});

const sides = { left: v.optional(name, "0"), right: v.optional(name, "0") };
const source = v.strictObject({ label, ...sides });
const selector = v.strictObject({ ...identified, sourcelist: v.optional(id), ...sides });
const sourcelist = v.strictObject({
  ...identified,
  id: v.pipe(id, v.minValue(1, "0 stands for no list")),
  entries: list(source),
});

const selectors = v.strictObject({
  selectors: list(named("Selector", selector)),
  sourcelists: list(named("Sources", sourcelist)),
});

const factorySnapshot = v.strictObject({
  id: v.pipe(v.string(), v.uuid(), v.toLowerCase()),
  type: v.picklist([1, 2, 3]),
  name,
  mixer: v.optional(id, 0),
  readgroups: v.optional(whole(READGROUPS.min, READGROUPS.max), 0),
  writegroups: v.optional(whole(WRITEGROUPS.min, WRITEGROUPS.max), 255),
  content: v.record(v.string(), v.any()),
});

/** An origin says where pages are from; those that have none, as in a sandbox, say "null". */
const origin = v.pipe(
  v.string(),
  v.check(
    (text) => text === "null" || text.includes("://") && URL.canParse(text),
    'expected an origin, like "https://panel.example" or "file://", or "null"',
  ),
  v.metadata({ pattern: "^null$|://" }),
);
const origins = v.optional(v.array(origin), []);

const restLimits = v.strictObject({
  burst: limit(REST_BURST),
  perSecond: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0)), REST_PER_SECOND),
  perMinute: v.optional(whole(0, 600), 0),
  trustProxy: v.optional(v.boolean(), false),
});

const writeLimits = v.strictObject({
  perMinute: limit(WRITES.perMinute),
  bytesPerMinute: limit(WRITES.bytesPerMinute),
  burstMinutes: v.optional(v.pipe(v.number(), v.finite(), v.gtValue(0)), WRITES.burstMinutes),
});

const limits = v.strictObject({
  maxMessageBytes: limit(MESSAGE_BYTES, 1024),
  connections: limit(CONNECTIONS, 1),
  connectionsPerAddress: limit(CONNECTIONS_PER_ADDRESS, 1),
  memory: limit(MEMORY_BYTES, 32 * 1024 * 1024),
  fades: limit(FADES, 1),
  snapshots: limit(SNAPSHOTS),
  stateBytes: limit(STATE_BYTES),
  tree: v.optional(v.strictObject({ perSecond: limit(0) }), {}),
  rest: v.optional(restLimits, {}),
  writes: v.optional(writeLimits, {}),
});

const auth = v.pipe(
  v.picklist(["optional", "required"]),
  v.description(
    "required: no interface answers without a token, whatever restApi.auth and websocket.auth say",
  ),
);

/** A host is named so by whoever asks for it; `Host` has the same name, and perhaps a port. */
const host = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?\.?$/,
    'the name of a host without a port, like "console.example"',
  ),
);

const restAuth = v.pipe(
  v.picklist(["optional", "required", "none"]),
  v.description(
    "optional: what says so needs a token, and POST /api/rest; required: every action and all of " +
      "/api/rest; none: /api/rest without one acts as nobody",
  ),
);

const restApi = v.strictObject({
  enabled: v.optional(v.boolean(), true),
  auth: v.optional(restAuth, "optional"),
  writesByGet: v.pipe(
    v.optional(v.boolean(), true),
    v.description("whether GET may write: /api/rest with ?set=, and actions that change anything"),
  ),
  origins,
});

const webSocketAuth = v.picklist(["optional", "required"]);
const websocket = v.strictObject({ auth: v.optional(webSocketAuth, "optional"), origins });
const hooks = v.strictObject({ applied: v.optional(v.pipe(v.string(), v.minLength(1))) });

const audit = v.pipe(
  v.boolean(),
  v.description("whether audit.log in the data folder says who changed what"),
);

const view = v.pipe(
  v.boolean(),
  v.description("whether the service serves the device view, a page that operates the console"),
);

const engine = v.pipe(
  v.picklist(["none", "simulated"]),
  v.description("simulated: meters move as if there were sound"),
);

const storage = v.strictObject({
  onFault: v.pipe(
    v.optional(v.picklist(["play", "refuse"]), "play"),
    v.description(
      "what becomes of changes that cannot be stored; play: those of the live state come into " +
        "force all the same, and are answered with durable false; refuse: each is refused (12)",
    ),
  ),
});

/** The service asks for these licenses, each by its number (service.md). */
export const LICENSES = { rest: "52-8577", externalLists: "52-8583", aes67: "52-8546" } as const;

/** The consoles that exchange snapshots share it; without it they share a published one. */
const siteKey = v.pipe(
  v.union(
    [v.literal(OWN_SITE_KEY), v.pipe(v.string(), v.minLength(16))],
    `at least 16 characters, or "${OWN_SITE_KEY}"`,
  ),
  v.description(`a secret of the site; ${OWN_SITE_KEY}: one that the console makes for itself`),
);

/** A configuration file may hold this. */
export const configurationSchema = v.strictObject({
  $schema: v.optional(v.string()),
  device: v.optional(device, {}),
  licenses: v.optional(v.array(v.string()), Object.values(LICENSES)),
  auth: v.optional(auth, "optional"),
  hosts: list(host),
  restApi: v.optional(restApi, {}),
  websocket: v.optional(websocket, {}),
  siteKey: v.optional(siteKey),
  engine: v.optional(engine, "none"),
  view: v.optional(view, true),
  mixers: list(mixer),
  processings: v.optional(
    v.union([count, v.array(named("Processing", v.strictObject(identified)))]),
    [],
  ),
  globalLabels: list(v.strictObject({ id, label })),
  resources: list(named("Resource", v.strictObject(identified))),
  lists: list(named("List", v.strictObject({ ...identified, pageSize: limit(LIST_PAGE_SIZE, 1) }))),
  logics: list(named("Logic", logic)),
  pots: list(named("Pot", pot)),
  levels: list(named("Level", level)),
  loudness: list(named("Loudness", loudness)),
  routing: v.optional(routing, {}),
  selectors: v.optional(selectors, {}),
  factorySnapshots: list(factorySnapshot),
  limits: v.optional(limits, {}),
  hooks: v.optional(hooks, {}),
  audit: v.optional(audit, true),
  storage: v.optional(storage, {}),
});

/** A configuration is written with the brevity that the schema allows. */
export type WrittenConfiguration = v.InferInput<typeof configurationSchema>;

/** A configuration that passed the schema has its defaults and names, but still its short forms. */
export type ParsedConfiguration = v.InferOutput<typeof configurationSchema>;
