/**
 * The requests of one connection, which are answered in the order of their arrival, however long
 * each has to wait. Until its turn a message waits as text. Messages are parsed one after the
 * other, taking turns between addresses, so that the parsed values of waiting messages take no
 * memory.
 *
 * Writes may overlap, and so share one write to the medium. Any other request waits for all before
 * it, and all after it wait for it. So a client reads its own writes without waiting for their
 * answers.
 *
 * @module
 */
import type { Device } from "../../core/backup/device.ts";
import type { Console } from "../../core/console.ts";
import { isEngine } from "../../core/engines/claim.ts";
import type { Reported } from "../../core/engines/report.ts";
import type { Refusal } from "../../core/errors.ts";
import { WAITING_REQUESTS } from "../../core/limits.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { isBranch, type Patch } from "../../core/tree/tree.ts";
import type { May, User } from "../../core/users/user.ts";
import type { Budget } from "../budget.ts";
import {
  type Answer,
  BINARY_FRAME,
  longestMessage,
  type Message,
  readMessage,
} from "../control-api/envelope.ts";
import type { Caller, Connection } from "../control-api/method.ts";
import { answer, isSent, isWrite, methods, textOf } from "../control-api/methods.ts";
import type { MemoryQuota } from "../memory-quota.ts";
import type { Observer } from "../observer.ts";
import { needsTokenOverWebSocket } from "../request-token.ts";
import type { Tokens } from "../tokens.ts";
import { INTERNAL_ERROR, MESSAGE_TOO_BIG, TRY_AGAIN_LATER } from "./close-codes.ts";
import type { MeterFeed } from "./meter-feed.ts";
import type { SendBuffer } from "./send-buffer.ts";

/** The connection that sends the requests. */
export interface Requester {
  readonly number: number;
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** The upper limit of its rights while nobody is logged in. */
  readonly atMost: May | undefined;
  readonly sendBuffer: SendBuffer;
  readonly connection: Connection;
  /** The user who is logged in now. */
  user(): User | undefined;
  isOpen(): boolean;
  close(code: number, reason: string, fault?: unknown): void;
}

/** The parts of the service, besides the console, that are needed to answer requests. */
export interface RequestsWorld {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  readonly device: Device;
  readonly clients: Caller["clients"];
  readonly history: Caller["history"];
  readonly tokens: Tokens;
  readonly meters: MeterFeed;
  readonly observer: Observer;
}

/** The requests of one connection. */
export interface Requests {
  /** Takes a message; data other than a string is a binary frame. */
  receive(data: unknown): void;
  /**
   * Forgets the requests that have not started; there will be no more. Resolves once those that
   * have started are answered.
   */
  clear(): Promise<void>;
}

/** An answer that can be sent. */
interface ReadyAnswer {
  /** The text of the answer; undefined if none is to be sent. */
  readonly text?: string;
  /** Called once the answer is sent: resumes the updates. */
  readonly goOn?: () => void;
}

