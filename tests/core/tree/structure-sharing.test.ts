import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { assert, assertEquals } from "@std/assert";
import { applyBackup } from "../../../core/backup/restore-backup.ts";
import type { Branch, Tree } from "../../../core/tree/tree.ts";
import { set } from "../../../core/tree/set.ts";
import { DEVICE } from "../../../core/users/user.ts";
import { result, testConsole } from "../../service.ts";
import { valueAt } from "../actors.ts";

/** The paths of the objects below `after` that are new: not the same objects as in `before`. */
function copied(before: Tree | undefined, after: Tree, path = ""): string[] {
  if (typeof after !== "object" || before === after) return [];
  const below = Object.entries(after).flatMap(([member, value]) =>
    copied((before as Branch)[member], value, `${path}/${member}`)
  );
  return [path || "/", ...below];
}

const mixers = ["/", "/audio", "/audio/mixers", "/audio/mixers/0"];
const fader = "/audio/mixers/0/faders/3";

const table: readonly [string, unknown, readonly string[]][] = [
  [`${fader}/fader`, -20, [...mixers, "/audio/mixers/0/faders", fader]],
  [`${fader}/params/eq1/gain`, 3, [
    ...mixers,
    "/audio/mixers/0/faders",
    fader,
    `${fader}/params`,
    `${fader}/params/eq1`,
  ]],
  [fader, { on: true, options: { autooffair: true } }, [
    ...mixers,
    "/audio/mixers/0/faders",
    fader,
    `${fader}/options`,
  ]],
  [`${fader}/label`, "Anna", [
    ...mixers,
    "/audio/mixers/0/sourcelist",
    "/audio/mixers/0/sourcelist/3",
    "/audio/mixers/0/faders",
    fader,
  ]],
];

for (const faders of [16, 1024]) {
  Deno.test(`a set copies only the objects on the way to its leaf, with ${faders} faders`, async () => {
    const console = await testConsole({ configuration: { mixers: [{ faders }, { faders: 2 }] } });
    for (const [path, value, expected] of table) {
      const before = console.state.tree;
      await result(console, set(path, value));
      assertEquals(copied(before, console.state.tree).toSorted(), [...expected].toSorted(), path);
    }
  });
}

Deno.test("faders with the same processing share one object for it, in all mixers and a restored console", async () => {
  const short = ["eq1", "limiter"];
  const configuration = {
    mixers: [
      { faders: [{}, { processing: short }, {}] },
      { faders: [{ processing: [...short] }, {}, { processing: short.toReversed() }] },
    ],
    processings: 2,
  };
  const prepared = await testConsole({ configuration: { mixers: [] } });
  const { written } = (await testConsole({ configuration })).state.configuration;
  const backup = { configuration: written, settings: {}, snapshots: {} };
  await applyBackup(prepared, backup, DEVICE, withoutPauses);
  for (const console of [await testConsole({ configuration }), prepared]) {
    const of = (fader: string, member: string) =>
      valueAt(console, `/audio/mixers/${fader.replace("/", "/faders/")}/${member}`);
    for (const member of ["params", "_paramlist"]) {
      assert(of("0/0", member) === of("0/2", member), member);
      assert(of("0/0", member) === of("1/1", member), member);
      assert(of("0/1", member) === of("1/0", member), member);
      assert(of("0/0", member) !== of("0/1", member), member);
    }
    const flex = [0, 1].map((fp) => valueAt(console, `/audio/flexprocessings/${fp}/params`));
    assert(flex[0] === flex[1]);
  }
});

Deno.test("faders that were never touched share one object for their processing", async () => {
  const console = await testConsole({ configuration: { mixers: [{ faders: 1024 }] } });
  const params = (id: number) => valueAt(console, `/audio/mixers/0/faders/${id}/params`);
  const first = params(0);
  await result(console, set("/audio/mixers/0/faders/0/params/eq1/on", true));
  assert(params(0) !== first);
  for (let id = 1; id < 1024; id++) assert(params(id) === first);
});
