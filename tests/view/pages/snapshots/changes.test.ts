/** What loading a snapshot changes is told before, and is just what the service then does. */
import { assert, assertEquals } from "@std/assert";
import { differences, lineOf } from "../../../../view/pages/snapshots/changes.ts";
import { de, en } from "../../../../view/texts/languages.ts";
import { snapshotsTexts } from "../../../../view/texts/snapshots.ts";
import {
  boolean,
  isLeafDefinition,
  type LeafDefinition,
  number,
  type Ranges,
  type TextLeaf,
} from "../../../../core/tree/leaf.ts";
import { find } from "../../../../core/tree/tree.ts";
import { startService, tokens } from "../../../service.ts";

const inEnglish = snapshotsTexts((english) => english);
const inGerman = snapshotsTexts((_, german) => german);

const names = {
  faders: new Map([["0", "Host"], ["3", "Phone"]]),
  channels: new Map([[4, "Phone"], [7, "Jingles"]]),
};

const dB = number(-160, { min: -160, max: 10, step: 0.1, unit: "dB" });
const hertz = number(80, { step: 1, unit: "Hz" });
const milliseconds = number(200, { step: 1, unit: "ms" });
const whole = number(0, { step: 1 });
const text: TextLeaf = { type: "string", max: 128, default: "" };
const key = boolean(false);

/** A difference, and the line that tells it. */
const lines = [
  [["faders", "3", "fader"], -12, -20, dB, "Fader 4 (Phone): -12.0 dB to -20.0 dB"],
  [["faders", "0", "fader"], -160, 3.5, dB, "Fader 1 (Host): −∞ dB to +3.5 dB"],
  [["faders", "3", "on"], false, true, key, "Fader 4 (Phone), ON: off to on"],
  [["faders", "3", "label"], "", "Anna", text, 'Fader 4 (Phone), Label: none to "Anna"'],
  [["faders", "3", "sourceid"], 4, 7, whole, "Fader 4 (Phone), Source: Phone to Jingles"],
  [
    ["faders", "3", "params", "compressor", "ratio"],
    2,
    3.5,
    number(2, { step: 0.1 }),
    "Fader 4 (Phone), Compressor, Ratio: 2.0 to 3.5",
  ],
  [["params", "eq1", "frequency"], 100, 2500, hertz, "EQ 1, Frequency: 100 Hz to 2.50 kHz"],
  [["mutegroups", "0"], false, true, key, "Mute group 1: off to on"],
  [["faders", "0", "mutegroups", "3"], true, false, key, "Fader 1 (Host), Mute group 4: on to off"],
  [["automix", "1", "hold"], 200, 300, milliseconds, "Automix 1, Hold: 200 ms to 300 ms"],
  [["params", "gain", "again", "value"], 0, 12, whole, "Gain, Microphone gain: 0 to 12"],
  [["params", "eq1", "type"], 0, 6, whole, "EQ 1, Type: Bell to Notch"],
  [["params", "swc", "type"], false, true, key, "Stereo width, Type: off to on"],
  [["fader"], -160, 0, dB, "Level: −∞ dB to 0.0 dB"],
] as const;

for (const [path, from, to, leaf, line] of lines) {
  Deno.test(`a difference is told in a plain line: ${line}`, () => {
    assertEquals(lineOf({ path, from, to, leaf }, en, inEnglish.words, names), line);
  });
}

Deno.test("every value of a mixer is told by a name of the page, in either language", async () => {
  await using service = await startService();
  const ranges = await (await fetch(`${service.url}/api/rest/range/audio/mixers/0`)).json();
  for (const [path, leaf] of leavesOf(ranges)) {
    if (path.at(-1) === "inc") continue;
    for (const [texts, { words }] of [[en, inEnglish], [de, inGerman]] as const) {
      const value = leaf.type === "number" ? 0 : leaf.default;
      const [what] = lineOf({ path, from: value, to: value, leaf }, texts, words, names).split(
        ": ",
      );
      const raw = what!.split(", ").filter((part) => path.includes(part));
      assertEquals(raw, [], path.join("/"));
    }
  }
});

/** All leaves of ranges, each with its path. */
function leavesOf(ranges: Ranges, above: readonly string[] = []): [string[], LeafDefinition][] {
  return Object.entries(ranges).flatMap(([member, node]) =>
    isLeafDefinition(node) ? [[[...above, member], node]] : leavesOf(node, [...above, member])
  );
}

Deno.test("the preview of a load is exactly what the load changes", async () => {
  await using service = await startService();
  const ask = async (method: string, params: object) =>
    (await service.rpc(method, params, tokens.admin)).payload.result;
  const read = async (path: string) => await (await fetch(`${service.url}/api/rest${path}`)).json();
  const set = (path: string, payload: object) =>
    fetch(`${service.url}/api/rest${path}`, {
      method: "POST",
      body: JSON.stringify({ method: "set", path, payload, token: tokens.admin }),
    }).then((answer) => answer.body?.cancel());
  const groups = { writegroups: 255, readgroups: 0 };
  await ask("savesnapshot", { type: 2, id: "", name: "Now", ...groups });
  const list = await ask("getsnapshotlist", { type: 2 });
  const { id } = list.at(-1);
  await set("/audio/mixers/0/faders/3", { fader: -12, on: true, sourceid: 5 });
  await set("/audio/mixers/0/faders/0/params/compressor", { threshold: -40 });
  const { snapshotdata } = await ask("getsnapshot", { id });
  const before = await read("/audio/mixers/0");
  const ranges = await read("/range/audio/mixers/0");
  const channels = before.sourcelist.map(({ _sourceid }: { _sourceid: number }) => _sourceid);
  const told = differences(before, ranges, snapshotdata.content, channels);
  assert(told.length >= 4, "the level, the key, the source, the threshold");
  await ask("loadsnapshot", { id });
  const after = await read("/audio/mixers/0");
  for (const { path, from, to } of told) {
    assertEquals(find(before, path), from, path.join("/"));
    assertEquals(find(after, path), to, path.join("/"));
  }
  assertEquals(differences(after, ranges, snapshotdata.content, channels), []);
});

Deno.test("the preview leaves out what does not fit: another fader, a foreign channel with its label", () => {
  const fader = { fader: -10, sourceid: 4, label: "Phone" };
  const ranges = { faders: { 3: { fader: dB, sourceid: whole, label: text } } };
  const content = {
    faders: {
      3: { fader: 99, sourceid: 200, label: "Foreign" },
      4: { fader: 0 },
    },
  };
  const found = differences({ faders: { 3: fader } }, ranges, content, [4, 7]);
  assertEquals(found, [{ path: ["faders", "3", "fader"], from: -10, to: 10, leaf: dB }]);
});
