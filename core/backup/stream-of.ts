/** Makes a stream of pieces that takes each when it is asked for. */
export function streamOf<Piece>(pieces: AsyncGenerator<Piece>): ReadableStream<Piece> {
  // `ReadableStream.from` does just this, but most browsers have it not.
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void await pieces.return(undefined),
  }, { highWaterMark: 0 });
}
