import { assert, assertEquals } from "@std/assert";
import type { Console } from "../../../core/console.ts";
import type { Refusal } from "../../../core/errors.ts";
import { type Branch, isBranch, type Tree } from "../../../core/tree/tree.ts";
import { get } from "../../../core/tree/get.ts";
import { set } from "../../../core/tree/set.ts";
import { result, testConsole } from "../../service.ts";
import { codeOf, valueAt } from "../actors.ts";

/** `path: members`; a member is `name:type`, `name/` is a branch, `{}` integer keys. */
const fader = "audio/mixers/0/faders/0";
const params = `${fader}/params`;

const on = (...members: string[]) =>
  ["_active:boolean", "on:boolean", ...members.map((member) => `${member}:number`)].join(" ");
const equalizer = on("frequency", "gain", "q", "type");
const varfilter = `${on("frequency", "order")} hipass:boolean`;
const dynamics = on("_gainreduction", "attack", "release", "gain", "threshold", "ratio");
const automaticGain = `${
  on("_gainreduction", "gain", "level", "threshold", "velocity")
} freeze:boolean`;
const pfl =
  "afl:boolean aflwhenon:boolean mix:boolean reset:boolean resetfader:boolean return:boolean";
const port = "_name:string _device:string _channels:number";
const gpio = "_label:string _state:boolean channel:string";
const busSend = "_active:boolean on:boolean gain:number type:number";
const paramNames =
  "gain/ eq/ varfilter/ subsonic/ eq1/ eq2/ eq3/ eq4/ varfilter1/ varfilter2/ compressor/ expander/ limiter/ gate/ " +
  "agc/ r128agc/ deesser/ deesser2/ delay/ panbal/ swc/";

