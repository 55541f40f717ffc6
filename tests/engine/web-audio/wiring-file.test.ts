import { assertEquals, assertThrows } from "@std/assert";
import { checkWiring, tones } from "../../../engine/web-audio/wiring-file.ts";

Deno.test("a wiring has defaults for absent members", () => {
  assertEquals(checkWiring({ sources: { 3: { kind: "noise", level: -20 } } }), {
    sources: { 3: { kind: "noise", level: -20, seed: 1 } },
    processings: {},
    inputs: {},
    levels: {},
    loudness: {},
  });
});

Deno.test("a wrong wiring is refused, and the message has the place of the fault", () => {
  const wrong: readonly (readonly [unknown, string])[] = [
    [7, "all of it"],
    [{ sources: { 1: { kind: "tone", frequency: 0, level: -20 } } }, "sources.1.frequency"],
    [{ sources: { 1: { kind: "tone", frequency: 440, level: 3 } } }, "sources.1.level"],
    [{ sources: { 1: { kind: "organ" } } }, "sources.1.kind"],
    [{ outputs: { "mixer/0": [0] } }, "outputs.mixer/0"],
    [{ speakers: {} }, "speakers"],
  ];
  for (const [written, where] of wrong) {
    assertThrows(() => checkWiring(written), RangeError, `the wiring: ${where}`);
  }
});

Deno.test("without a wiring each channel has a tone", () => {
  assertEquals(tones().sources["1"], { kind: "tone", frequency: 110, level: -20 });
  assertEquals(Object.keys(tones().sources).length, 1024);
});
