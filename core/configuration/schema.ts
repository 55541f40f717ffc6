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

/** Describes a member: by a sentence that says its unit, and what holds without it. */
const said = <Schema extends v.GenericSchema>(schema: Schema, sentence: string) =>
  v.pipe(schema, v.description(sentence));

const whole = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max));
const id = whole(0, 65535);
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const label = (sentence: string) =>
  v.pipe(
    v.string(),
    v.minLength(1),
    v.check(
      (text) => textFault(text, LABEL_LENGTH.max) === undefined,
      `at most ${LABEL_LENGTH.max} characters, without control characters`,
    ),
    v.description(sentence),
    v.transform((text) => text.normalize("NFC")),
  );
const dB = v.pipe(v.number(), v.finite());
const count = whole(0, 4096);
const list = <Item extends v.GenericSchema>(item: Item, sentence: string) =>
  v.optional(said(v.array(item), sentence), []);
const limit = (sentence: string, initial: number, least = 0) =>
  v.optional(said(v.pipe(v.number(), v.integer(), v.minValue(least)), sentence), initial);
const flag = (sentence: string, initial: boolean) =>
  v.optional(said(v.boolean(), sentence), initial);

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
  name: v.optional(
    said(deviceName, "What the device is called; a restore of NETWORK sets it."),
    "faderd",
  ),
  kind: v.optional(
    said(
      v.picklist(["core", "aes67", "other"]),
      "What kind of device it is, which decides on the tags of its backups.",
    ),
    "core",
  ),
  firmware: v.optional(
    said(firmware, "The firmware version, by which some REST actions are there or not."),
    "10.3.0",
  ),
  serial: v.optional(said(name, "The serial number of the hardware."), "000000"),
});

const processing = said(
  v.array(v.picklist(BLOCKS)),
  `The blocks of its processing, in order. Without it: ${FADER_BLOCKS.join(", ")}.`,
);

const channel = v.pipe(id, v.minValue(1, "0 stands for no channel"));

const fader = v.strictObject({
  id: v.optional(
    said(id, "The number of the fader in its mixer. Without it, its place in the list, from 0."),
  ),
  channel: v.optional(
    said(
      channel,
      "The ID of the fader channel that it carries at first, unique in the device. " +
        "Without it, the next that is free.",
    ),
  ),
  label: v.optional(
    label(
      "What its channel is called until somebody labels it. Without it, Fader and its place, " +
        "counted from 1.",
    ),
  ),
  processing: v.optional(processing),
});

/** Every resource has a number, and perhaps a name. */
const identified = {
  id: said(id, "Its number, unique among its kind."),
  name: v.optional(said(name, "What it is called. Without it, what it is, and its number.")),
};

/** A resource without a name is called by what it is, and its number. */
const named = <Written, Item extends { id: number; name?: string | undefined }>(
  what: string,
  item: v.GenericSchema<Written, Item>,
) =>
  v.pipe(item, v.transform((item: Item) => ({ ...item, name: item.name ?? `${what} ${item.id}` })));
const ids = (what: string, first: number) =>
  v.optional(
    said(
      v.union([count, v.array(id)]),
      `The ${what}: a list of their numbers, or how many there are, from ${first} on.`,
    ),
    0,
  );

/**
 * The ids of a mixer's parts count from here where the configuration says only how many there are.
 */
export const FIRST_ID = { automix: 1, cleanfeeds: 1, mutegroups: 0 } as const;

const mixer = v.strictObject({
  id: v.optional(
    said(id, "The number of the mixer. Without it, its place in the list, from 0."),
  ),
  name: v.optional(
    said(name, "What the mixer is called. Without it, Mixer and its place, counted from 1."),
  ),
  faders: said(v.union([count, v.array(fader)]), "Its faders: a list, or how many there are."),
  automix: ids("automix groups", FIRST_ID.automix),
  cleanfeeds: ids("clean feeds", FIRST_ID.cleanfeeds),
  mutegroups: ids("mute groups", FIRST_ID.mutegroups),
});