/** control-tree.md, row by row, for the demo console. */
const rows: Readonly<Record<string, string>> = {
  "": "audio/ control/ general/ range/",
  "general":
    "_api_version:string _firmware_version:string _hardwareserial:string _hourmeter:number _name:string " +
    "_sync2ok:boolean _syncsource:number _systemfrequency:number _systemtime:number _uptime:number " +
    "_activewebsockets:number _maxwebsockets:number _storage:string _engine:string",
  "control": "labels/ extlists/ logics/ gpis/ gpos/",
  "control/extlists": "1/ 2/",
  "control/extlists/1": "_name:string _exists:boolean _entries:s _page:number _subscribers:number",
  "control/labels": "1/ 2/ 3/",
  "control/labels/1": "label:string _defaultlabel:string",
  "control/logics": "1/ 2/",
  "control/logics/1": "value:boolean _name:string _path:string",
  "control/gpis": "1/",
  "control/gpis/1": gpio,
  "control/gpos": "1/",
  "control/gpos/1": gpio,
  "audio": "pots/ levels/ loudness/ routing/ selectors/ flexprocessings/ mixers/",
  "audio/pots": "1/ 2/",
  "audio/pots/1": "value:number _name:string _min:number _max:number _step:number",
  "audio/levels": "1/",
  "audio/levels/1": "_name:string _mode:string _left:number _right:number _correlation:number",
  "audio/loudness": "1/",
  "audio/loudness/1": "_name:string _mode:string _leveli:number _levelm:number _levelo:number " +
    "_levels:number _levelu:number _maxm:number _maxpeak:number _maxs:number _peak:number",
  "audio/routing": "inputs/ outputs/ routes/",
  "audio/routing/inputs/1": `${port} _hasagain:boolean _hasp48:boolean`,
  "audio/routing/outputs/1": port,
  "audio/routing/routes": "1:string 2:string",
  "audio/selectors": "selectors/ sourcelists/",
  "audio/selectors/selectors/1": "_name:string _sourcelist:string left:string right:string",
  "audio/selectors/sourcelists/1": "_name:string entries/",
  "audio/selectors/sourcelists/1/entries": "0/ 1/",
  "audio/selectors/sourcelists/1/entries/0": "_label:string _sourcel:string _sourcer:string",
  "audio/flexprocessings": "0/ 1/",
  "audio/flexprocessings/0": "_name:string params/",
  "audio/flexprocessings/0/params": paramNames,
  "audio/mixers": "0/ 1/",
  "audio/mixers/0": "_name:string _lastloadedsnap:string _lastloadedsnapid:string _user:string " +
    "automix/ cleanfeeds/ mutegroups/ options/ sourcelist:branches faders/",
  "audio/mixers/0/automix": "1/ 2/",
  "audio/mixers/0/automix/1": "_active:boolean maxattenuation:number passiveattenuation:number " +
    "attmax:number attpassive:number hold:number release:number ratio:number",
  "audio/mixers/0/cleanfeeds": "1/ 2/",
  "audio/mixers/0/cleanfeeds/1":
    "_active:boolean cut:boolean n:boolean outsel:boolean outgain:number srcsel:number",
  "audio/mixers/0/mutegroups": "0:boolean 1:boolean 2:boolean 3:boolean",
  "audio/mixers/0/options": "directoffair:boolean pfl1/ pfl2/",
  "audio/mixers/0/options/pfl1": pfl,
  "audio/mixers/0/options/pfl2": pfl,
  "audio/mixers/0/sourcelist/0": "_defaultlabel:string _label:string _sourceid:number",
  "audio/mixers/0/faders": "0/ 1/ 2/ 3/ 4/ 5/ 6/ 7/",
  [fader]: "fader:number on:boolean pfl1:boolean pfl2:boolean altinput:boolean bypass:boolean " +
    "isolate:boolean memo:boolean offair:boolean preparation:boolean solo:boolean voice:boolean " +
    "label:string sourceid:number vcagroup:number _channelcnt:number _defaultlabel:string " +
    "_lastloadedsnap:string _faderstart:boolean _poolavailable:boolean _readystate:boolean " +
    "_usecleanfeed:number _category:string _hasagain:boolean autolevelgain:number " +
    "_paramlist:strings mutegroups/ busparams/ meter/ fade/ options/ params/",
  [`${fader}/mutegroups`]: "0:boolean 1:boolean 2:boolean 3:boolean",
  [`${fader}/meter`]: "_input:numbers _pfl:numbers _afl:numbers",
  [`${fader}/fade`]: "_from:number _to:number _time:number",
  [`${fader}/options`]: "autooffair:boolean combilogic0:boolean combilogic1:boolean " +
    "combilogic2:boolean combilogic3:boolean timerreset:boolean",
  [`${fader}/busparams`]: "automix/ bus/ preparation/",
  [`${fader}/busparams/automix`]: "_active:boolean _gainreduction:number on:boolean " +
    "passive:boolean group:number weight:number",
  [`${fader}/busparams/bus`]: "1/ 2/",
  [`${fader}/busparams/bus/1`]: busSend,
  [`${fader}/busparams/preparation`]: "_active:boolean gain:number",
  [params]: paramNames,
  [`${params}/gain`]:
    "_active:boolean _hasagain:boolean _hasp48:boolean dgain:number p48:boolean " +
    "phase:boolean again/",
  [`${params}/gain/again`]: "value:number inc:number _min:number _max:number _step:number",
  [`${params}/subsonic`]: on("frequency"),
  [`${params}/eq`]: equalizer,
  [`${params}/eq1`]: equalizer,
  [`${params}/eq2`]: equalizer,
  [`${params}/eq3`]: equalizer,
  [`${params}/eq4`]: equalizer,
  [`${params}/varfilter`]: varfilter,
  [`${params}/varfilter1`]: varfilter,
  [`${params}/varfilter2`]: varfilter,
  [`${params}/compressor`]: dynamics,
  [`${params}/expander`]: dynamics,
  [`${params}/limiter`]: on("_gainreduction", "release", "threshold"),
  [`${params}/gate`]: on("_gainreduction", "attack", "release", "attenuation", "threshold"),
  [`${params}/agc`]: automaticGain,
  [`${params}/r128agc`]: automaticGain,
  [`${params}/deesser`]: on("bandwidth", "ratio", "sharpness"),
  [`${params}/deesser2`]: on("_gainreduction", "frequency", "threshold"),
  [`${params}/delay`]: on("delay"),
  [`${params}/panbal`]: "_active:boolean panbal:number divergency:number lfesend:number " +
    "matrix:number rear:number lfeonly:boolean",
  [`${params}/swc`]: "_active:boolean direction:number width:number type:boolean",
};

