/** The messages of Mackie Control, from and to a controller. */
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type Action,
  challengeAnswer,
  display,
  KEYS,
  lamp,
  meter,
  type MidiBytes,
  motor,
  query,
  readMessage,
} from "../../../view/midi/mackie.ts";
import { levelAt, travelAt } from "../../../view/parts/fader/scale.ts";

const messages: readonly (readonly [MidiBytes, Action | undefined])[] = [
  [[0xe0, 0x00, 0x00], { what: "move", strip: 0, travel: 0 }],
  [[0xe7, 0x7f, 0x7f], { what: "move", strip: 7, travel: 1 }],
  [[0xe8, 0x7f, 0x7f], undefined],
  [[0xe0, 0x7f], undefined],
  [[0x90, 0x68, 0x7f], { what: "touch", strip: 0, isTouched: true }],
  [[0x90, 0x6f, 0x00], { what: "touch", strip: 7, isTouched: false }],
  [[0x80, 0x6f, 0x40], { what: "touch", strip: 7, isTouched: false }],
  [[0x90, 0x70, 0x7f], undefined],
  [[0x90, 0x00, 0x7f], { what: "press", strip: 0, key: "rec" }],
  [[0x90, 0x0f, 0x7f], { what: "press", strip: 7, key: "solo" }],
  [[0x90, 0x10, 0x7f], { what: "press", strip: 0, key: "mute" }],
  [[0x90, 0x1f, 0x7f], { what: "press", strip: 7, key: "select" }],
  [[0x90, 0x10, 0x00], undefined],
  [[0x90, 0x20, 0x7f], undefined],
  [[0x90, 0x2e, 0x7f], { what: "bank", by: -1 }],
  [[0x90, 0x2f, 0x7f], { what: "bank", by: 1 }],
  [[0x90, 0x30, 0x7f], { what: "channel", by: -1 }],
  [[0x90, 0x31, 0x7f], { what: "channel", by: 1 }],
  [[0x91, 0x10, 0x7f], undefined],
  [[0xe0, 0, 0x80], undefined],
  [[0xe0, 0x80, 0], undefined],
  [[0xf0, 0, 0, 0x66, 0x15, 1, 0xf7], { what: "ready", model: 0x15 }],
  [[0xf0, 0, 0, 0x66, 0x14, 0x12, 0xf7], undefined],
  [[0xf0, 0, 0, 0x67, 0x14, 1, 0xf7], undefined],
  [[], undefined],
];

for (const [bytes, action] of messages) {
  Deno.test(`[${bytes}] is ${JSON.stringify(action) ?? "nothing"}`, () => {
    assertEquals(readMessage(bytes), action);
  });
}

Deno.test("any received bytes are read as an action of a strip, or as nothing", () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 }), (bytes) => {
    const action = readMessage(bytes);
    if (action !== undefined && "strip" in action) {
      assert(action.strip >= 0 && action.strip < 8);
      if (action.what === "move") assert(action.travel >= 0 && action.travel < 1.02);
    }
  }));
});

Deno.test("a level in tenths of a dB survives the conversion to a motor position and back", () => {
  const tenths = fc.integer({ min: -600, max: 100 });
  fc.assert(fc.property(tenths, fc.integer({ min: 0, max: 7 }), (tenth, strip) => {
    const moved = readMessage(motor(strip, travelAt(tenth / 10)));
    assert(moved?.what === "move" && moved.strip === strip);
    assertEquals(levelAt(moved.travel), tenth / 10);
  }));
});

Deno.test("the note of a key lights its lamp", () => {
  assertEquals(KEYS.map((key) => lamp(2, key, "on")), [
    [0x90, 0x02, 127],
    [0x90, 0x0a, 127],
    [0x90, 0x12, 127],
    [0x90, 0x1a, 127],
  ]);
  assertEquals(lamp(0, "rec", "off"), [0x90, 0, 0]);
  assertEquals(lamp(0, "rec", "blink"), [0x90, 0, 1]);
});

Deno.test("a display has two lines of 7 ASCII characters for each strip", () => {
  const text = (bytes: MidiBytes) => String.fromCharCode(...bytes.slice(7, -1));
  const label = display(0x14, 0, 3, "Gäste 12");
  assertEquals(label.slice(0, 7), [0xf0, 0, 0, 0x66, 0x14, 0x12, 21]);
  assertEquals([text(label), label.at(-1)], ["Gaste 1", 0xf7]);
  const level = display(0x15, 1, 7, "-3.0");
  assertEquals([level[4], level[6], text(level)], [0x15, 56 + 49, "-3.0   "]);
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (label) => {
    assert(/^[\x20-\x7e]{7}$/.test(text(display(0x14, 0, 0, label))));
  }));
});

Deno.test("a meter has twelve segments from -60 dBFS to 0 dBFS", () => {
  const levels = [-125, -60.1, -60, -20, -0.1, 0, 6].map((dB) => meter(5, dB)[1]! & 15);
  assertEquals(levels, [0, 0, 1, 5, 11, 12, 12]);
  assertEquals(meter(5, 0), [0xd0, 0x5c]);
});

Deno.test("the challenge of a Logic Control is answered; other controllers send none", () => {
  assertEquals(query(0x10), [0xf0, 0, 0, 0x66, 0x10, 0, 0xf7]);
  const serial = [1, 2, 3, 4, 5, 6, 7];
  const challenge = [...serial, 0x12, 0x34, 0x56, 0x03];
  const asked = readMessage([0xf0, 0, 0, 0x66, 0x10, 1, ...challenge, 0xf7]);
  assertEquals(asked, { what: "ready", model: 0x10, challenge });
  // 0x12 + (0x34 ^ 0x0a) - 3; 0x56 >> 3 ^ 0x15; 3 - (0x56 << 2) ^ 0x36; 0x34 - 0x56 + (0xf0 ^ 0x30).
  assertEquals(challengeAnswer(0x10, challenge), [
    ...[0xf0, 0, 0, 0x66, 0x10, 2, ...serial],
    ...[0x4d, 0x1f, 0x1d, 0x1e],
    0xf7,
  ]);
  const other = readMessage([0xf0, 0, 0, 0x66, 0x14, 1, ...challenge, 0xf7]);
  assertEquals(other, { what: "ready", model: 0x14 });
});
