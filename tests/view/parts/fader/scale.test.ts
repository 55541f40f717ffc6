import { assertAlmostEquals, assertEquals } from "@std/assert";
import { remaining } from "../../../../view/parts/fader/remaining.ts";
import { levelText, MARKS, markText } from "../../../../view/parts/fader/scale.ts";
import { de, en } from "../../../../view/texts/languages.ts";
import { levelAt, planFade } from "../../../../fade/plan.ts";

const texts: readonly (readonly [dB: number, text: string])[] = [
  [-12, "-12.0 dB"],
  [0, "0.0 dB"],
  [-0.04, "0.0 dB"],
  [3.46, "+3.5 dB"],
  [-159.9, "-159.9 dB"],
  [-160, "−∞ dB"],
];
for (const [dB, text] of texts) {
  Deno.test(`${dB} dB is read as ${text}`, () => assertEquals(levelText(dB, en.decimal), text));
}

Deno.test("a level is read with a comma in German", () => {
  assertEquals(levelText(-6, de.decimal), "-6,0 dB");
});

Deno.test("the marks are listed from the top to off", () => {
  assertEquals(MARKS.map(markText).join(" "), "10 5 0 5 10 20 30 40 60 −∞");
});

Deno.test("the position of a fader gives the remaining time of its fade, at every step", () => {
  const fade = { from: -160, to: -3, seconds: 4 };
  const plan = planFade(fade.from, fade.to, 0, fade.seconds);
  for (let step = 0; step <= plan.steps; step++) {
    assertAlmostEquals(remaining(fade, levelAt(plan, step)), 4 - step * 0.02, 1e-6);
  }
});

Deno.test("a fade to the level of the fader has no remaining time", () => {
  assertEquals(remaining({ from: -10, to: -10, seconds: 5 }, -10), 0);
});
