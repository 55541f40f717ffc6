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
import { MAY } from "../users/user.ts";
import { readHubAddress } from "./hub-address.ts";
import { readListenAddress } from "./listen-address.ts";
import { clashOf, EMBER_ELEMENTS, type EmberElement } from "./ember-elements.ts";

/** Describes a member by a sentence with its unit and its default. */
const said = <Schema extends v.GenericSchema>(sentence: string, schema: Schema) =>
  v.pipe(schema, v.description(sentence));

/** An optional member, described by a sentence, with the default `initial`. */
export const optional = <
  Schema extends v.GenericSchema,
  const Initial extends v.Default<Schema, undefined> = undefined,
>(
  sentence: string,
  schema: Schema,
  initial?: Initial,
) => v.optional(said(sentence, schema), initial as Initial);

/** An integer in a range. */
export const whole = (min: number, max: number) =>
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
const rate = v.pipe(v.number(), v.finite(), v.gtValue(0));
const list = <Item extends v.GenericSchema>(sentence: string, item: Item) =>
  v.optional(said(sentence, v.array(item)), []);
const limit = (sentence: string, initial: number, least = 0) =>
  optional(sentence, v.pipe(v.number(), v.integer(), v.minValue(least)), initial);
const flag = (sentence: string, initial: boolean) => optional(sentence, v.boolean(), initial);

/** A firmware version has three or four numbers: "10.3.0" or "10.3.0.17". */
const firmware = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}(\.\d{1,5}){2,3}$/, 'a version of three or four numbers, like "10.3.0"'),
);

/** The name of a device: `device.name`, and `deviceName` of the settings document NETWORK. */
export const deviceName = v.pipe(
  v.string(),
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits, '.', '_', '-'"),
);

/** The name of a console whose configuration has no name. */
export const DEFAULT_NAME = "faderd";

const device = v.strictObject({
  name: optional("The name of the device; a restore of NETWORK sets it.", deviceName, DEFAULT_NAME),
  kind: optional(
    "The kind of the device, which decides on the tags of its backups.",
    v.picklist(["core", "aes67", "other"]),
    "core",
  ),
  firmware: optional(
    "The version of the firmware, on which some REST actions depend.",
    firmware,
    "10.3.0",
  ),
  serial: optional("The serial number of the hardware.", name, "000000"),
});

const channel = v.pipe(id, v.minValue(1, "0 stands for no channel"));

const fader = v.strictObject({
  id: optional("The number of the fader in its mixer. Without it, its index in the list.", id),
  channel: optional(
    "The ID of the fader channel that it carries at first, unique in the device. " +
      "Without it, the lowest that is free.",
    channel,
  ),
  label: v.optional(
    label(
      "The label of its channel until somebody sets one. Without it, Fader and its place from 1.",
    ),
  ),
  category: optional("What it is for, such as Mic. Without it, nothing is said.", name),
  processing: optional(
    `The blocks of its processing, in order. Without it: ${FADER_BLOCKS.join(", ")}.`,
    v.array(v.picklist(BLOCKS)),
  ),
});

/** Every resource has a number, and perhaps a name. */
const identified = {
  id: said("Its number, unique among its kind.", id),
  name: optional("Its name. Without it, its kind and its number.", name),
};

/** A resource; without a name it is called by its kind and its number. */
const named = <Entries extends v.ObjectEntries>(kind: string, entries: Entries) =>
  v.pipe(
    v.strictObject({ ...entries, ...identified }),
    v.transform((item) => ({ ...item, name: item.name ?? `${kind} ${item.id}` })),
  );
const ids = (what: string, first: number) =>
  optional(
    `The ${what}: a list of their numbers, or how many there are, from ${first} on.`,
    v.union([count, v.array(id)]),
    0,
  );

/** The first id of the parts of a mixer, if the configuration gives only their number. */
export const FIRST_ID = { automix: 1, cleanfeeds: 1, mutegroups: 0, buses: 1 } as const;

