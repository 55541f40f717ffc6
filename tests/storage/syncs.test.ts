/** The number of syncs of a change: one, and two if it begins a segment. */
import { assert, assertEquals } from "@std/assert";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { createFadeDriver } from "../../core/fades/fade-driver.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { set } from "../../core/tree/set.ts";
import type { Log } from "../../storage/contract.ts";
import { simulatedTime } from "../fade/simulated_time.ts";
import { result, testConsole } from "../service.ts";
import { appendAll, record, simulatedLog } from "./texts.ts";

async function counted() {
  const { disk, open } = simulatedLog();
  let syncs = 0;
  disk.faults = (operation) => void (syncs += operation.startsWith("sync") ? 1 : 0);
  const log = await open();
  const during = async (work: (log: Log) => Promise<unknown>) => {
    syncs = 0;
    await work(log);
    return syncs;
  };
  return { log, during, syncs: () => syncs };
}

const picture = new Uint8Array(4_000_000).fill(7);

Deno.test("The first record of a log takes three syncs, each later change one, and 64 changes at once one together", async () => {
  const { during } = await counted();
  assertEquals(await during((log) => log.append(record("begins the log"))), 3);
  assertEquals(await during((log) => log.append(record("a"))), 1);
  const labels = Array.from({ length: 64 }, (_, at) => `label ${at}`);
  assertEquals(await during((log) => appendAll(log, labels)), 1);
});

Deno.test("A picture of 4 MB takes one sync, and a second one if it begins a segment", async () => {
  const { during } = await counted();
  await during((log) => log.append(record("a")));
  assertEquals(await during((log) => log.append(picture)), 1);
  for (let count = 0; count < 5; count++) {
    assert(await during((log) => log.append(picture)) <= 2);
  }
});

Deno.test("A set during the write of a picture waits for that sync and one of its own", async () => {
  const { during, syncs } = await counted();
  await during((log) => log.append(record("a")));
  const waited: number[] = [];
  await during((log) =>
    Promise.all([picture, record("set"), record("set")].map(async (one) => {
      await log.append(one);
      waited.push(syncs());
    }))
  );
  assertEquals(waited, [1, 2, 2]);
});

Deno.test("A set of a fader, a set of a label and a fade of one second take one sync each", async () => {
  const { log, during } = await counted();
  const { timer, clock: { monotonic }, runTo } = simulatedTime();
  const console = await testConsole({ store: log, clock: { now: monotonic, monotonic } });
  const fades = createFadeDriver(console, timer);
  const level = set("/audio/mixers/0/faders/0/fader", -20);
  assertEquals(await during(() => result(console, level)), 1);
  assertEquals(await during(() => result(console, setChannelLabel(1, "Stage"))), 1);
  const fade = fadeToValue({ mixer: 0, fader: 0, seconds: 1, value: 0 });
  const ofFade = await during(async () => {
    await result(console, fade);
    runTo(1000);
    await fades.stop();
  });
  assertEquals(ofFade, 1);
});
