import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import {
  readConfiguration,
  readConfigurationInSteps,
} from "../../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../../core/configuration/demo.ts";
import {
  configurationSchema,
  type WrittenConfiguration,
} from "../../../core/configuration/schema.ts";
import { treeValues } from "../../../core/configuration/size.ts";
import { nodeTable } from "../../../core/tree/table.ts";
import { isBranch } from "../../../core/tree/tree.ts";

function faultsOf(json: unknown) {
  const read = readConfiguration(json);
  return "faults" in read ? read.faults : [];
}

function configurationOf(json: unknown) {
  const read = readConfiguration(json);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.configuration;
}

const uuid = "0f0c0001-0000-4000-8000-000000000001";
const factory = { id: uuid, type: 1, name: "A", content: {} };

/** Configurations, and the paths of their faults, with blanks between. */
const faults: readonly (readonly [unknown, string])[] = [
  [5, "(document)"],
  [null, "(document)"],
  [[], "(document)"],
  [{ mixer: [] }, "mixer"],
  [{ mixers: [{ faders: 1, fader: 1 }] }, "mixers.0.fader"],
  [{ mixers: [{}] }, "mixers.0.faders"],
  [{ mixers: [{ faders: "8" }] }, "mixers.0.faders"],
  [{ mixers: [{ faders: -1 }] }, "mixers.0.faders"],
  [{ mixers: [{ faders: 1.5 }] }, "mixers.0.faders"],
  [
    { mixers: [{ faders: [{ id: -1 }, { label: "" }] }] },
    "mixers.0.faders.0.id mixers.0.faders.1.label",
  ],
  [{ device: { kind: "mixer" } }, "device.kind"],
  [{ device: { firmware: "10.3" } }, "device.firmware"],
  [{ device: { name: "a/b" } }, "device.name"],
  [{ siteKey: "short" }, "siteKey"],
  [
    { device: { serial: 5 }, pots: [{ id: "1" }], websocket: { auth: "no" } },
    "device.serial pots.0.id websocket.auth",
  ],
  [{ mixers: [{ id: 1, faders: 1 }, { id: 1, faders: 1 }] }, "mixers.1.id"],
  [
    { mixers: [{ faders: [{ id: 3 }, { id: 3 }, { id: 3 }] }] },
    "mixers.0.faders.1.id mixers.0.faders.2.id",
  ],
  [{ mixers: [{ faders: [{ channel: 5 }, { channel: 5 }] }] }, "mixers.0.faders.1.channel"],
  [
    { mixers: [{ faders: [{ channel: 5 }] }, { faders: [{}, { channel: 5 }] }] },
    "mixers.1.faders.1.channel",
  ],
  [{ mixers: [{ faders: 0, automix: [1, 1] }] }, "mixers.0.automix.1"],
  [{ mixers: [{ faders: 0, cleanfeeds: [1, 2, 1] }] }, "mixers.0.cleanfeeds.2"],
  [{ mixers: [{ faders: 0, mutegroups: [0, 0] }] }, "mixers.0.mutegroups.1"],
  ...["processings", "resources", "lists", "logics", "pots", "levels", "loudness"].map((part) =>
    [{ [part]: [{ id: 1 }, { id: 2 }, { id: 1 }] }, `${part}.2.id`] as const
  ),
  [{ globalLabels: [{ id: 1, label: "A" }, { id: 1, label: "B" }] }, "globalLabels.1.id"],
  [{ routing: { inputs: [{ id: 1 }, { id: 1 }] } }, "routing.inputs.1.id"],
  [{ routing: { outputs: [{ id: 1 }, { id: 1 }] } }, "routing.outputs.1.id"],
  [{ selectors: { selectors: [{ id: 1 }, { id: 1 }] } }, "selectors.selectors.1.id"],
  [{ selectors: { sourcelists: [{ id: 1 }, { id: 1 }] } }, "selectors.sourcelists.1.id"],
  [{ factorySnapshots: [factory, { ...factory, type: 3 }] }, "factorySnapshots.1.id"],
  [
    { factorySnapshots: [factory, { ...factory, id: uuid.toUpperCase() }] },
    "factorySnapshots.1.id",
  ],
  [{ factorySnapshots: [{ ...factory, type: 2, mixer: 3 }] }, "factorySnapshots.0.mixer"],
  [{
    factorySnapshots: [{ ...factory, writegroups: 0 }],
  }, "factorySnapshots.0.writegroups"],
  [{ routing: { outputs: [{ id: 1, input: 7 }] } }, "routing.outputs.0.input"],
  [{ selectors: { selectors: [{ id: 1, sourcelist: 9 }] } }, "selectors.selectors.0.sourcelist"],
  [{
    mixers: [{ faders: [{ channel: 7 }, {}] }],
    logics: [{ id: 1, follows: [7, 1] }, { id: 2, follows: [2, 1, 8] }],
  }, "logics.1.follows.0 logics.1.follows.2"],
  [{ logics: [{ id: 1, follows: [0] }] }, "logics.0.follows.0"],
  [{ engine: "loud" }, "engine"],
  [{ pots: [{ id: 1, min: 5, max: 5, value: 5 }] }, "pots.0.max"],
  [{ pots: [{ id: 1, min: -10, max: 10, value: 11 }] }, "pots.0.value"],
  [{ globalLabels: [{ id: 1, label: "a\u0007" }] }, "globalLabels.0.label"],
  ...["*", "panel.example", "localhost:3000", "https://", "https://a b", "NULL", ""].map((origin) =>
    [
      { restApi: { origins: ["null", "file://", "https://a.example:8443", origin] } },
      "restApi.origins.3",
    ] as const
  ),
  [{ restApi: { auth: "no" } }, "restApi.auth"],
  [{ fleet: [], limits: { tree: [] } }, "fleet limits.tree"],
  [{ mixers: [[]] }, "mixers.0.faders"],
  [{ device: { kind: "x" }, lists: [{ id: 1 }, { id: 1 }] }, "device.kind lists.1.id"],
];

