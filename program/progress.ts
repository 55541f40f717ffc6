/**
 * How far something has come that may take long.
 *
 * @module
 */

/** How often it is said, in ms. */
const EVERY_MS = 250;

const MEBIBYTE = 1024 * 1024;

/** Answers a stream that says, as it is read, how much of it has come: `12.3 MiB`. */
export function counted(
  stream: ReadableStream<Uint8Array>,
  say: (how: string) => void,
  now: () => number = performance.now.bind(performance),
): ReadableStream<Uint8Array> {
  let bytes = 0;
  let saidAt = -EVERY_MS;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.length;
      if (now() - saidAt >= EVERY_MS) {
        saidAt = now();
        say(`${(bytes / MEBIBYTE).toFixed(1)} MiB`);
      }
      controller.enqueue(piece);
    },
  });
  return stream.pipeThrough(count);
}

/**
 * The same on standard error, in one line that goes when the stream has ended; where that is no
 * terminal nothing is said.
 */
export function shownOnTerminal(
  stream: ReadableStream<Uint8Array>,
  what: string,
): ReadableStream<Uint8Array> {
  if (!Deno.stderr.isTerminal()) return stream;
  const encoder = new TextEncoder();
  const write = (text: string) => void Deno.stderr.writeSync(encoder.encode(`\r\x1b[K${text}`));
  const wipe = new TransformStream<Uint8Array, Uint8Array>({ flush: () => write("") });
  return counted(stream, (how) => write(`${what} ${how}`)).pipeThrough(wipe);
}
