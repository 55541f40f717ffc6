/** Passes on the pieces of a file, and then tells the number of their bytes and their SHA-256. */
export async function* hashed<Piece extends Uint8Array>(
  pieces: AsyncIterable<Piece>,
  tell: (bytes: number, sha256: string) => void,
): AsyncGenerator<Piece> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
    yield piece;
  }
  tell(bytes, hash.digest("hex"));
}