/** A pot has these values, in dB, where its configuration does not say. */
export const POT = { min: -100, max: 20, step: 0.5, value: 0 } as const;

const pot = v.strictObject({
  ...identified,
  min: v.optional(said(dB, "The lowest value, in dB."), POT.min),
  max: v.optional(said(dB, "The highest value, in dB."), POT.max),
  step: v.optional(said(v.pipe(dB, v.gtValue(0)), "The step of its value, in dB."), POT.step),
  value: v.optional(said(dB, "The value that it has at first, in dB."), POT.value),
});

const logic = v.strictObject({
  ...identified,
  path: v.optional(said(v.string(), "Where views list it, with slashes between."), ""),
  value: flag("The value that it has at first.", false),
  follows: v.optional(
    said(
      v.array(channel),
      "Fader channels: it is true while a fader that carries one of them is on and open. " +
        "Without it, it is what somebody sets.",
    ),
  ),
});

const level = v.strictObject({
  ...identified,
  mode: v.optional(said(v.picklist(["PPM", "VU", "TruePeak"]), "How the meter measures."), "PPM"),
});

const loudness = v.strictObject({
  ...identified,
  mode: v.optional(said(name, "By which recommendation it measures."), "EBU R128"),
});

const port = {
  ...identified,
  device: v.optional(said(name, "The device that has it. Without it, none is named.")),
  channels: v.optional(said(count, "How many channels it has."), 2),
};
const routedInput = v.optional(
  said(id, "The number of the input that is routed to it at first. Without it, none is."),
);

const routing = v.strictObject({
  inputs: list(named("Input", v.strictObject(port)), "What can be routed."),
  outputs: list(
    named("Output", v.strictObject({ ...port, input: routedInput })),
    "Where it can be routed to.",
  ),
});

const sides = {
  left: v.optional(said(name, "The source of the left side; 0 is none."), "0"),
  right: v.optional(said(name, "The source of the right side; 0 is none."), "0"),
};
const source = v.strictObject({
  label: label("What the source is called."),
  ...sides,
});
const selector = v.strictObject({
  ...identified,
  sourcelist: v.optional(
    said(id, "The number of the list that it selects from. Without it, none is named."),
  ),
  ...sides,
});
const sourcelist = v.strictObject({
  ...identified,
  id: said(
    v.pipe(id, v.minValue(1, "0 stands for no list")),
    "Its number, unique among the lists of sources.",
  ),
  entries: list(source, "The sources, in order."),
});

const selectors = v.strictObject({
  selectors: list(named("Selector", selector), "The selectors."),
  sourcelists: list(named("Sources", sourcelist), "The lists of sources that they select from."),
});

