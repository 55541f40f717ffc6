import { assert, assertEquals } from "@std/assert";
import { cutOff } from "../../transport/cut-off.ts";
import { collected } from "../core/backup/archives.ts";
import { passingTime } from "../timers.ts";

Deno.test("a client that does not read for 60 s is cut off, and its source is cancelled", async () => {
  let cancelled = false;
  let made = 0;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(Uint8Array.of(made++)),
    cancel: () => void (cancelled = true),
  }, { highWaterMark: 0 });
  const { timer, pass, pending } = passingTime();
  const reader = cutOff(source, 60_000, timer).getReader();
  for (let read = 0; read < 5; read++) {
    assertEquals((await reader.read()).value, Uint8Array.of(read));
  }
  await new Promise((resolve) => setTimeout(resolve));
  assert(made <= 7, `${made} pieces were made for a client that has read 5`);
  assertEquals(pending(), 1);
  pass(59_999);
  assertEquals(cancelled, false);
  pass(1);
  const failure = await reader.read().then(() => "read on", (fault) => fault.message);
  assertEquals(failure, "the client has read nothing for 60000 ms");
  assert(cancelled);
});

Deno.test("a client that keeps reading is never cut off, and leaves no pending wake-up", async () => {
  const { timer, pending } = passingTime();
  const source = new Blob([new Uint8Array(300_000)]).stream();
  const bytes = await collected(cutOff(source, 60_000, timer));
  assertEquals([bytes.length, pending()], [300_000, 0]);
});
