/** The watching of a bucket in JetStream, over servers that the test plays. */
import { assertEquals } from "@std/assert";
import { followBucket } from "../../../fleet/ledger/followed-bucket.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import type { NatsLine } from "../../../fleet/nats/connection.ts";
import type { JetStreamManager, Msg } from "../../../fleet/nats/packages.ts";
import { OPERATION, watchBucket } from "../../../fleet/nats/watch.ts";

const SUBJECT = "$KV.users.";

/** Servers that hand out the given content at each reading; `cut` has the watcher read it again. */
function playedServers() {
  const content = new Map<string, { readonly revision: number; readonly value?: number }>();
  let readings = 0;
  let hear: (fault: null, message: Msg) => void = () => {};
  let cut = () => {};
  const line = {
    connection: {
      subscribe(_inbox: string, { callback }: { readonly callback: typeof hear }) {
        hear = callback;
        return { unsubscribe() {} };
      },
    },
    onBack(listener: () => void) {
      cut = listener;
      return () => {};
    },
  } as unknown as NatsLine;
  const manager = {
    consumers: {
      add() {
        readings++;
        const entries = [...content];
        queueMicrotask(() => {
          for (const [at, [key, { revision, value }]] of entries.entries()) {
            const left = entries.length - at - 1;
            hear(null, {
              subject: SUBJECT + key,
              reply: `$JS.ACK.users.reader.1.${revision}.${at + 1}.0.${left}`,
              headers: { has: (name: string) => name === OPERATION && value === undefined },
              json: () => value,
            } as unknown as Msg);
          }
        });
        return Promise.resolve({ num_pending: entries.length });
      },
    },
  } as unknown as JetStreamManager;
  return { content, line, manager, cut: () => cut(), readings: () => readings };
}

Deno.test("a value that a hub has put, and another hub has removed, while its watcher heard nothing is removed there as well", async () => {
  const { content, line, manager, cut, readings } = playedServers();
  const closing = new AbortController();
  const memory = await openMemoryLedger();
  const watched = { line, manager, stream: "users", subject: SUBJECT, closed: closing.signal };
  const ledger = { ...memory, put: () => Promise.resolve(10), watch: () => watchBucket(watched) };
  const users = await followBucket(ledger, "users", (value) => Object(value) as object);
  // A value that this hub puts reaches its watcher only with the next reading.
  await users.put("ben", { may: "view" });
  assertEquals([...users.values.keys()], ["ben"]);
  content.set("ben", { revision: 11 });
  cut();
  const isRemoved = () => readings() === 2 && users.values.size === 0;
  for (let left = 5000; left > 0 && !isRemoved(); left--) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assertEquals([...users.values.keys()], []);
  closing.abort();
});