const factorySnapshot = v.strictObject({
  id: said(v.pipe(v.string(), v.uuid(), v.toLowerCase()), "Its UUID."),
  type: said(v.picklist([1, 2, 3]), "The number of its type: 1 channel, 2 mixer, 3 processing."),
  name: said(name, "What it is called."),
  mixer: v.optional(said(id, "The number of the mixer that it is listed under."), 0),
  readgroups: v.optional(
    said(
      whole(READGROUPS.min, READGROUPS.max),
      "A bitmask of the user groups that may load it; 0 is everyone.",
    ),
    0,
  ),
  writegroups: v.optional(
    said(
      whole(WRITEGROUPS.min, WRITEGROUPS.max),
      "A bitmask of the user groups that it names as those that may change it; nobody can.",
    ),
    255,
  ),
  content: said(
    v.record(v.string(), v.any()),
    "What it sets: a part of the control tree, below what it is loaded to.",
  ),
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

const restLimits = v.strictObject({
  burst: limit(
    "How many REST actions an address may ask for in one second; 0 lifts all limits of actions.",
    REST_BURST,
  ),
  perSecond: v.optional(
    said(
      v.pipe(v.number(), v.finite(), v.gtValue(0)),
      "How many REST actions a second an address may ask for on average.",
    ),
    REST_PER_SECOND,
  ),
  perMinute: v.optional(
    said(
      whole(0, 600),
      "How many REST actions a minute an address may ask for; 0 lifts the limit.",
    ),
    0,
  ),
  trustProxy: flag(
    "Whether a proxy of yours is in front, whose X-Forwarded-For says who asks.",
    false,
  ),
});

const writeLimits = v.strictObject({
  perMinute: limit(
    "How many changes a minute an address, and a user, may make; 0 lifts the limit.",
    WRITES.perMinute,
  ),
  bytesPerMinute: limit(
    "How many bytes a minute an address, and a user, may have stored; 0 lifts the limit.",
    WRITES.bytesPerMinute,
  ),
  burstMinutes: v.optional(
    said(
      v.pipe(v.number(), v.finite(), v.gtValue(0)),
      "Of how many minutes what was not used may be used at once.",
    ),
    WRITES.burstMinutes,
  ),
});

const limits = v.strictObject({
  maxMessageBytes: limit("How many bytes a message may have.", MESSAGE_BYTES, 1024),
  connections: limit("How many WebSockets may be open.", CONNECTIONS, 1),
  connectionsPerAddress: limit(
    "How many connections, and requests under way, an address may have.",
    CONNECTIONS_PER_ADDRESS,
    1,
  ),
  memory: limit(
    "How many bytes clients may make the service take, over what it takes when it is idle.",
    MEMORY_BYTES,
    32 * 1024 * 1024,
  ),
  fades: limit("How many faders may move at the same time.", FADES, 1),
  snapshots: limit("How many snapshots of a type may be saved.", SNAPSHOTS),
  stateBytes: limit(
    "How many bytes snapshots, pictures, settings and users may have together.",
    STATE_BYTES,
  ),
  tree: v.optional(
    said(
      v.strictObject({
        perSecond: limit(
          "How many GET requests a second an address may make; 0 lifts the limit.",
          0,
        ),
      }),
      "The limits of GET /api/rest.",
    ),
    {},
  ),
  rest: v.optional(said(restLimits, "The limits of REST actions."), {}),
  writes: v.optional(said(writeLimits, "The limits of changes."), {}),
});

const auth = said(
  v.picklist(["optional", "required"]),
  "Whether anybody is answered without a token; required: nobody is, by any interface, " +
    "whatever restApi.auth and websocket.auth say.",
);

const anonymous = said(
  v.picklist(["operate", "view", "none"]),
  "What a caller without a token may do, by any interface; operate: whatever needs no user; view: " +
    'read; none: nothing, as with auth "required".',
);

/** A host is named so by whoever asks for it; `Host` has the same name, and perhaps a port. */
const host = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?\.?$/,
    'the name of a host without a port, like "console.example"',
  ),
);

const restAuth = said(
  v.picklist(["optional", "required", "none"]),
  "What needs a token over HTTP; optional: what says so, and POST /api/rest; required: every " +
    "action and all of /api/rest; none: /api/rest without one acts as nobody.",
);

const restApi = v.strictObject({
  enabled: flag("Whether the REST actions are there.", true),
  auth: v.optional(restAuth, "optional"),
  writesByGet: flag(
    "Whether GET may write: /api/rest with ?set=, and actions that change anything.",
    true,
  ),
  origins: list(origin, "The origins whose pages may ask over HTTP, beside the service's own."),
});

const websocket = v.strictObject({
  auth: v.optional(
    said(
      v.picklist(["optional", "required"]),
      "Whether a WebSocket is answered without a login; required: nothing is, but auth.",
    ),
    "optional",
  ),
  origins: list(origin, "The origins whose pages may open a WebSocket, beside the service's own."),
});

const hooks = v.strictObject({
  applied: v.optional(
    said(
      v.pipe(v.string(), v.minLength(1)),
      "A program that is run for each settings document that a restore applied, with its tag. " +
        "Without it, none is.",
    ),
  ),
});

const storage = v.strictObject({
  onFault: v.optional(
    said(
      v.picklist(["play", "refuse"]),
      "What becomes of changes that cannot be stored; play: those of the live state come into " +
        "force all the same, and are answered with durable false; refuse: each is refused (12).",
    ),
    "play",
  ),
});

