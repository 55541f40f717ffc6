/**
 * Yields the same bytes in pieces of equal size, except for the last piece, each with a flag
 * whether it is the last; an empty stream yields one empty piece.
 */
export async function* piecesOf(
  chunks: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isLast: boolean }> {
  let piece = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      // Only further bytes after a full piece show that it is not the last.
      if (filled === size) {
        yield { bytes: piece, isLast: false };
        piece = new Uint8Array(size);
        filled = 0;
      }
      const part = chunk.subarray(at, at + size - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
    }
  }
  yield { bytes: piece.subarray(0, filled), isLast: true };
}