const mixer = v.strictObject({
  id: optional("The number of the mixer. Without it, its index in the list.", id),
  name: optional("The name of the mixer. Without it, Mixer and its place from 1.", name),
  faders: said("Its faders: a list, or how many there are.", v.union([count, v.array(fader)])),
  automix: ids("automix groups", FIRST_ID.automix),
  cleanfeeds: ids("clean feeds", FIRST_ID.cleanfeeds),
  mutegroups: ids("mute groups", FIRST_ID.mutegroups),
  buses: ids("buses that its faders send to", FIRST_ID.buses),
});

/** The defaults of a pot, in dB. */
export const POT = { min: -101, max: 0, step: 0.5, value: 0 } as const;

const pot = {
  min: optional("Its lowest value, in dB.", dB, POT.min),
  max: optional("Its highest value, in dB.", dB, POT.max),
  step: optional("The step of its value, in dB.", v.pipe(dB, v.gtValue(0)), POT.step),
  value: optional("Its initial value, in dB.", dB, POT.value),
};

const logic = {
  path: optional("The folder in which views list it, with slashes between.", v.string(), ""),
  value: flag("Its initial value.", false),
  follows: optional(
    "Fader channels: it is true while a fader that carries one of them is on and open. " +
      "Without it, clients set it.",
    v.array(channel),
  ),
  channel: optional(
    "The channel of the outputs (GPO) that follow it, such as 1.2.3. Without it, none does.",
    name,
  ),
};

const gpio = {
  channel: optional(
    "The channel of the hardware that it is connected to at first, such as 1.2.3.",
    v.pipe(v.string(), v.maxLength(64)),
    "",
  ),
};

const streams = (direction: string) =>
  limit(`Maximum number of streams that the device ${direction}.`, 32);

const aes67 = v.strictObject({
  streams: list(
    "The streams of audio over IP.",
    named("Stream", { channels: optional("The number of its channels.", count, 2) }),
  ),
  maxrxstreams: streams("receives"),
  maxtxstreams: streams("sends"),
  limited16x16: flag("Whether the device is limited to 16 channels in and 16 out.", false),
  extendedfeature: flag("Whether the device has the extended features.", false),
});

const port = {
  device: optional("The device that has it. Without it, none is named.", name),
  channels: optional("The number of its channels.", count, 2),
};
const routing = v.strictObject({
  inputs: list(
    "The sources of routes.",
    named("Input", {
      ...port,
      again: flag("Whether it has an analogue gain.", false),
      p48: flag("Whether it has phantom power.", false),
    }),
  ),
  outputs: list(
    "The destinations of routes.",
    named("Output", {
      ...port,
      input: optional("The number of the input routed to it at first. Without it, none is.", id),
    }),
  ),
});

const sides = {
  left: optional("The source of the left side; 0 is none.", name, "0"),
  right: optional("The source of the right side; 0 is none.", name, "0"),
};
const sourcelist = v.pipe(
  v.strictObject({
    ...identified,
    id: said(
      "Its number, unique among the lists of sources.",
      v.pipe(id, v.minValue(1, "0 stands for no list")),
    ),
    entries: list(
      "The sources, in order.",
      v.strictObject({ label: label("The label of the source."), ...sides }),
    ),
  }),
  v.transform((item) => ({ ...item, name: item.name ?? `Sources ${item.id}` })),
);
const selectors = v.strictObject({
  selectors: list(
    "The selectors.",
    named("Selector", {
      sourcelist: optional(
        "The number of the list that it selects from. Without it, none is named.",
        id,
      ),
      ...sides,
    }),
  ),
  sourcelists: list("The lists of sources that they select from.", sourcelist),
});

const factorySnapshot = v.strictObject({
  id: said("Its UUID.", v.pipe(v.string(), v.uuid(), v.toLowerCase())),
  type: said("The number of its type: 1 channel, 2 mixer, 3 processing.", v.picklist([1, 2, 3])),
  name: said("Its name.", name),
  mixer: optional("The number of the mixer that it is listed under.", id, 0),
  readgroups: optional(
    "A bitmask of the user groups that may load it; 0 is everyone.",
    whole(READGROUPS.min, READGROUPS.max),
    0,
  ),
  writegroups: optional(
    "A bitmask of the user groups that are listed as its write groups; nobody can change it.",
    whole(WRITEGROUPS.min, WRITEGROUPS.max),
    255,
  ),
  content: said(
    "Its values: a part of the control tree, below what it is loaded to.",
    v.record(v.string(), v.any()),
  ),
});

