import { assertEquals } from "@std/assert";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { set } from "../../../core/tree/set.ts";
import { result, testConsole } from "../../service.ts";
import { codeOf, valueAt } from "../actors.ts";

const fader = "/audio/mixers/0/faders/0";
const source = "/audio/mixers/0/sourcelist/0";

/** A label that is set, and the label that is shown then; a number is the code of a refusal. */
const labels: readonly (readonly [string, string, string | number])[] = [
  ["a plain text", "Anna", "Anna"],
  ["an empty text: the configured default", "", "Host"],
  ["a blank: the configured default", " ", "Host"],
  ["white space and what has no width: the configured default", "\u3000\u200b", "Host"],
  ["128 characters", "x".repeat(128), "x".repeat(128)],
  ["129 characters", "x".repeat(129), 3],
  ["128 characters outside the basic plane", "😀".repeat(128), "😀".repeat(128)],
  ["129 characters outside the basic plane", "😀".repeat(129), 3],
  ["decomposed letters: they are composed", "Ame\u0301lie", "Am\u00e9lie"],
  ["128 letters that come decomposed", "e\u0301".repeat(128), "\u00e9".repeat(128)],
  ["a letter that has no composed form", "x\u0301", "x\u0301"],
  ["128 letters that grow in NFC", "\u0958".repeat(128), 3],
  ["a NUL", "a\0b", 3],
  ["a line feed", "a\n", 3],
  ["DEL", "\x7f", 3],
  ["a C1 control character", "\x85", 3],
  ["a control of the direction, an override", "Anna\u202Etsoh", 3],
  ["a control of the direction, an isolate", "\u2067Anna", 3],
  ["a control of the direction, a mark", "Anna\u200f", 3],
  ["half a surrogate pair, high", "\ud83d", 3],
  ["half a surrogate pair, low", "a\ude00b", 3],
  ["right-to-left text", "חדשות", "חדשות"],
  ["__proto__", "__proto__", "__proto__"],
];

for (const [what, written, expected] of labels) {
  Deno.test(`a label of ${what}`, async () => {
    const byTree = await testConsole();
    const byChannel = await testConsole();
    for (const console of [byTree, byChannel]) await result(console, set(`${fader}/label`, "was"));
    const codes = [
      await codeOf(byTree, set(`${fader}/label`, written)),
      await codeOf(byChannel, setChannelLabel(1, written)),
    ];
    const code = typeof expected === "number" ? expected : 0;
    const shown = typeof expected === "number" ? "was" : expected;
    assertEquals(codes, [code, code]);
    for (const console of [byTree, byChannel]) {
      assertEquals(valueAt(console, `${fader}/label`), shown);
      assertEquals(valueAt(console, `${source}/_label`), shown);
      assertEquals(valueAt(console, `${source}/_defaultlabel`), "Host");
      assertEquals(valueAt(console, `${fader}/_defaultlabel`), "Host");
    }
  });
}

Deno.test("setchannellabel answers the label now shown, its mixer and its channel", async () => {
  const console = await testConsole();
  const answer = { label: "Cleo", mixer: 1, sourceid: 103 };
  assertEquals(await result(console, setChannelLabel(103, "Cleo")), answer);
  assertEquals(valueAt(console, "/audio/mixers/1/faders/2/label"), "Cleo");
  assertEquals(await result(console, setChannelLabel(103, "Cleo")), answer);
  assertEquals(await result(console, setChannelLabel(103, "")), { ...answer, label: "Line 1" });
});

Deno.test("a label shows in the sourcelist with the same event", async () => {
  const console = await testConsole();
  const patches: unknown[] = [];
  console.watch((event) => patches.push(event.type === "treechanged" && event.patch));
  await result(console, setChannelLabel(2, "Bert"));
  await result(console, set("/audio/mixers/0/faders/1/label", ""));
  const patch = (label: string) => ({
    audio: { mixers: { 0: { faders: { 1: { label } }, sourcelist: { 1: { _label: label } } } } },
  });
  assertEquals(patches, [patch("Bert"), patch("Guest 1")]);
});

Deno.test("a label finds its place in the sourcelist where faders are not numbered from 0", async () => {
  const faders = [{ id: 7, channel: 70, label: "G" }, { id: 1, channel: 10 }, { id: 0 }];
  const console = await testConsole({ configuration: { mixers: [{ id: 5, faders }] } });
  await result(console, setChannelLabel(70, "seven"));
  await result(console, set("/audio/mixers/5/faders", { 0: { label: "zero" } }));
  assertEquals(valueAt(console, "/audio/mixers/5/sourcelist"), [
    { _defaultlabel: "G", _label: "seven", _sourceid: 70 },
    { _defaultlabel: "Fader 2", _label: "Fader 2", _sourceid: 10 },
    { _defaultlabel: "Fader 3", _label: "zero", _sourceid: 1 },
  ]);
});

Deno.test("a label for a channel that no fader carries is error 6", async () => {
  const console = await testConsole();
  const { state } = console;
  for (const channel of [0, 9, -1, 1.5, 2 ** 53]) {
    assertEquals(await codeOf(console, setChannelLabel(channel, "x")), 6);
  }
  assertEquals(console.state === state, true);
});

Deno.test("an empty text resets a global label; its rules are those of every label", async () => {
  const console = await testConsole();
  const path = "/control/labels/1";
  assertEquals(await result(console, set(path, { label: "e\u0301" })), { label: "\u00e9" });
  assertEquals(await codeOf(console, set(`${path}/label`, "a\tb")), 3);
  for (const empty of ["", " \u3000"]) {
    await result(console, set(path, { label: "was" }));
    assertEquals(await result(console, set(path, { label: empty })), { label: "Studio 1" });
  }
  assertEquals(await codeOf(console, set(`${path}/_defaultlabel`, "x")), 7);
});