/** Makes the queue of the requests of a connection. */
export function createRequests(
  console: Console,
  requester: Requester,
  world: RequestsWorld,
): Requests {
  const { number, address, atMost, sendBuffer, connection, close } = requester;
  const { scheduler, budget, device, clients, history, tokens, meters, observer } = world;
  const credentials = {
    authenticate: (token: unknown) => tokens.authenticate(token, address),
    refuseLate: (refusal: Refusal) => tokens.refuseLate(refusal, address),
  };
  const queue = createQueue<string | undefined, Message, ReadyAnswer>({
    scheduler,
    address,
    read,
    overlaps: (request) => isWrite(request, console),
    answer(request, text) {
      const given = observed(request, answerNow, address, world);
      if (given instanceof Promise) return given.then((known) => ready(request, known));
      learn(request, text, given);
      return ready(request, given);
    },
    send({ text, goOn }) {
      if (text !== undefined) sendBuffer.send(text);
      goOn?.();
    },
    onFault: (fault) => close(INTERNAL_ERROR, "the service failed to answer", fault),
    limit: WAITING_REQUESTS,
    quota: budget.requests,
    onEviction: closeBusy,
  });

  function read(text: string | undefined): Message {
    if (text === undefined) return BINARY_FRAME;
    const senderOf = (token?: string) => requester.user() ?? tokens.identify(token, address);
    const message = readMessage(console.state, text, senderOf);
    if ("method" in message || !("limit" in message)) return message;
    closeTooBig(message.limit);
    // The connection is closing, so the answer is never sent.
    return BINARY_FRAME;
  }

  function answerNow(request: Message): Answer | Promise<Answer> {
    const user = requester.user();
    if (user !== undefined) tokens.used(user);
    const actor = { user, connection: number, address, atMost };
    const caller = {
      console,
      actor,
      scheduler,
      device,
      clients,
      history,
      connection,
      ...credentials,
    };
    return answer(request, caller, needsTokenOverWebSocket(console.state.configuration));
  }

  function ready(request: Message, given: Answer): ReadyAnswer | Promise<ReadyAnswer> {
    if (!isSent(request, given)) return {};
    const text = textOf(request, given, scheduler, address);
    if (!(text instanceof Promise)) return { text };
    // Updates during the writing of the answer are newer, so they are sent after it.
    const goOn = sendBuffer.hold();
    return text.then((whole) => ({ text: whole, goOn }));
  }

  /**
   * Defers a report of known meters without parsing it, unless an earlier request is still
   * unanswered, which it must not overtake.
   */
  function deferReport(text: string): boolean {
    const claim = console.state.engines.claims.get(number);
    if (claim === undefined || !queue.isIdle()) return false;
    const engine = requester.user();
    if (!isEngine(engine) || !meters.reports.defer(claim, text)) return false;
    tokens.used(engine);
    observer.answered?.({ over: "websocket", from: address, method: "report", ms: 0 });
    return true;
  }

  /** Stores the form of a report that was taken completely and needs no answer. */
  function learn(request: Message, text: string | undefined, given: Answer): void {
    if (text === undefined || !("method" in request) || request.method !== "report") return;
    if (!given.success || request.msgID !== undefined || request.token !== undefined) return;
    const claim = console.state.engines.claims.get(number);
    const { dropped } = given.payload as Reported;
    if (claim === undefined || dropped !== undefined || !isBranch(request.payload)) return;
    meters.reports.learn(claim, request.payload as Patch, text);
  }

  function closeBusy(): void {
    close(TRY_AGAIN_LATER, "too many requests are waiting for an answer");
  }

  function closeTooBig(limit: number): void {
    close(MESSAGE_TOO_BIG, `expected a message of at most ${limit} bytes`);
  }

  return {
    receive(data) {
      if (!requester.isOpen()) return;
      // The content of a binary frame is discarded.
      const text = typeof data === "string" ? data : undefined;
      const length = text?.length ?? 0;
      const longest = longestMessage(console.state);
      if (length > longest) return closeTooBig(longest);
      if (text !== undefined && deferReport(text)) return;
      if (!queue.push(text, length)) closeBusy();
    },
    clear: queue.clear,
  };
}

/** Answers a request, and tells the observer once that is done. */
function observed(
  request: Message,
  answer: (request: Message) => Answer | Promise<Answer>,
  from: string,
  { timer, observer }: RequestsWorld,
): Answer | Promise<Answer> {
  if (observer.answered === undefined) return answer(request);
  const start = timer.monotonic();
  const given = answer(request);
  const known = "method" in request && methods.has(request.method);
  const method = known ? request.method : "none";
  const tell = (answer: Answer) => {
    const { error } = answer as { readonly error?: { readonly code: number } };
    const ms = timer.monotonic() - start;
    observer.answered?.({ over: "websocket", from, method, code: error?.code, ms });
    return answer;
  };
  return given instanceof Promise ? given.then(tell) : tell(given);
}