/** The origin of pages; pages without one, as in a sandbox, send "null". */
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
    "Maximum number of REST actions of an address in one second; 0 lifts all limits of actions.",
    REST_BURST,
  ),
  perSecond: optional(
    "Average number of REST actions of an address per second.",
    rate,
    REST_PER_SECOND,
  ),
  perMinute: optional(
    "Maximum number of REST actions of an address per minute; 0 lifts the limit.",
    whole(0, 600),
    0,
  ),
  trustProxy: flag("Whether the X-Forwarded-For of a proxy in front names the client.", false),
});

const writeLimits = v.strictObject({
  perMinute: limit(
    "Maximum number of changes per minute of an address, and of a user; 0 lifts the limit.",
    WRITES.perMinute,
  ),
  bytesPerMinute: limit(
    "Maximum number of bytes stored per minute for an address, and for a user; 0 lifts the limit.",
    WRITES.bytesPerMinute,
  ),
  burstMinutes: optional(
    "The number of minutes whose unused rest may be used at once.",
    rate,
    WRITES.burstMinutes,
  ),
});

const limits = v.strictObject({
  maxMessageBytes: limit("Maximum number of bytes of a message.", MESSAGE_BYTES, 1024),
  connections: limit("Maximum number of open WebSockets.", CONNECTIONS, 1),
  connectionsPerAddress: limit(
    "Maximum number of connections and requests in progress per address.",
    CONNECTIONS_PER_ADDRESS,
    1,
  ),
  memory: limit(
    "Maximum number of bytes of memory for clients, beyond idle.",
    MEMORY_BYTES,
    32 * 1024 * 1024,
  ),
  fades: limit("Maximum number of faders that move at the same time.", FADES, 1),
  snapshots: limit("Maximum number of saved snapshots of a type.", SNAPSHOTS),
  stateBytes: limit(
    "Maximum number of bytes of all snapshots, pictures, settings and users.",
    STATE_BYTES,
  ),
  tree: optional(
    "The limits of GET /api/rest.",
    v.strictObject({
      perSecond: limit("Maximum number of GET requests of an address per second; 0: no limit.", 0),
    }),
    {},
  ),
  rest: optional("The limits of REST actions.", restLimits, {}),
  writes: optional("The limits of changes.", writeLimits, {}),
});

/** The name of a host in `Host`, there perhaps with a port. */
const host = v.pipe(
  v.string(),
  v.regex(
    /^[A-Za-z0-9_]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?\.?$/,
    'the name of a host without a port, like "console.example"',
  ),
);

const restApi = v.strictObject({
  enabled: flag("Whether the REST actions are available.", true),
  auth: optional(
    "The requests over HTTP that need a token; optional: the actions that say so, and POST " +
      "/api/rest; required: every action and all of /api/rest; none: as optional, but /api/rest " +
      "without a token acts as an anonymous caller.",
    v.picklist(["optional", "required", "none"]),
    "optional",
  ),
  writesByGet: flag(
    "Whether GET may write: /api/rest with ?set=, and actions that change anything.",
    true,
  ),
  origins: list("The origins whose pages may ask over HTTP, beside the service's own.", origin),
});

const websocket = v.strictObject({
  auth: optional(
    "Whether a WebSocket is answered without a login; required: only auth is.",
    v.picklist(["optional", "required"]),
    "optional",
  ),
  origins: list("The origins whose pages may open a WebSocket, beside the service's own.", origin),
});

/** An address to listen on, as --listen takes it. */
const listenAddress = v.pipe(
  v.string(),
  v.check(
    (text) => readListenAddress(text) !== undefined,
    'expected an address and a port, like "127.0.0.1:9000" or "[::1]:9000"',
  ),
  v.metadata({ pattern: ":[0-9]{1,5}$" }),
);

