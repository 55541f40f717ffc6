import { assert } from "@std/assert";
import { openLog } from "../../runtimes/deno/log.ts";
import { memoryOf, startFaderd, temporaryFolder } from "./faderd.ts";

const LOG_BYTES = 28_000_000;
/** Maximum growth of the memory in MB: far less than the log. */
const LEFT_MB = 15;

const record = (...events: object[]) => new TextEncoder().encode(JSON.stringify(events));
const admin = {
  name: "admin",
  groups: 255,
  admin: true,
  tokenHash: "0".repeat(64),
  engine: false,
  may: "configure",
  created: "2026-10-02T07:30:00.005Z",
};

async function residentMegabytes(logBytes: number): Promise<number> {
  await using folder = await temporaryFolder();
  const log = await openLog(folder.path);
  await log.append(record({ type: "userwritten", user: admin }));
  while (log.space.total < logBytes) {
    const label = "x".repeat(1000);
    await Promise.all(Array.from({ length: 100 }, (_, change) => {
      const faders = { 0: { fader: -(change % 100), label }, 1: { on: change % 2 === 0 } };
      return log.append(
        record({ type: "valueskept", patch: { audio: { mixers: { 0: { faders } } } } }),
      );
    }));
  }
  await log.close();
  await using service = await startFaderd("--data", folder.path);
  return (await memoryOf(service.pid)).resident / 1e6;
}

Deno.test("the log that a start has replayed does not stay in memory", async () => {
  // Single starts differ by up to 30 MB by chance; memory that is kept shows in each of them.
  const left: number[] = [];
  for (let starts = 0; starts < 3 && !left.some((megabytes) => megabytes < LEFT_MB); starts++) {
    const nothing = await residentMegabytes(0);
    left.push(await residentMegabytes(LOG_BYTES) - nothing);
  }
  assert(Math.min(...left) < LEFT_MB, `${left} MB of ${LOG_BYTES / 1e6} are left`);
});
