/** The part of a change at and below a path; selectors are whole (decisions.md, "Control tree"). */
import { assertEquals } from "@std/assert";
import { type Branch, merge, parsePath, type Patch } from "../../../core/tree/tree.ts";
import { changeBelow } from "../../../core/tree/selectors.ts";

const before: Branch = {
  audio: {
    selectors: {
      selectors: {
        1: { _name: "Studio", _sourcelist: "1", left: "1", right: "2" },
        2: { _name: "Control", _sourcelist: "1", left: "3", right: "4" },
      },
      sourcelists: { 1: { _name: "All" } },
    },
    pots: { 1: { value: 0 } },
  },
  general: { _uptime: 0 },
};

const selectors = (patch: Patch): Patch => ({ audio: { selectors: { selectors: patch } } });
const whole = selectors({ 1: { left: "9", right: "2" } });

const left = selectors({ 1: { left: "9" } });
const above = ["/", "/audio", "/audio/selectors", "/audio/selectors/selectors"];
const other = { general: { _uptime: 1 } };
const sourcelist = { audio: { selectors: { sourcelists: { 1: { _name: "Few" } } } } };
const pot = { audio: { pots: { 1: { value: 1 } } } };

/** A change, a path, and the part of the change in the update for that path. */
const rows: readonly (readonly [Patch, string, Patch | undefined])[] = [
  ...above.map((path) => [left, path, whole] as const),
  [left, "/audio/selectors/selectors/1", whole],
  [left, "/audio/selectors/selectors/1/left", left],
  [left, "/audio/selectors/selectors/1/right", undefined],
  [left, "/audio/selectors/selectors/2", undefined],
  [left, "/audio/pots", undefined],
  [selectors({ 2: { right: "9" } }), "/audio", selectors({ 2: { left: "3", right: "9" } })],
  [
    selectors({ 1: { left: "9" }, 2: { left: "7", right: "8" } }),
    "/audio/selectors",
    selectors({ 1: { left: "9", right: "2" }, 2: { left: "7", right: "8" } }),
  ],
  [selectors({ 1: { _name: "New" } }), "/audio", selectors({ 1: { _name: "New" } })],
  [
    selectors({ 1: { _name: "New", right: "9" } }),
    "/audio/selectors/selectors/1",
    selectors({ 1: { _name: "New", left: "1", right: "9" } }),
  ],
  [{ ...left, ...other }, "/", { ...whole, ...other }],
  [{ ...left, ...other }, "/general", other],
  [sourcelist, "/audio", sourcelist],
  [pot, "/audio/pots/1", pot],
];

Deno.test("an update for a path holds the changes at and below it; a selector that it covers is whole", () => {
  for (const [patch, path, expected] of rows) {
    const given = structuredClone(patch);
    const message = `${JSON.stringify(patch)} at ${path}`;
    assertEquals(changeBelow(merge(before, patch), patch, parsePath(path)), expected, message);
    assertEquals(patch, given, "the change itself stays what it is");
  }
});