const emberElement = v.strictObject({
  number: optional(
    "Its number among those beside it. Without it, that of docs/ember.md.",
    whole(1, 65_535),
  ),
  identifier: optional(
    "Its identifier, a letter or _ first, without a slash. Without it, that of docs/ember.md.",
    v.pipe(v.string(), v.regex(/^[A-Za-z_][^/\p{Cc}]{0,63}$/u, "a letter or _ first, no slash")),
  ),
});

/** Consumers expect at most 50 GPIs and 50 GPOs. */
const gpioLogics = v.pipe(v.array(id), v.maxLength(50));

/** An interface over TCP without users; `client` is the term for its clients. */
const withoutUsers = (client: string, protocol: string) => ({
  listen: said("The address and the TCP port on which it listens.", listenAddress),
  may: optional(
    `What a ${client} may do, for ${protocol} has no users: view, operate or configure.`,
    v.picklist(["view", "operate", "configure"]),
    "operate",
  ),
});

const fleet = v.strictObject({
  hubs: optional(
    "The addresses of the hubs, each tried before any is tried again. " +
      "Without it, that of the enrolment.",
    v.pipe(
      v.array(v.pipe(
        v.string(),
        v.check(
          (text) => text.startsWith("ws") && readHubAddress(text) !== undefined,
          'expected the address of a hub, like "wss://hub.example"',
        ),
        v.metadata({ pattern: "^wss?://" }),
      )),
      v.minLength(1),
      v.maxLength(16),
    ),
  ),
  site: optional(
    "The site at which the console is, by which views list it. Without it, that of the enrolment.",
    v.pipe(v.string(), v.maxLength(64)),
  ),
  may: optional(
    "The most that users of the fleet may do: view, press, operate, configure, or admin, which is " +
      "to back up, to restore and to change users, too.",
    v.picklist([...MAY, "admin"]),
    "operate",
  ),
  ca: optional(
    "The path of a file with the certificates, PEM, that vouch for the hubs. " +
      "Without it, that of the enrolment, else the public ones.",
    v.string(),
  ),
});

const ecp = v.strictObject(withoutUsers("client", "ECP"));

const ember = v.strictObject({
  ...withoutUsers("consumer", "Ember+"),
  gpis: optional(
    "The numbers of the logics that GPI 1 to 50 are, in order. " +
      "Without it, GPI n is logic n unless that follows faders.",
    gpioLogics,
  ),
  gpos: optional(
    "The numbers of the logics that GPO 1 to 50 are, in order. Without it, GPO n is logic n.",
    gpioLogics,
  ),
  elements: optional(
    "Other numbers and identifiers of elements below Device, by their paths in docs/ember.md.",
    v.pipe(
      v.record(
        v.picklist(
          Object.keys(EMBER_ELEMENTS) as EmberElement[],
          "an element that docs/ember.md lists",
        ),
        emberElement,
      ),
      v.check(
        (elements) => clashOf(elements) === undefined,
        ({ input }) => clashOf(input)!,
      ),
    ),
    {},
  ),
});

const hooks = v.strictObject({
  applied: optional(
    "A program that is run for each settings document that a restore applied, with its tag. " +
      "Without it, none is.",
    v.pipe(v.string(), v.minLength(1)),
  ),
});

const storage = v.strictObject({
  onFault: optional(
    "What becomes of changes that cannot be stored; play: those of the live state come into " +
      "force all the same, and are answered with durable false; refuse: each is refused (12).",
    v.picklist(["play", "refuse"]),
    "play",
  ),
});

/** The licenses that the service checks, by their numbers (service.md). */
export const LICENSES = { rest: "52-8577", externalLists: "52-8583", aes67: "52-8546" } as const;

