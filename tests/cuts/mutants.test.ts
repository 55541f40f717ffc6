/** The simulation of power cuts notices a log that lacks one of its syncs. */
import { assert } from "@std/assert";
import { survey, tryMutant } from "./mutants.ts";

const seed = 1;
/**
 * Missing syncs that are noticed within a few states. `deno task cuts --mutants` tries every sync,
 * for longer.
 */
const caughtSoon: readonly [what: string, site: RegExp][] = [
  ["that makes a checkpoint durable", /^checkpoint-file\.ts:\d+ reserve$/],
  ["that makes a checkpoint's name durable", /^checkpoint-file\.ts:\d+ folder$/],
  ["of a segment that takes the place of an unfinished one", /^copy-file\.ts:\d+ N\.log\.new$/],
  ["of the checkpoint of a repair", /^checkpoint-file\.ts:\d+ N\.checkpoint\.new$/],
  ["of the segment of a repair", /^repair\.ts:\d+ N\.log\.new$/],
  ["of the names of a repair", /^repair\.ts:\d+ folder$/],
  ["of a commit", /^active-segment\.ts:\d+ N\.log$/],
  ["that makes recovered records durable", /^recovered-end\.ts:\d+ folder$/],
  ["of a segment's name", /^rotation\.ts:\d+ folder$/],
];

const { sites } = await survey(seed, 100);

for (const [what, kind] of caughtSoon) {
  Deno.test(`The simulation catches the log without a sync ${what}`, async () => {
    let caught = false;
    for (const site of sites.filter((site) => kind.test(site))) {
      caught ||= (await tryMutant(site, { seed, most: 30 })).caughtAfter !== undefined;
    }
    assert(caught, "no missing sync of this kind was noticed");
  });
}