for (const [json, paths] of faults) {
  const text = JSON.stringify(json).slice(0, 150);
  Deno.test(`the faults of the configuration ${text} are at ${paths}`, () => {
    const found = faultsOf(json);
    assertEquals(found.map(({ path }) => path).toSorted(), paths.split(" ").toSorted());
    for (const { reason } of found) assert(reason.length > 5, reason);
  });
}

Deno.test("a fault says that a member is missing", () => {
  assertEquals(faultsOf({ mixers: [{}] }), [{ path: "mixers.0.faders", reason: "it is missing" }]);
});

Deno.test("the fault of a doubled id names the place of its first use", () => {
  assertEquals(faultsOf({ mixers: [{ faders: [{ channel: 5 }] }, { faders: [{ channel: 5 }] }] }), [
    {
      path: "mixers.1.faders.0.channel",
      reason: "5 is already at mixers.0.faders.0.channel",
    },
  ]);
});

Deno.test("everything but mixers' faders has a default", () => {
  const { device, licenses, restApi, websocket, siteKey, mixers, limits } = configurationOf({});
  assertEquals(device, { name: "faderd", kind: "core", firmware: "10.3.0", serial: "000000" });
  assertEquals(licenses.toSorted(), ["52-8546", "52-8577", "52-8583"]);
  assertEquals([restApi.enabled, restApi.auth, websocket.auth, siteKey, mixers], [
    true,
    "optional",
    "optional",
    undefined,
    [],
  ]);
  assertEquals([limits.maxMessageBytes, limits.tree.perSecond], [1024 * 1024, 0]);
});

Deno.test('brevity: {"mixers":[{"faders":8}]} is a whole configuration', () => {
  const { mixers, processings } = configurationOf({
    mixers: [{ faders: 8, automix: 2, mutegroups: [4, 7] }, { faders: 1 }],
    processings: 2,
  });
  const [{ faders, places, ...mixer }, second] = mixers as [
    typeof mixers[number],
    typeof mixers[number],
  ];
  assertEquals(mixer, {
    id: 0,
    name: "Mixer 1",
    automix: [1, 2],
    cleanfeeds: [],
    mutegroups: [4, 7],
    buses: [],
  });
  assertEquals(faders.map(({ id }) => id), [0, 1, 2, 3, 4, 5, 6, 7]);
  assertEquals([...places], faders.map(({ channel }, place) => [channel, place]));
  const { processing, ...last } = faders[7]!;
  assertEquals(last, { id: 7, channel: 8, label: "Fader 8", category: "" });
  assert(processing.includes("compressor"));
  assertEquals([second.id, second.name, second.faders[0]!.channel], [1, "Mixer 2", 9]);
  assertEquals(processings.map(({ id }) => id), [0, 1]);
});

