/** A service that is killed while it writes. */
import { assertEquals } from "@std/assert";
import { openLog } from "../../runtimes/deno/log.ts";
import { chanceOf, seedOfRun } from "../storage/random.ts";
import { inFolder } from "../storage/texts.ts";
import { forNode } from "../runtimes/node/in-node.ts";
import { type Command, killWriters } from "./kills.ts";

/** Runs an action with the command of a writer, in each runtime. */
const writers: Readonly<
  Record<string, (action: (command?: Command) => Promise<void>) => Promise<void>>
> = {
  Deno: (action) => action(),
  "Node, of which Deno reads the log": async (action) => {
    await using program = await forNode("tests/crash/node-writer.ts");
    await action(["node", program.file]);
  },
};

for (const [runtime, withWriter] of Object.entries(writers)) {
  Deno.test(`After kill -9 at any moment a restart finds every acknowledged record: in ${runtime}`, async (t) => {
    const seed = seedOfRun();
    await t.step(`FADERD_SEED=${seed}`, () =>
      withWriter((command) =>
        inFolder(async (folder) => {
          const { kills, compacted } = await killWriters(folder, 8, chanceOf(seed), command);
          assertEquals([kills, compacted], [8, 8], "every start after a kill finds a checkpoint");
        })
      ));
  });

  Deno.test(`The lock ends with the process that holds it: in ${runtime}`, () =>
    withWriter((command) =>
      inFolder(async (folder) => {
        await killWriters(folder, 1, chanceOf(1), command);
        await (await openLog(folder)).close();
      })
    ));
}
