/** The simulation is worth something where it notices what is missing. */
import { assert, assertEquals } from "@std/assert";
import { survey, tryMutant } from "./mutants.ts";

const seed = 1;
/** What is caught soon in every run; `deno task cuts --mutants` tries all of them for longer. */
const caughtSoon = [
  /^checkpoint-file\.ts:\d+ N\.checkpoint\.new$/,
  /^checkpoint-file\.ts:\d+ folder$/,
  /^copy-file\.ts:\d+ N\.log\.new$/,
  /^tail\.ts:\d+ N\.log$/,
  /^tail\.ts:\d+ folder$/,
];

Deno.test("The simulation comes by every line of the log that syncs, and catches the log without one", async (t) => {
  const { sites, unseen } = await survey(seed, 800);
  assertEquals(unseen, [], "lines that no state comes by");
  for (const kind of caughtSoon) {
    await t.step(`a mutant of ${kind.source}`, async () => {
      const caught: string[] = [];
      for (const site of sites.filter((site) => kind.test(site))) {
        const { caughtAfter } = await tryMutant(site, { seed, most: 150 });
        if (caughtAfter !== undefined) caught.push(site);
      }
      assert(caught.length > 0, "none of them is caught");
    });
  }
});
