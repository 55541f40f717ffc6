/** The meters of the page at its client. */
import { assertEquals } from "@std/assert";
import type { ClientWithoutHandles as Client, Subscriber } from "../../../client/client.ts";
import { createMeterFeeds } from "../../../view/state/meter-feeds.ts";

/** Makes the meters of a page that measures no round trips, because nothing ends that interval. */
function feedsWithoutMeasurements() {
  const { setInterval } = globalThis;
  try {
    Object.assign(globalThis, { setInterval() {} });
    return createMeterFeeds(() => undefined);
  } finally {
    Object.assign(globalThis, { setInterval });
  }
}

const LEVEL = "/audio/levels/1";

Deno.test("meters whose path was missing for a while go on when a new connection has it", () => {
  /** As of a client, which keeps a subscription until it has ended. */
  const subscribed = new Set<Subscriber<unknown, unknown>>();
  const client = {
    subscribe(_path: string, subscriber: Subscriber<unknown, unknown>) {
      subscribed.add(subscriber);
      return () => subscribed.delete(subscriber);
    },
  } as unknown as Client;
  const feeds = feedsWithoutMeasurements();
  const heard: unknown[] = [];
  const stop = feeds.meters(LEVEL, (change) => heard.push(change));
  feeds.restart(client);
  feeds.renew(client);
  assertEquals(subscribed.size, 1);
  const [before] = subscribed;
  subscribed.clear();
  before!.ended(new Error("no such path") as never);
  feeds.renew(client);
  for (const { whole } of subscribed) whole({ _left: -20 });
  assertEquals(heard, [{ _left: -20 }]);
  stop();
  assertEquals(subscribed.size, 0);
});