/** The service asks for these licenses, each by its number (service.md). */
export const LICENSES = { rest: "52-8577", externalLists: "52-8583", aes67: "52-8546" } as const;

/** The consoles that exchange snapshots share it; without it they share a published one. */
const siteKey = said(
  v.union(
    [v.literal(OWN_SITE_KEY), v.pipe(v.string(), v.minLength(16))],
    `at least 16 characters, or "${OWN_SITE_KEY}"`,
  ),
  `A secret that the consoles of a site share; ${OWN_SITE_KEY}: one that the console makes for ` +
    "itself. Without it, a published one.",
);

/** A configuration file may hold this. */
export const configurationSchema = v.strictObject({
  $schema: v.optional(
    said(
      v.string(),
      "Where the JSON Schema of this file is, by which an editor tells what each member means. " +
        "Without it, an editor tells nothing; the service does not look at it.",
    ),
  ),
  device: v.optional(said(device, "Who the console is."), {}),
  licenses: v.optional(
    said(
      v.array(v.string()),
      `The numbers of the licenses: ${LICENSES.rest} for REST actions, ` +
        `${LICENSES.externalLists} for external lists, ${LICENSES.aes67} for AES67CONFIG.`,
    ),
    Object.values(LICENSES),
  ),
  auth: v.optional(auth, "optional"),
  anonymous: v.optional(anonymous, "operate"),
  hosts: list(host, "Names by which the service may be called, beside its own and addresses."),
  restApi: v.optional(said(restApi, "The REST actions, and /api/rest."), {}),
  websocket: v.optional(said(websocket, "The WebSocket, /api/ws."), {}),
  siteKey: v.optional(siteKey),
  engine: v.optional(
    said(
      v.picklist(["none", "simulated"]),
      "What plays the sound; simulated: meters move as if there were some.",
    ),
    "none",
  ),
  view: flag("Whether the service serves the device view, a page that operates the console.", true),
  mixers: list(mixer, "The virtual mixers."),
  processings: v.optional(
    said(
      v.union([count, v.array(named("Processing", v.strictObject(identified)))]),
      "The flex processings: a list, or how many there are.",
    ),
    [],
  ),
  globalLabels: list(
    v.strictObject({
      id: said(id, "Its number, unique among the global labels."),
      label: label("What it says until somebody sets it."),
    }),
    "The labels of the console as a whole.",
  ),
  resources: list(
    named("Resource", v.strictObject(identified)),
    "What may have a picture.",
  ),
  lists: list(
    named(
      "List",
      v.strictObject({
        ...identified,
        pageSize: limit("How many entries a page has.", LIST_PAGE_SIZE, 1),
      }),
    ),
    "The external lists of buttons.",
  ),
  logics: list(named("Logic", logic), "The switches of the console."),
  pots: list(named("Pot", pot), "The knobs of the console."),
  levels: list(named("Level", level), "The level meters."),
  loudness: list(named("Loudness", loudness), "The loudness meters."),
  routing: v.optional(said(routing, "What can be routed to where."), {}),
  selectors: v.optional(said(selectors, "What selects one of several sources."), {}),
  factorySnapshots: list(factorySnapshot, "Snapshots that are always there, and never change."),
  limits: v.optional(said(limits, "How much clients may ask for."), {}),
  hooks: v.optional(said(hooks, "Programs that the service runs."), {}),
  audit: flag("Whether audit.log in the data folder says who changed what.", true),
  metrics: flag("Whether GET /metrics tells what the service counts of itself.", false),
  advertise: flag("Whether the service says in the local network, by mDNS, where it is.", false),
  storage: v.optional(said(storage, "The medium of the data folder."), {}),
});

/** A configuration is written with the brevity that the schema allows. */
export type WrittenConfiguration = v.InferInput<typeof configurationSchema>;

/** A configuration that passed the schema has its defaults and names, but still its short forms. */
export type ParsedConfiguration = v.InferOutput<typeof configurationSchema>;
