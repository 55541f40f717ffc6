/** `get` of a part of a branch: `depth` and `only`. */
import { assert, assertEquals } from "@std/assert";
import { type Extent, get } from "../../../core/tree/get.ts";
import { testConsole } from "../../service.ts";
import { granted, valueAt } from "../actors.ts";

const MIXER = "/audio/mixers/0";
const console = await testConsole();

function part(path: string, depth: number, ...only: string[]) {
  const extent: Extent = { depth, only: only.length === 0 ? undefined : new Set(only) };
  // Through JSON, as a client reads it: members are left out when they are written as JSON.
  return JSON.parse(JSON.stringify(granted(get(console, path, extent)).value));
}

Deno.test("a get with depth has whole levels down to depth, {} for a deeper branch, and whole lists", () => {
  const { faders, sourcelist, options } = part(MIXER, 3);
  const { label, params, mutegroups } = faders[0];
  assertEquals([label, params, mutegroups], ["Host", {}, {}]);
  assertEquals(sourcelist, valueAt(console, `${MIXER}/sourcelist`));
  assertEquals(options, { ...options, pfl1: valueAt(console, `${MIXER}/options/pfl1`) });
  assertEquals(part(MIXER, 9), JSON.parse(JSON.stringify(valueAt(console, MIXER))));
});

Deno.test("only chooses members at the last level of depth; unknown names choose nothing", () => {
  const { 0: first } = part(`${MIXER}/faders`, 2, "label", "on", "constructor");
  assertEquals(first, { on: false, label: "Host" });
  assertEquals(part(`${MIXER}/faders/0/options`, 1, "autooffair"), { autooffair: false });
  assertEquals(part(`${MIXER}/_name`, 1, "length"), "On Air");
});

Deno.test("a get without depth and only hands out the value itself, without a copy", () => {
  assert(granted(get(console, MIXER)).value === valueAt(console, MIXER));
});
