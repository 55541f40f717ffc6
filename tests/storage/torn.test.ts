/** The remains of a write after a power cut, also of one with forged bytes. */
import { assert, assertEquals } from "@std/assert";
import { wrapFiles } from "../../storage/file-system.ts";
import { recordsFrom } from "../../storage/format.ts";
import { openLog } from "../../runtimes/deno/log.ts";
import { encodeRecords } from "../../storage/records.ts";
import { provesDamage } from "../../storage/scan.ts";
import { collecting, record, simulatedLog } from "./texts.ts";

Deno.test("A cut that garbles the sectors of the write in flight damages no earlier record, in 80 of 80 states", async () => {
  for (let before = 1; before <= 80; before++) {
    const { disk, open, reopened } = simulatedLog({}, before);
    const log = await open();
    const texts = Array.from({ length: before }, (_, at) => `label ${at}`.padEnd(before));
    for (const one of texts) await log.append(record(one));
    const end = log.space.total;
    await log.append(record("under way".padEnd(700)));
    disk.tamper("00000001.log", (content) => {
      return content.map((byte, at) => at >= Math.ceil(end / 512) * 512 ? byte ^ at ^ 1 : byte);
    });
    disk.restart("power");
    const { found, recovery } = await reopened();
    assertEquals([found, recovery.damage], [texts, undefined]);
  }
});

/** Payloads full of bytes that look like records, as far as a client without the salt can. */
function* hostilePayloads(): Generator<Uint8Array> {
  const bytes = 1_000_000;
  for (const salt of [0, 1, 0xffffffff]) {
    const payload = new Uint8Array(bytes);
    for (let at = 0; at < bytes - 600; at += 512) {
      const claimed = encodeRecords([record("x".repeat(400))], { salt, end: recordsFrom + at });
      payload.set(claimed, at + 496);
    }
    yield payload;
  }
  // Each place claims a length up to the end, and a plausible end of the records before it.
  const payload = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at++) payload[at] = [0, 0, 32, 0][at % 4]!;
  yield payload;
}

Deno.test("A kill in the middle of the write of a picture full of forged records is a torn write, never damage", async () => {
  for (const payload of hostilePayloads()) {
    const { disk, open } = simulatedLog();
    const log = await open();
    for (const one of [record("first"), payload]) await log.append(one);
    await log.close();
    // The header of the record is written last, so the kill leaves it out, and no segment is closed.
    disk.tamper("00000001.log", (bytes) => bytes.fill(0, 5120, 5136).slice(0, -1));
    const { found, options } = collecting();
    let read = 0;
    const files = wrapFiles(disk.files, (file) => ({
      ...file,
      async read(buffer, offset) {
        const count = await file.read(buffer, offset);
        read += count;
        return count;
      },
    }));
    const again = await openLog("data", { files, ...options });
    assertEquals([found, again.recovery.damage], [["first"], undefined]);
    assertEquals(again.recovery.cut?.offset, 4629);
    assert(read < 3 * payload.length, `${read} bytes read`);
    await again.append(record("second"));
    await again.close();
  }
});

Deno.test("The search for proof of damage reads one place in 512 bytes, whatever the content", () => {
  for (const payload of hostilePayloads()) {
    for (const shift of [0, 1, 496]) {
      const bytes = payload.slice(shift);
      const view = new DataView(bytes.buffer);
      let numbers = 0;
      view.getUint32 = (at) => {
        numbers += 1;
        return DataView.prototype.getUint32.call(view, at);
      };
      const isDamage = provesDamage(view, 8192, 4608, 0x5eed1234);
      assertEquals(isDamage, false);
      assert(numbers <= 3 * Math.ceil(bytes.length / 512), `${numbers} numbers`);
    }
  }
});
