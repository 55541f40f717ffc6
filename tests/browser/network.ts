/**
 * A network between a page and its console, with a limited rate and a delay. The browser's own
 * tools cannot slow down a WebSocket.
 *
 * @module
 */

/** The properties of a network. */
export interface NetworkOptions {
  /** The rate in each direction; by default unlimited. */
  readonly bytesPerSecond?: number;
  /** The delay in each direction, in ms. */
  readonly delay?: number;
}

/** A running network. */
export interface Network extends AsyncDisposable {
  /** The URL of the console over the network. */
  readonly url: string;
  /** The number of bytes received from the console until a time in ms since 1970, or until now. */
  receivedBy(time?: number): number;
  /** Resolves with the number of bytes received from the console when `text` was among them. */
  passed(text: string): Promise<number>;
}

/** The size of a packet in bytes; connections take turns by packet. */
const PACKET = 1400;

/** Puts a network in front of the console at `target`. */
export function startNetwork(
  target: string,
  { bytesPerSecond = Infinity, delay = 0 }: NetworkOptions,
): Network {
  const { hostname, port } = new URL(target);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  const end = (connection: Deno.Conn) => open.delete(connection) && connection.close();
  const received: { readonly at: number; readonly bytes: number }[] = [];
  const receivedBy = (time = Infinity) =>
    received.filter(({ at }) => at <= time).reduce((sum, { bytes }) => sum + bytes, 0);
  /** The texts that have not passed yet. */
  const awaited = new Map<string, (bytes: number) => void>();
  const down = direction();
  const up = direction();

  /** Copies packets from one connection to another, at the rate and delay of the direction. */
  function direction() {
    let freeAt = 0;
    return async (from: Deno.Conn, to: Deno.Conn, count: (packet: Uint8Array) => void) => {
      let last = Promise.resolve();
      try {
        for (;;) {
          const packet = new Uint8Array(PACKET);
          const length = await from.read(packet);
          if (length === null) break;
          const now = performance.now();
          freeAt = Math.max(now, freeAt) + length / bytesPerSecond * 1000;
          const due = freeAt + delay;
          last = last.then(async () => {
            await sleep(due - performance.now());
            for (let at = 0; at < length;) at += await to.write(packet.subarray(at, length));
            count(packet.subarray(0, length));
          });
          last.catch(() => end(from));
          await sleep(freeAt - performance.now());
        }
      } catch {
        // One of the ends is closed.
      }
      await last.catch(() => {});
      end(from);
      end(to);
    };
  }

  /** Notes the packets of one connection from the console. */
  function note() {
    // A text may be divided between packets.
    let last = "";
    return (packet: Uint8Array) => {
      received.push({ at: Date.now(), bytes: packet.length });
      last = last.slice(-PACKET) + new TextDecoder().decode(packet);
      for (const [text, resolve] of awaited) {
        if (last.includes(text) && awaited.delete(text)) resolve(receivedBy());
      }
    };
  }

  (async () => {
    for await (const page of listener) {
      const console = await Deno.connect({ hostname, port: Number(port) });
      open.add(page).add(console);
      down(console, page, note());
      up(page, console, () => {});
    }
  })().catch(() => {});
  return {
    url: `http://127.0.0.1:${listener.addr.port}`,
    receivedBy,
    passed(text) {
      const { promise, resolve } = Promise.withResolvers<number>();
      awaited.set(text, resolve);
      return promise;
    },
    [Symbol.asyncDispose]() {
      listener.close();
      for (const one of open) end(one);
      return Promise.resolve();
    },
  };
}

function sleep(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : Promise.resolve();
}
