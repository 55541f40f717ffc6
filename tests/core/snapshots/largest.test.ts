import { assert } from "@std/assert";
import { getSnapshot } from "../../../core/snapshots/getsnapshot.ts";
import { set } from "../../../core/tree/set.ts";
import type { Leaf, Patch } from "../../../core/tree/tree.ts";
import { isLeafDefinition, type LeafDefinition, type Ranges } from "../../../core/tree/leaf.ts";
import { result, testConsole } from "../../service.ts";
import { actor, granted } from "../actors.ts";
import { saved } from "./saved.ts";

const encoder = new TextEncoder();

/** The value of a leaf whose JSON has the most bytes. */
function longest(leaf: LeafDefinition): Leaf {
  if (leaf.type === "boolean") return false;
  if (leaf.type === "string") return "\u{1F39A}".repeat(leaf.max);
  const { min = 0, max = 0 } = leaf;
  return Math.min(max, min + (max - min) / 3 * 1.000000000000001);
}

function longestOf(ranges: Ranges): Patch {
  const values = Object.entries(ranges)
    .filter(([member, node]) => member !== "sourceid" && !("adds" in node))
    .map(([member, node]) => [member, isLeafDefinition(node) ? longest(node) : longestOf(node)]);
  return Object.fromEntries(values);
}

for (const faders of [1, 40]) {
  Deno.test(`the largest snapshot of a mixer of ${faders} faders is within snapshotBytes`, async () => {
    const configuration = {
      mixers: [{ faders, automix: 2, cleanfeeds: 2, mutegroups: 4 }],
      processings: 1,
    };
    const console = await testConsole({ configuration });
    const { ranges, snapshotBytes } = console.state;
    await result(console, set("/", { audio: longestOf(ranges.audio as Ranges) }));
    const admin = actor(console, "admin");
    for (const type of [1, 2, 3] as const) {
      const name = "\u{1F39A}".repeat(64);
      const id = await saved(console, { type, fader: 0, fp: 0, name });
      const { snapshotdata } = granted(
        await getSnapshot(console.state, { id }, admin),
      );
      const bytes = encoder.encode(JSON.stringify(snapshotdata)).length;
      assert(bytes <= snapshotBytes, `type ${type}: ${bytes}`);
      if (type === 2) assert(bytes > snapshotBytes / 2, `${bytes} of ${snapshotBytes}`);
    }
  });
}

Deno.test("snapshotBytes of a console without mixers and flex processings is under 1024", async () => {
  const { snapshotBytes } = (await testConsole({ configuration: {} })).state;
  assert(snapshotBytes < 1024, `${snapshotBytes}`);
});
