/**
 * The meters of the page, at the interval that the network allows. They bypass the signals of
 * `live.ts`, because they are drawn many times a second.
 *
 * @module
 */
import type { Change, ClientWithoutHandles as Client, ValueAt } from "../../client/client.ts";
import { createPace } from "./pace.ts";

/** The interval at which round trips are measured while meters are shown, in ms. */
const MEASURE_MS = 500;

/** The options of meters for a page. */
export interface MeterOptions {
  /** The shortest interval in ms; a slow network has a longer one. */
  readonly interval?: number;
}

/** A receiver of meters. */
interface Feed {
  /** Subscribes at a client, or changes the interval there. */
  start(client: Client): void;
}

/** Makes the meters of a page; `current` returns its present client. */
export function createMeterFeeds(current: () => Client | undefined) {
  const feeds = new Set<Feed>();
  let pace = createPace();
  /** The time, in ms, of the request that measures a round trip; undefined once it is answered. */
  let askedAt: number | undefined;
  setInterval(measure, MEASURE_MS);

  /** Measures a round trip, and sets the interval of meters by it. */
  async function measure(): Promise<void> {
    const client = current();
    if (feeds.size === 0 || client?.state !== "open") return;
    const took = (since: number) => {
      const before = pace.interval;
      pace.took(performance.now() - since, performance.now());
      if (pace.interval === before) return;
      for (const feed of feeds) feed.start(client);
    };
    if (askedAt !== undefined) return took(askedAt);
    askedAt = performance.now();
    const since = askedAt;
    // A refusal is an answer, too; without a connection there will be another measurement.
    await client.get("/general/_uptime").catch(() => {});
    askedAt = undefined;
    if (client === current() && client.state === "open") took(since);
  }

  return {
    /** Continues all meters at a new client, at the pace of an unknown network. */
    restart(client: Client): void {
      pace = createPace();
      for (const feed of feeds) feed.start(client);
    },
    /**
     * Subscribes again to the meters whose subscriptions have ended: the configuration behind a new
     * connection may have them. The client goes on with all others.
     */
    renew(client: Client): void {
      for (const feed of feeds) feed.start(client);
    },
    /**
     * Calls `listener` with the value at a path with its meters, and then with each change of it, as
     * a patch from that path down; the returned function ends that.
     */
    meters<const Path extends string>(
      path: Path,
      listener: (change: Change<ValueAt<Path>>) => void,
      { interval: shortest = 0 }: MeterOptions = {},
    ): () => void {
      const tell = listener as (change: unknown) => void;
      const subscriber = { whole: tell, change: tell, ended() {} };
      let stop = () => {};
      const feed: Feed = {
        start(client) {
          const interval = Math.max(shortest, pace.interval);
          stop = client.subscribe(path as string, subscriber, { meters: true, interval });
        },
      };
      feeds.add(feed);
      const client = current();
      if (client !== undefined) feed.start(client);
      return () => {
        feeds.delete(feed);
        stop();
      };
    },
  };
}