function shapeOf(value: Tree): string {
  if (!Array.isArray(value)) return isBranch(value) ? "/" : `:${typeof value}`;
  const kinds = new Set(value.map((item) => isBranch(item) ? "branche" : typeof item));
  return `:${[...kinds].join("|")}s`;
}

const console = await testConsole();

for (const [path, members] of Object.entries(rows)) {
  Deno.test(`/${path} has exactly the members and types of control-tree.md`, () => {
    const found = Object.entries(valueAt(console, path))
      .map(([member, value]) => `${member}${shapeOf(value)}`);
    assertEquals(found.toSorted(), members.split(" ").toSorted());
  });
}

/** The blocks under `params`, with the value of `_active`. */
function activity(of: Console, path: string): [string, Tree][] {
  return Object.entries(valueAt(of, path)).map(([block, { _active }]) => [block, _active]);
}

Deno.test("a flex processing's params are as those under a fader, and all of them active", () => {
  const flex = valueAt(console, "audio/flexprocessings/0/params") as Branch;
  assert(
    activity(console, "audio/flexprocessings/0/params").every(([, active]) => active === true),
  );
  const ofFader = Object.entries(valueAt(console, params) as Branch)
    .map(([block, values]) => [block, { ...values as Branch, _active: true }]);
  assertEquals(flex, Object.fromEntries(ofFader));
  const range = (path: string) => valueAt(console, `range/${path}/params`);
  assertEquals(range("audio/flexprocessings/0"), range(fader));
});

Deno.test("every mixer and fader has the members of the first", () => {
  for (const mixer of [0, 1]) {
    const shape = Object.keys(valueAt(console, `audio/mixers/${mixer}`));
    assertEquals(shape, Object.keys(valueAt(console, "audio/mixers/0")));
    for (const id of Object.keys(valueAt(console, `audio/mixers/${mixer}/faders`))) {
      const members = Object.keys(valueAt(console, `audio/mixers/${mixer}/faders/${id}`));
      assertEquals(members, Object.keys(valueAt(console, fader)));
    }
  }
});

const byDefault = [
  "subsonic",
  "agc",
  "expander",
  "eq1",
  "eq2",
  "eq3",
  "eq4",
  "deesser2",
  "compressor",
  "limiter",
];

/** `faders[].processing`, and the `_paramlist` of that fader. */
const processings: readonly (readonly [readonly string[] | undefined, readonly string[]])[] = [
  [undefined, byDefault],
  [[], []],
  [["gain", "eq2", "eq1"], ["gain", "eq2", "eq1"]],
  [["swc", "panbal", "r128agc"], ["swc", "panbal", "r128agc"]],
];

for (const [processing, list] of processings) {
  Deno.test(`processing ${processing}: _paramlist names it in order, _active is true of it alone`, async () => {
    const faders = processing === undefined ? [{}, {}] : [{ processing: [...processing] }, {}];
    const other = await testConsole({ configuration: { mixers: [{ faders }] } });
    assertEquals(valueAt(other, `${fader}/_paramlist`), list);
    assertEquals(valueAt(other, "audio/mixers/0/faders/1/_paramlist"), byDefault);
    const expected = paramNames.replaceAll("/", "").split(" ")
      .map((block) => [block, list.includes(block)]);
    assertEquals(activity(other, params), expected as [string, boolean][]);
    assertEquals(valueAt(other, `range/${params}`), valueAt(console, `range/${params}`));
  });
}