Deno.test("automix and cleanfeeds given as a count begin at 1, mutegroups at 0; ids that are given stay", () => {
  const parts = { automix: 3, cleanfeeds: 2, mutegroups: 2 };
  const given = { automix: [0, 4], cleanfeeds: [7], mutegroups: [] };
  const { mixers } = configurationOf({
    mixers: [{ faders: 0, ...parts }, { faders: 0, ...given }],
  });
  const idsOf = ({ automix, cleanfeeds, mutegroups }: typeof mixers[number]) => [
    automix,
    cleanfeeds,
    mutegroups,
  ];
  assertEquals(mixers.map(idsOf), [[[1, 2, 3], [1, 2], [0, 1]], [[0, 4], [7], []]]);
});

for (
  const [json, path, reason] of [
    [{ logics: 2 }, "logics", "expected list, got 2"],
    [{ licenses: {} }, "licenses", "expected list, got an object"],
    [{ device: { name: 5 } }, "device.name", "expected string, got 5"],
    // A site key is secret, also one that is too short.
    [{ siteKey: "short" }, "siteKey", "Invalid length: Expected >=16 but received 5"],
    [{ metrics: 1 }, "metrics", "expected boolean, got 1"],
    [{ auth: "no" }, "auth", 'expected ("optional" | "required"), got "no"'],
    [{ mixers: [{ faders: "x" }] }, "mixers.0.faders", 'expected (number | list), got "x"'],
    [
      { device: { firmware: "10.2" } },
      "device.firmware",
      'expected a version of three or four numbers, like "10.3.0", got "10.2"',
    ],
  ] as const
) {
  Deno.test(`the configuration ${JSON.stringify(json)} is refused: ${path}: ${reason}`, () => {
    assertEquals(faultsOf(json), [{ path, reason }]);
  });
}

Deno.test("the faults of a fader's processing name the path and the value", () => {
  const of = (processing: unknown) => faultsOf({ mixers: [{ faders: [{}, { processing }] }] });
  const path = "mixers.0.faders.1.processing";
  for (
    const [processing, at, value] of [
      [["eq1", "eq5"], `${path}.1`, '"eq5"'],
      [["EQ1"], `${path}.0`, '"EQ1"'],
      [[1], `${path}.0`, "1"],
      [["_active"], `${path}.0`, '"_active"'],
      [["eq1", "gain", "eq1"], `${path}.2`, "eq1"],
      ["eq1", path, '"eq1"'],
      [10, path, "10"],
      [null, path, "null"],
    ] as const
  ) {
    const [fault, ...more] = of(processing);
    assertEquals([fault?.path, more], [at, []], JSON.stringify(processing));
    assertStringIncludes(fault!.reason, value);
  }
});

Deno.test("a fader without a channel gets a channel number that no fader of any mixer has", () => {
  const { mixers } = configurationOf({
    mixers: [
      { faders: [{}, { channel: 1 }, {}] },
      { faders: 2 },
      { faders: [{ channel: 3 }, {}, { channel: 2 }] },
    ],
  });
  const channels = mixers.map(({ faders }) => faders.map(({ channel }) => channel));
  assertEquals(channels, [[4, 1, 5], [6, 7], [3, 8, 2]]);
});

