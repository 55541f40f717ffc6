/** Differing values in the words of the page. */
import { assertEquals } from "@std/assert";
import {
  boolean,
  isLeafDefinition,
  type LeafDefinition,
  number,
  type Ranges,
  type TextLeaf,
} from "../../../core/tree/leaf.ts";
import { isTold, lineOf } from "../../../view/parts/difference.ts";
import { differenceTexts } from "../../../view/texts/difference.ts";
import { de, en } from "../../../view/texts/languages.ts";
import { mixerTexts } from "../../../view/texts/mixer.ts";
import { startService } from "../../service.ts";

const inEnglish = differenceTexts((english) => english);
const inGerman = differenceTexts((_, german) => german);
const english = { ...en, mixer: mixerTexts((english) => english) };
const german = { ...de, mixer: mixerTexts((_, german) => german) };

const names = {
  faders: new Map([["0", "Host"], ["3", "Phone"]]),
  channels: new Map([[4, "Phone"], [7, "Jingles"]]),
  muteGroups: new Map([[3, "Guests"]]),
};

const dB = number(-160, { min: -160, max: 10, step: 0.1, unit: "dB" });
const hertz = number(80, { step: 1, unit: "Hz" });
const milliseconds = number(200, { step: 1, unit: "ms" });
const whole = number(0, { step: 1 });
const text: TextLeaf = { type: "string", max: 128, default: "" };
const key = boolean(false);

/** Differences, each with its line on the page. */
const lines = [
  [["faders", "3", "fader"], -12, -20, dB, "Fader 4 (Phone): -12.0 dB to -20.0 dB"],
  [["faders", "0", "fader"], -160, 3.5, dB, "Fader 1 (Host): −∞ dB to +3.5 dB"],
  [["faders", "3", "on"], false, true, key, "Fader 4 (Phone), ON: off to on"],
  [["faders", "3", "label"], "", "Anna", text, 'Fader 4 (Phone), Label: none to "Anna"'],
  [["faders", "3", "sourceid"], 4, 7, whole, "Fader 4 (Phone), Source: Phone to Jingles"],
  // The mixer no longer lists channel 99.
  [["faders", "3", "sourceid"], 99, 0, whole, "Fader 4 (Phone), Source: 99 to none"],
  [
    ["faders", "3", "params", "compressor", "ratio"],
    2,
    3.5,
    number(2, { step: 0.1 }),
    "Fader 4 (Phone), Compressor, Ratio: 2.0 to 3.5",
  ],
  [["params", "eq1", "frequency"], 100, 2500, hertz, "EQ 1, Frequency: 100 Hz to 2.50 kHz"],
  [["mutegroups", "0"], false, true, key, "Mute group 1: off to on"],
  [
    ["faders", "0", "mutegroups", "3"],
    true,
    false,
    key,
    "Fader 1 (Host), Member of Guests: yes to no",
  ],
  [["automix", "1", "hold"], 200, 300, milliseconds, "Automix 1, Hold: 200 ms to 300 ms"],
  [
    ["faders", "0", "mutegroups", "1"],
    false,
    true,
    key,
    "Fader 1 (Host), Member of Mute group 2: no to yes",
  ],
  [["params", "gain", "again", "value"], 0, 12, whole, "Gain, Microphone gain: 0 to 12"],
  [["params", "eq1", "type"], 0, 6, whole, "EQ 1, Type: Bell to Notch"],
  [["params", "swc", "type"], false, true, key, "Stereo width, Type: off to on"],
  [["fader"], -160, 0, dB, "Level: −∞ dB to 0.0 dB"],
  [["audio", "pots", "1", "value"], 0, -6, dB, "Pot 1: 0.0 dB to -6.0 dB"],
  [["control", "labels", "1", "label"], "A", "", text, 'Label 1, Label: "A" to none'],
  [["audio", "routing", "routes", "2"], "1", "3", text, 'Route 2: "1" to "3"'],
] as const;

for (const [path, from, to, leaf, line] of lines) {
  Deno.test(`a difference is a line of plain words: ${line}`, () => {
    assertEquals(lineOf({ path, from, to, leaf }, english, inEnglish, names), line);
  });
}

Deno.test("in the snapshot of a channel, too, a mute group is the membership of the fader", () => {
  const difference = { path: ["mutegroups", "3"], from: true, to: false, leaf: key };
  const ofFader = { ...names, areOfFader: true };
  assertEquals(lineOf(difference, english, inEnglish, ofFader), "Member of Guests: yes to no");
  assertEquals(lineOf(difference, german, inGerman, ofFader), "Mitglied von Guests: ja auf nein");
});

Deno.test("every value of a mixer has a name of the page in both languages", async () => {
  await using service = await startService();
  const ranges = await (await fetch(`${service.url}/api/rest/range/audio/mixers/0`)).json();
  for (const [path, leaf] of leavesOf(ranges)) {
    if (path.at(-1) === "inc" || !isTold(path.at(-1)!)) continue;
    for (const [texts, words] of [[english, inEnglish], [german, inGerman]] as const) {
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