/** The schema of a configuration file. */
export const configurationSchema = v.strictObject({
  $schema: optional(
    "Where the JSON Schema of this file is, for editors. Without it, they know none.",
    v.string(),
  ),
  device: optional("The identity of the console.", device, {}),
  licenses: optional(
    `The numbers of the licenses: ${LICENSES.rest} for REST actions, ` +
      `${LICENSES.externalLists} for external lists, ${LICENSES.aes67} for AES67CONFIG.`,
    v.array(v.string()),
    Object.values(LICENSES),
  ),
  auth: optional(
    "Whether a caller without a token is answered, except by ember and ecp; required: none is, " +
      "whatever restApi and websocket say.",
    v.picklist(["optional", "required"]),
    "optional",
  ),
  anonymous: optional(
    "What a caller without a token may do, except by ember and ecp; operate: whatever needs no " +
      'user; view: read; none: nothing, as with auth "required".',
    v.picklist(["operate", "view", "none"]),
    "operate",
  ),
  hosts: list("Names by which the service may be called, beside its own and addresses.", host),
  restApi: optional("The REST actions, and /api/rest.", restApi, {}),
  websocket: optional("The WebSocket, /api/ws.", websocket, {}),
  siteKey: optional(
    `A secret that the consoles of a site share, to exchange snapshots and users; ` +
      `${OWN_SITE_KEY}: one that the console makes for itself. Without it, a published one.`,
    v.union(
      [v.literal(OWN_SITE_KEY), v.pipe(v.string(), v.minLength(16))],
      `at least 16 characters, or "${OWN_SITE_KEY}"`,
    ),
  ),
  engine: optional(
    "What processes the audio; simulated: meters move as if there were audio.",
    v.picklist(["none", "simulated"]),
    "none",
  ),
  view: flag("Whether the service serves the device view, a page that operates the console.", true),
  mixers: list("The virtual mixers.", mixer),
  processings: optional(
    "The flex processings: a list, or how many there are.",
    v.union([count, v.array(named("Processing", {}))]),
    [],
  ),
  globalLabels: list(
    "The labels of the console as a whole.",
    v.strictObject({
      id: said("Its number, unique among the global labels.", id),
      label: label("Its text until somebody sets one."),
    }),
  ),
  resources: list("The resources that pictures are uploaded to.", named("Resource", {})),
  lists: list(
    "The external lists of buttons.",
    named("List", { pageSize: limit("The number of entries of a page.", LIST_PAGE_SIZE, 1) }),
  ),
  logics: list("The switches of the console.", named("Logic", logic)),
  gpis: list("The switching inputs (GPI).", named("GPI", gpio)),
  gpos: list("The switching outputs (GPO).", named("GPO", gpio)),
  aes67: optional(
    "The parts of a device for audio over IP (AES67). Without it there are none.",
    aes67,
  ),
  pots: list("The knobs of the console.", named("Pot", pot)),
  levels: list(
    "The level meters.",
    named("Level", {
      mode: optional("How the meter measures.", v.picklist(["PPM", "VU", "TruePeak"]), "PPM"),
    }),
  ),
  loudness: list(
    "The loudness meters.",
    named("Loudness", {
      mode: optional("The recommendation by which it measures.", name, "EBU R128"),
    }),
  ),
  routing: optional("The inputs and outputs that routes connect.", routing, {}),
  selectors: optional("The selectors of one of several sources.", selectors, {}),
  factorySnapshots: list("Snapshots that are always there, and never change.", factorySnapshot),
  limits: optional("The limits of clients.", limits, {}),
  hooks: optional("Programs that the service runs.", hooks, {}),
  audit: flag("Whether audit.log in the data folder says who changed what.", true),
  metrics: flag("Whether GET /metrics returns the metrics of the service.", false),
  advertise: flag(
    "Whether the service announces its address in the local network, by mDNS.",
    false,
  ),
  ember: optional("The provider of Ember+. Without it, there is none.", ember),
  ecp: optional("The interface ECP. Without it, there is none.", ecp),
  storage: optional("The medium of the data folder.", storage, {}),
  fleet: optional("The fleet of the console, once it is enrolled in one.", fleet, {}),
});

/** A configuration is written with the brevity that the schema allows. */
export type WrittenConfiguration = v.InferInput<typeof configurationSchema>;

/** A configuration that passed the schema has its defaults and names, but still its short forms. */
export type ParsedConfiguration = v.InferOutput<typeof configurationSchema>;