Deno.test("meters read -125", () => {
  for (const meter of ["_input", "_pfl", "_afl"]) {
    assertEquals(valueAt(console, `${fader}/meter/${meter}`), [-125, -125]);
  }
  for (const side of ["_left", "_right"]) {
    assertEquals(valueAt(console, `audio/levels/1/${side}`), -125);
  }
  for (const [member, value] of Object.entries(valueAt(console, "audio/loudness/1"))) {
    if (member !== "_name" && member !== "_mode") assertEquals(value, -125, member);
  }
});

Deno.test("_firmware_version has four parts, _api_version is 1.0.0", async () => {
  assertEquals(valueAt(console, "general/_api_version"), "1.0.0");
  const table = [["10.3.0", "10.3.0.0"], ["9.1.0", "9.1.0.0"], ["10.3.0.17", "10.3.0.17"]] as const;
  for (const [firmware, shown] of table) {
    const other = await testConsole({ configuration: { device: { firmware } } });
    assertEquals(valueAt(other, "general/_firmware_version"), shown);
  }
});

Deno.test("a device for audio over IP has streams, a network clock and capabilities; others have none", async () => {
  const aes67 = { streams: [{ id: 3, name: "Programme" }], limited16x16: true };
  const other = await testConsole({ configuration: { aes67 } });
  assertEquals(valueAt(other, "streams"), {
    3: { _name: "Programme", _state: "", _channels: 2, on: false },
  });
  assertEquals(valueAt(other, "general/capabilities"), {
    _extendedfeature: false,
    _limited16x16: true,
    _maxrxstreams: 32,
    _maxtxstreams: 32,
    _rxload: 0,
    _txload: 0,
  });
  const { state, ...clock } = valueAt(other, "general/ptp") as Branch;
  assertEquals(state as unknown, { _clockoffset: 0 });
  assertEquals(Object.keys(clock), Object.keys(valueAt(other, "range/general/ptp")));
  assertEquals(valueAt(other, "general/_temperature") as unknown, 0);
  await result(other, set("/general/ptp", { delaymechanism: "P2P", domain: 300 }));
  const { delaymechanism, domain } = valueAt(other, "general/ptp") as Branch;
  assertEquals([delaymechanism, domain], ["P2P", 127]);
  assertEquals(await codeOf(other, set("/general/ptp/delaymechanism", "E3E")), 3);
  assertEquals(await result(other, set("/streams/3/on", true)), true);
  assertEquals((get(console, "/streams") as Refusal).code, 6);
});

Deno.test("range mirrors every writable leaf, with its type and its default, and nothing else", () => {
  const leaves = (node: Tree, path: string): [string, Tree][] =>
    isBranch(node)
      ? Object.entries(node).flatMap(([member, value]) => leaves(value, `${path}/${member}`))
      : [[path, node]];
  const writable = ["audio", "control"].flatMap((root) => leaves(valueAt(console, root), root))
    .filter(([path]) => !/\/_|\/sourcelist$/.test(path));
  for (const [path, value] of writable) {
    const range = valueAt(console, `range/${path}`) as Record<string, Tree>;
    assertEquals(range.type, typeof value, path);
    assertEquals(range.default, value, path);
    if (typeof value !== "number" || /again\/inc$|sourceid$/.test(path)) continue;
    assert((range.min as number) <= value && value <= (range.max as number), path);
  }
  const isRange = (node: Tree) => isBranch(node) && typeof node.type === "string";
  const mirrored = (node: Tree, path: string): string[] =>
    isRange(node)
      ? [path]
      : Object.entries(node).flatMap(([member, value]) =>
        mirrored(value, path === "" ? member : `${path}/${member}`)
      );
  assertEquals(
    mirrored(valueAt(console, "range"), "").toSorted(),
    writable.map(([path]) => path).toSorted(),
  );
});

Deno.test("fader goes from -160 to 10 dB", () => {
  const range = valueAt(console, `range/${fader}/fader`) as Record<string, Tree>;
  assertEquals([range.min, range.max, range.unit], [-160, 10, "dB"]);
});
