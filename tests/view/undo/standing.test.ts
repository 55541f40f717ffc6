/** The changes that undoing a step would make, by the values in force. */
import { assertEquals } from "@std/assert";
import { boolean, number } from "../../../core/tree/leaf.ts";
import { standing, type Step } from "../../../view/undo/standing.ts";

const dB = number(-160, { min: -160, max: 10, step: 0.1, unit: "dB" });
const key = boolean(false);
const FADER = "/audio/mixers/0/faders/3";
const ranges = { fader: dB, on: key };

const step: Step = {
  step: 1,
  at: "2027-01-31T18:00:00.000Z",
  what: "set",
  path: FADER,
  values: 2,
  preview: [
    {
      path: `${FADER}/fader`,
      was: -20,
      put: -12,
      now: -12,
      changed: false,
      needs: "operate" as const,
    },
    {
      path: `${FADER}/on`,
      was: false,
      put: true,
      now: true,
      changed: false,
      needs: "configure" as const,
    },
  ],
};
const level = (from: number) => ({
  path: ["faders", "3", "fader"],
  from,
  to: -20,
  leaf: dB,
  needs: "operate" as const,
});
const on = {
  path: ["faders", "3", "on"],
  from: true,
  to: false,
  leaf: key,
  needs: "configure" as const,
};
const fade = { ...step, what: "fadetovalue", preview: step.preview!.slice(0, 1) };

const rows = [
  ["values that the step has set go back", step, { fader: -12, on: true }, [level(-12), on], []],
  ["a value that is back already is left out", step, { fader: -20, on: true }, [on], []],
  ["a third value counts as changed since", step, { fader: -3, on: true }, [on], [level(-3)]],
  [
    "a fading fader goes back",
    fade,
    { fader: -17, fade: { _to: -12, _time: 2 } },
    [level(-17)],
    [],
  ],
  [
    "a fader whose fade begins goes back, so that the fade ends",
    fade,
    { fader: -20, fade: { _to: -12, _time: 2 } },
    [level(-20)],
    [],
  ],
  [
    "a fader at the end of its fade goes back",
    fade,
    { fader: -12, fade: { _to: -12, _time: 0 } },
    [level(-12)],
    [],
  ],
  [
    "a fader caught by a hand counts as changed since",
    fade,
    { fader: -17, fade: { _to: -12, _time: 0 } },
    [],
    [level(-17)],
  ],
] as const;

for (const [name, step, node, back, changed] of rows) {
  Deno.test(`in the undo of a step ${name}`, () => {
    assertEquals(standing(step, node, ranges), { back: [...back], changed: [...changed] });
  });
}

Deno.test("a value outside of mixers is named from the root", () => {
  const path = "/control/labels/1";
  const text = { type: "string", max: 128, default: "" } as const;
  const preview = [{
    path: `${path}/label`,
    was: "A",
    put: "B",
    now: "B",
    changed: false,
    needs: "operate" as const,
  }];
  const found = standing({ ...step, path, preview }, { label: "B" }, { label: text });
  const leaf = {
    path: ["control", "labels", "1", "label"],
    from: "B",
    to: "A",
    leaf: text,
    needs: "operate" as const,
  };
  assertEquals(found, { back: [leaf], changed: [] });
});
