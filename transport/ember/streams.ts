/**
 * The meters that consumers of Ember+ subscribe to, each a stream with an identifier.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { EMBER_STREAM_MS } from "../../core/limits.ts";
import { find, formatPath, type Path } from "../../core/tree/tree.ts";
import { meterValue } from "./parameter.ts";
import type { MeterFeed, MeterHearer } from "../websocket/meter-feed.ts";

/** A consumer that is told of meters. */
export interface StreamHearer {
  /** Tells the value of a stream. */
  meter(id: number, value: number): void;
}

/** All streams. */
export interface Streams {
  /** Returns the identifier of the stream of a meter; a meter keeps its identifier. */
  idOf(path: Path): number;
  /** From now on the consumer is told of a meter, the present value first. */
  add(hearer: StreamHearer, path: Path): void;
  remove(hearer: StreamHearer, path: Path): void;
}

interface Stream {
  readonly id: number;
  readonly path: Path;
  readonly hearers: Set<StreamHearer>;
}

/** Makes the streams of a console, none at first. */
export function createStreams(console: Console, meters: MeterFeed): Streams {
  const streams = new Map<string, Stream>();
  /**
   * The streams that consumers hear, by the path above their meters, to which the feed is
   * subscribed.
   */
  const heard = new Map<string, Set<Stream>>();
  const hearer: MeterHearer = {
    mayHear: () => true,
    sendBuffer: {
      update({ path }) {
        for (const stream of heard.get(path) ?? []) tell(stream, stream.hearers);
      },
    },
  };

  function tell({ id, path }: Stream, hearers: Iterable<StreamHearer>): void {
    const value = find(console.state.tree, path);
    if (typeof value !== "number") return;
    for (const one of hearers) one.meter(id, meterValue(value));
  }

  function streamOf(path: Path): Stream {
    const key = formatPath(path);
    const there = streams.get(key);
    if (there !== undefined) return there;
    const stream = { id: streams.size + 1, path, hearers: new Set<StreamHearer>() };
    streams.set(key, stream);
    return stream;
  }

  return {
    idOf: (path) => streamOf(path).id,
    add(one, path) {
      const stream = streamOf(path);
      stream.hearers.add(one);
      const above = path.slice(0, -1);
      const beside = heard.get(formatPath(above));
      if (beside !== undefined) beside.add(stream);
      else {
        heard.set(formatPath(above), new Set([stream]));
        meters.tell(hearer, above, EMBER_STREAM_MS);
      }
      console.reading(path);
      tell(stream, [one]);
    },
    remove(one, path) {
      const stream = streamOf(path);
      if (!stream.hearers.delete(one) || stream.hearers.size > 0) return;
      const above = path.slice(0, -1);
      const beside = heard.get(formatPath(above));
      beside?.delete(stream);
      if (beside?.size !== 0) return;
      heard.delete(formatPath(above));
      meters.stop(hearer, above);
    },
  };
}