Deno.test("a resource without a name is named after its kind and number", () => {
  const item = [{ id: 4 }];
  const all = configurationOf({
    pots: item,
    logics: item,
    lists: item,
    resources: item,
    routing: { inputs: item, outputs: item },
    selectors: { selectors: item, sourcelists: item },
  });
  const named = [
    all.pots,
    all.logics,
    all.lists,
    all.resources,
    all.routing.inputs,
    all.routing.outputs,
    all.selectors.selectors,
    all.selectors.sourcelists,
  ];
  assertEquals(
    named.map(([first]) => first!.name),
    ["Pot 4", "Logic 4", "List 4", "Resource 4", "Input 4", "Output 4", "Selector 4", "Sources 4"],
  );
  assertEquals(all.lists[0]!.pageSize, 24);
});

Deno.test("the demo console has what a first try needs", () => {
  const demo = configurationOf(demoConfiguration);
  assertEquals([demo.device.kind, demo.device.firmware], ["core", "10.3.0"]);
  assertEquals(demo.mixers.map(({ faders }) => faders.length), [8, 8]);
  assertEquals([demo.processings.length, demo.lists.length, demo.resources.length], [2, 2, 1]);
  assertEquals(demo.factorySnapshots.map(({ type }) => type), [1, 2, 3]);
  for (const part of ["globalLabels", "logics", "pots"] as const) {
    assert(demo[part].length > 0, part);
  }
  assert(demo.selectors.selectors.length > 0);
  assertEquals([demo.engine, configurationOf({}).engine], ["simulated", "none"]);
  assertEquals(demo.logics.map(({ follows }) => follows), [[1, 2, 3], undefined]);
});

Deno.test("the JSON Schema of the configuration can be published", () => {
  const schema = toJsonSchema(configurationSchema, { typeMode: "input", errorMode: "ignore" });
  assertEquals([schema.type, schema.additionalProperties], ["object", false]);
  assertEquals(schema.required ?? [], []);
  const members = Object.keys(schema.properties!);
  assertEquals(Object.keys(configurationSchema.entries).toSorted(), members.toSorted());
  assertEquals(JSON.parse(JSON.stringify(schema)), schema);
});

const blocks = "subsonic agc expander eq1 eq2 eq3 eq4 deesser2 compressor limiter".split(" ");

Deno.test("a configuration of 16 mixers with 512 faders each, with all their blocks written out, is valid", () => {
  const faders = Array.from({ length: 512 }, (_, id) => ({ id, processing: blocks }));
  const mixers = Array.from({ length: 16 }, () => ({ faders, mutegroups: 32 }));
  assertEquals(configurationOf({ mixers }).mixers[15]!.faders[511]!.channel, 8192);
});

/** Configurations whose trees are too large, and the part of the fault about their size. */
const huge: readonly (readonly [string, unknown, string])[] = [
  [
    "4096 faders with 4096 mute groups",
    { mixers: [{ faders: 8 }, { faders: 4096, mutegroups: 4096 }] },
    "got 17503650: mixers.1 makes 17502225, mixers.0 makes 1425",
  ],
  ["many mixers", { mixers: Array(10_000).fill({ faders: 4096 }) }, "mixers.0 makes 720913"],
  [
    "many processings",
    { processings: Array.from({ length: 20_000 }, (_, id) => ({ id })) },
    "processings makes 2560000",
  ],
  [
    "every input on every output",
    {
      routing: {
        inputs: Array.from({ length: 2000 }, (_, id) => ({ id })),
        outputs: Array.from({ length: 2000 }, (_, id) => ({ id })),
      },
    },
    "routing makes 4018000",
  ],
];

for (const [what, json, sentence] of huge) {
  Deno.test(`a configuration whose tree is too large is refused before it is built: ${what}`, () => {
    const begun = performance.now();
    const found = faultsOf(json).filter(({ path }) => path === "(document)");
    assertEquals(found.length, 1);
    const { reason } = found[0]!;
    assertStringIncludes(reason, "2000000 values of the control tree, got ");
    assertStringIncludes(reason, sentence);
    assert(performance.now() - begun < 20_000);
  });
}

