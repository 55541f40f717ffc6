/**
 * The requests of one connection: answered in the order they came, whatever each has to wait for.
 *
 * Writes may overlap, and so share one write to the medium. Anything else waits for those before it,
 * so that a client reads what it wrote without waiting for the answer to its write.
 *
 * @module
 */

/** How the requests of a connection are answered. */
export interface PipelineOptions<Request, Answer> {
  /** Whether a request may start while earlier ones are unanswered. */
  overlaps(request: Request): boolean;
  answer(request: Request): Answer | Promise<Answer>;
  send(answer: Answer): void;
  /** An answer that was waited for failed. Nothing after it is answered: the connection has to end. */
  onFault(fault: unknown): void;
  /** Whether a request may start now; else `start` is called when one may. */
  mayStart?(start: () => void): boolean;
  /** How much may be unanswered, in the measure of `push`. */
  readonly limit: number;
}

/** The requests of one connection. */
export interface Pipeline<Request> {
  /**
   * Takes a request of a size; false when too much is unanswered, and then it is not taken. Throws
   * what an answer throws that is given at once.
   */
  push(request: Request, size: number): boolean;
  /** Forgets what has not started. */
  clear(): void;
  /** Nothing starts any more, until the answer is called. */
  hold(): () => void;
}

/** What a request takes beside its own size: one without any content is not free. */
const OVERHEAD = 128;

/** No requests yet. */
export function createPipeline<Request, Answer>(
  { overlaps, answer, send, onFault, mayStart, limit }: PipelineOptions<Request, Answer>,
): Pipeline<Request> {
  const waiting: { readonly request: Request; readonly size: number }[] = [];
  let inFlight = 0;
  let holds = 0;
  let unanswered = 0;
  let answered: Promise<void> = Promise.resolve();

  function start(request: Request, size: number): void {
    const given = answer(request);
    if (inFlight === 0 && !(given instanceof Promise)) {
      unanswered -= size;
      return send(given);
    }
    inFlight++;
    // One that fails before its turn is heard only then, and must not count as unhandled until.
    if (given instanceof Promise) given.catch(() => {});
    answered = answered.then(() => given).then((known) => {
      inFlight--;
      unanswered -= size;
      send(known);
      pump();
    }).catch(onFault);
  }

  function pump(granted = false): void {
    while (waiting.length > 0 && holds === 0) {
      const { request, size } = waiting[0]!;
      if (inFlight > 0 && !overlaps(request)) return;
      if (!granted && mayStart?.(goOn) === false) {
        holds++;
        return;
      }
      granted = false;
      waiting.shift();
      start(request, size);
    }
  }

  function goOn(): void {
    holds--;
    try {
      pump(true);
    } catch (fault) {
      onFault(fault);
    }
  }

  return {
    push(request, ownSize) {
      const size = ownSize + OVERHEAD;
      // One alone is taken whatever its size: whoever gave it to us has looked at that.
      if (unanswered > 0 && unanswered + size > limit) return false;
      unanswered += size;
      waiting.push({ request, size });
      pump();
      return true;
    },
    clear() {
      waiting.length = 0;
    },
    hold() {
      holds++;
      return () => {
        holds--;
        Promise.resolve().then(() => pump()).catch(onFault);
      };
    },
  };
}
