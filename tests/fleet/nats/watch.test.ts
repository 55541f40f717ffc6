/** The watching of a bucket in JetStream, over servers that the test plays. */
import { assertEquals } from "@std/assert";
import { followBucket } from "../../../fleet/ledger/followed-bucket.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import type { NatsLine } from "../../../fleet/nats/connection.ts";
import type { JetStreamManager, Msg } from "../../../fleet/nats/packages.ts";
import { until } from "../../until.ts";
import { OPERATION, watchBucket } from "../../../fleet/nats/watch.ts";

const SUBJECT = "$KV.users.";

interface Stored {
  readonly revision: number;
  readonly value?: number;
}

type Content = Map<string, Stored>;

/**
 * Servers of which one hands out its content at each reading; `cut` has the watcher read it again,
 * and `idle` tells it that nothing waits at that server.
 * `leading` is the content of the server that leads the stream, by default the same.
 */
function playedServers() {
  const played = { content: new Map() as Content, leading: undefined as Content | undefined };
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
    streams: {
      getMessage() {
        const stored = [...(played.leading ?? played.content).values()];
        const seq = Math.max(...stored.map(({ revision }) => revision));
        return Promise.resolve(stored.length === 0 ? null : { seq });
      },
    },
    consumers: {
      add() {
        const entries = [...played.content];
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
          readings++;
        });
        return Promise.resolve({ num_pending: entries.length });
      },
    },
  } as unknown as JetStreamManager;
  const idle = () => {
    const headers = { get: () => `${played.content.size}` };
    hear(null, { reply: "", headers } as unknown as Msg);
  };
  return { played, line, manager, cut: () => cut(), idle, readings: () => readings };
}

Deno.test("a value that a hub has put, and another hub has removed, while its watcher heard nothing is removed there as well", async () => {
  const { played, line, manager, cut, readings } = playedServers();
  const closing = new AbortController();
  const memory = await openMemoryLedger();
  const watched = { line, manager, stream: "users", subject: SUBJECT, closed: closing.signal };
  const ledger = { ...memory, put: () => Promise.resolve(10), watch: () => watchBucket(watched) };
  const users = await followBucket(ledger, "users", (value) => Object(value) as object);
  // A value that this hub puts reaches its watcher only with the next reading.
  await users.put("ben", { may: "view" });
  assertEquals([...users.values.keys()], ["ben"]);
  played.content.set("ben", { revision: 11 });
  cut();
  const isRemoved = () => readings() === 2 && users.values.size === 0;
  for (let left = 5000; left > 0 && !isRemoved(); left--) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assertEquals([...users.values.keys()], []);
  closing.abort();
});

Deno.test("a server that lacks what the others have stored takes no user away, and lets no removed user in again", async () => {
  const { played, line, manager, cut, idle, readings } = playedServers();
  const closing = new AbortController();
  const watched = { line, manager, stream: "users", subject: SUBJECT, closed: closing.signal };
  const told: unknown[] = [];
  const anna = { revision: 1, value: 1 };
  const behind: Content = new Map([["anna", anna], ["ben", { revision: 2, value: 2 }]]);
  const carl = { revision: 4, value: 4 };
  played.content = new Map<string, Stored>([["anna", anna], ["ben", { revision: 3 }], [
    "carl",
    carl,
  ]]);
  (async () => {
    for await (const entry of watchBucket(watched)) told.push(entry);
  })();
  await until(() => told.includes("current"));
  assertEquals(told.length, 3);

  [played.leading, played.content] = [played.content, behind];
  cut();
  await until(() => readings() === 2);
  idle();
  assertEquals(told.length, 3);
  // The same server has caught up, or another one is asked.
  played.content = new Map<string, Stored>([...played.leading, ["dora", {
    revision: 5,
    value: 5,
  }]]);
  played.leading = undefined;
  await until(() => told.length === 5);
  assertEquals(told.slice(3), [
    { key: "ben", value: undefined, revision: 3 },
    { key: "dora", value: 5, revision: 5 },
  ]);
  closing.abort();
});