/** Options of a queue of requests. */
export interface QueueOptions<Raw, Message, Answer> {
  readonly scheduler: CooperativeScheduler;
  /** The address of the client; the scheduler takes turns between addresses. */
  readonly address: string;
  /** Parses a received message. */
  read(raw: Raw): Message;
  /**
   * Whether a request may start while other requests for which this returns true are unanswered.
   */
  overlaps(message: Message): boolean;
  /** Answers a message, which was received as `raw`. */
  answer(message: Message, raw: Raw): Answer | Promise<Answer>;
  send(answer: Answer): void;
  /**
   * Called when answering has failed. No further request is answered: the connection has to be
   * closed.
   */
  onFault(fault: unknown): void;
  /** Maximum size of all unanswered requests, in the unit of `push`. */
  readonly limit: number;
  /** The quota for the unanswered requests of all queues. */
  readonly quota: MemoryQuota;
  /** Called when the queue is evicted from the quota: the connection has to be closed. */
  onEviction(): void;
}

/** A queue of requests. */
export interface Queue<Raw> {
  /**
   * Adds a message of a size. Returns false, and does not add it, if the unanswered requests exceed
   * the limit.
   */
  push(raw: Raw, size: number): boolean;
  /** Whether all messages so far are answered. */
  isIdle(): boolean;
  /**
   * Forgets the requests that have not started; there will be no more. Resolves once those that
   * have started are answered.
   */
  clear(): Promise<void>;
}

/**
 * Additional size of each request, in bytes. It limits the waiting small requests of a connection
 * to 5,461, because waiting requests of one address delay others.
 */
const OVERHEAD = 768;

/** Makes an empty queue of requests. */
export function createQueue<Raw, Message, Answer>(
  options: QueueOptions<Raw, Message, Answer>,
): Queue<Raw> {
  const { scheduler, address, read, overlaps, answer, send, onFault, limit, quota, onEviction } =
    options;
  const waiting: { readonly raw: Raw; readonly size: number }[] = [];
  let unanswered = 0;
  let starting = false;
  /** Settles once no request is starting, or waits for its answer to start the next. */
  let started: Promise<void> = Promise.resolve();
  let failed = false;
  /**
   * The number of unanswered overlapping requests, and a promise of the answer to the last of them.
   */
  let overlapping = 0;
  let lastAnswered: Promise<void> = Promise.resolve();
  const admission = quota({ address, held: () => unanswered, evict: onEviction });

  async function startAll(): Promise<void> {
    starting = true;
    try {
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const { raw, size } = next;
        const pause = scheduler.pause(address);
        if (pause !== undefined) await pause;
        // The queue may have been cleared meanwhile, here and below.
        if (waiting[0] !== next) break;
        const message = read(raw);
        if (overlapping > 0 && !overlaps(message)) await lastAnswered;
        if (waiting.shift() !== next) break;
        const given = answer(message, raw);
        if (overlapping > 0 || (given instanceof Promise && overlaps(message))) {
          sendInTurn(Promise.resolve(given), size);
        } else finish(given instanceof Promise ? await given : given, size);
      }
    } catch (fault) {
      fail(fault);
    }
    starting = false;
  }

  function sendInTurn(given: Promise<Answer>, size: number): void {
    overlapping++;
    // A failure before its turn is handled at its turn; until then it must not count as unhandled.
    given.catch(() => {});
    lastAnswered = lastAnswered.then(() => given).then((known) => {
      overlapping--;
      finish(known, size);
    });
    lastAnswered.catch(fail);
  }

  function finish(given: Answer, size: number): void {
    unanswered -= size;
    send(given);
  }

  function fail(fault: unknown): void {
    if (failed) return;
    failed = true;
    clear();
    onFault(fault);
  }

  async function clear(): Promise<void> {
    waiting.length = 0;
    admission.leave();
    // A request that is just starting may clear the queue: it has no promise before this turn ends.
    await undefined;
    await started;
    await lastAnswered.catch(() => {});
  }

  return {
    push(raw, ownSize) {
      const size = ownSize + OVERHEAD;
      // A single message is accepted whatever its size, which the caller has checked.
      if (unanswered > 0 && unanswered + size > limit) return false;
      unanswered += size;
      waiting.push({ raw, size });
      admission.grew(size);
      if (!starting) started = startAll();
      return true;
    },
    isIdle: () => unanswered === 0,
    clear,
  };
}