Deno.test("the size of a tree is known before it is built, to the value", () => {
  const one = [{ id: 1 }];
  const documents: readonly WrittenConfiguration[] = [
    {},
    demoConfiguration,
    {
      mixers: [{ faders: 3, automix: 2, cleanfeeds: 5, mutegroups: 7, buses: 3 }, { faders: [{}] }],
    },
    { processings: 4, lists: one, logics: one, pots: one, levels: one, loudness: one },
    { gpis: one, gpos: [{ id: 1 }, { id: 2 }] },
    { aes67: {} },
    { aes67: { streams: [{ id: 1 }, { id: 2 }] } },
    { routing: { inputs: [{ id: 1 }, { id: 2 }], outputs: [{ id: 1 }, { id: 2 }, { id: 3 }] } },
    {
      selectors: {
        selectors: one,
        sourcelists: [{ id: 1, entries: [{ label: "A" }, { label: "B" }] }, { id: 2 }],
      },
    },
  ];
  const none = valuesIn(nodeTable(configurationOf({})));
  for (const document of documents) {
    const parts = treeValues(v.parse(configurationSchema, document));
    const expected = parts.values().reduce((sum, values) => sum + values, 0);
    assertEquals(valuesIn(nodeTable(configurationOf(document))) - none, expected);
  }
});

/** Counts the values of a tree: in a list its items, in a route the inputs it may be set to. */
function valuesIn(node: unknown): number {
  if (typeof node !== "object" || node === null) return 1;
  const { readOnly, value, type, values } = node as Readonly<Record<string, unknown>>;
  if (readOnly === true) return Array.isArray(value) && isBranch(value[0]) ? valuesIn(value) : 1;
  // No input at all may be routed, too, which is not counted.
  if (typeof type === "string") return Array.isArray(values) ? values.length : 1;
  return Object.values(node).reduce((sum: number, inner) => sum + valuesIn(inner), 0);
}

Deno.test("the first 20 of many faults are named, with their total number", () => {
  const many: readonly (readonly [unknown, number])[] = [
    [{ mixers: [{ faders: Array(50_000).fill(0) }] }, 50_000],
    [{ logics: Array(30_000).fill({ id: 1 }) }, 29_999],
    [Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`x${at}`, 1])), 300],
  ];
  for (const [json, count] of many) {
    const found = faultsOf(json);
    assertEquals(found.length, 21);
    const reason = `there are ${count} faults; these are the first 20`;
    assertEquals(found.at(-1), { path: "(document)", reason });
  }
  assertEquals(faultsOf({ logics: Array(21).fill({ id: 1 }) }).length, 20);
});

Deno.test("a fault is shorter than 900 characters, however long the quoted texts of the document are", () => {
  const long = "x".repeat(1_000_000);
  for (const json of [{ [long]: 1 }, { device: long }, { licenses: long }, { lists: [long] }]) {
    for (const { path, reason } of faultsOf(json)) assert(path.length + reason.length < 900);
  }
});

Deno.test("validation runs in short steps, of documents with faults and without", () => {
  const documents: readonly unknown[] = [
    { mixers: [{ faders: Array(20_000).fill(0) }] },
    { selectors: { sourcelists: [{ id: 1, entries: Array(20_000).fill(0) }] } },
    { mixers: [{ faders: 1, mutegroups: Array(20_000).fill(0) }] },
    { mixers: [{ faders: Array.from({ length: 1000 }, (_, id) => ({ id })) }] },
  ];
  for (const json of documents) {
    let steps = 0;
    for (const work = readConfigurationInSteps(json); !work.next().done;) steps++;
    assert(steps > 1000, `${steps}`);
  }
});

Deno.test("validation in steps has the same result as in one call", () => {
  const sourcelist = {
    id: 1,
    entries: Array.from({ length: 300 }, (_, at) => ({ label: `Cafe\u0301 ${at}` })),
  };
  const logics = Array.from({ length: 300 }, (_, id) => ({ id }));
  const json: WrittenConfiguration = {
    mixers: [{ faders: Array.from({ length: 300 }, () => ({})), mutegroups: [1, 2] }],
    selectors: { sourcelists: [sourcelist] },
    logics,
  };
  const { selectors, logics: named, routing, limits } = configurationOf(json);
  const whole = v.parse(configurationSchema, json);
  assertEquals([selectors, named, routing, limits], [
    whole.selectors,
    whole.logics,
    whole.routing,
    whole.limits,
  ]);
});
