/** Makes a stream that takes each piece from a generator on demand. */
export function streamOf<Piece>(pieces: AsyncGenerator<Piece>): ReadableStream<Piece> {
  // `ReadableStream.from` does the same, but most browsers lack it.
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void await pieces.return(undefined),
  }, { highWaterMark: 0 });
}
