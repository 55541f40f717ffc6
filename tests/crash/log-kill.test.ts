/** A service that is killed while it writes. */
import { assertEquals } from "@std/assert";
import { openLog } from "../../runtimes/deno/log.ts";
import { chanceOf, seedOfRun } from "../storage/random.ts";
import { inFolder } from "../storage/texts.ts";
import { killWriters } from "./kills.ts";

Deno.test("After kill -9 at any moment a restart shows every record that was acknowledged", async (t) => {
  const seed = seedOfRun();
  await t.step(`FADERD_SEED=${seed}`, () =>
    inFolder(async (folder) => {
      const { kills, compacted } = await killWriters(folder, 8, chanceOf(seed));
      assertEquals([kills, compacted], [8, 8], "every start after a kill finds a checkpoint");
    }));
});

Deno.test("The lock dies with the process that holds it", () =>
  inFolder(async (folder) => {
    await killWriters(folder, 1, chanceOf(1));
    await (await openLog(folder)).close();
  }));
