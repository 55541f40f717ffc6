/**
 * One WebSocket connection: who is logged in on it, what it is subscribed to, and its requests.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { endClaim, ENGINE_LOST, isEngine } from "../../core/engines/claim.ts";
import type { Reported } from "../../core/engines/report.ts";
import { WAITING_REQUESTS } from "../../core/limits.ts";
import { closeConnection } from "../../core/lists/registerextlist.ts";
import type { CooperativeScheduler, Timer } from "../../core/ports.ts";
import { formatPath, isBranch, type Patch } from "../../core/tree/tree.ts";
import { DEVICE, type User } from "../../core/users/user.ts";
import {
  type Answer,
  BINARY_FRAME,
  longestMessage,
  type Message,
  readMessage,
} from "../control-api/envelope.ts";
import type { Caller, ClientListEntry, Connection } from "../control-api/method.ts";
import { answer, isSent, isWrite, methods, textOf } from "../control-api/methods.ts";
import type { Listener } from "../arrival.ts";
import { needsTokenOverWebSocket } from "../request-token.ts";
import type { Tokens } from "../tokens.ts";
import { INTERNAL_ERROR, MESSAGE_TOO_BIG, TRY_AGAIN_LATER } from "./close-codes.ts";
import type { Hearer, MeterFeed } from "./meter-feed.ts";
import { createOutbox, type Outbox, type Socket } from "./outbox.ts";
import type { Budget } from "../budget.ts";
import { createRequests } from "./requests.ts";
import { type AllSubscriptions, hearsMeters } from "./subscriptions.ts";

/** The other end of a connection, as it was when that was opened. */
export interface Peer {
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** When the connection was opened, in ms since 1970. */
  readonly since: number;
  /** Who is logged in from the start. */
  readonly user?: User | undefined;
}

/** What a connection may ask of the world beside the console. */
export interface SessionWorld {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  readonly clients: Caller["clients"];
  readonly tokens: Tokens;
  readonly meters: MeterFeed;
  readonly subscriptions: AllSubscriptions<Hearer>;
  /** Is told when a connection is gone. */
  left(session: Session): void;
  /** Is told when somebody has logged in on a connection. */
  loggedIn(address: string, user: string): void;
  /**
   * Is told of each answer: to which address, the method of the envelope, how many ms it took, and
   * an error code.
   */
  readonly answered?:
    | ((address: string, method: string, ms: number, code: number | undefined) => void)
    | undefined;
}

/** A connection. */
export interface Session extends Listener {
  /** Its number, unique while the program runs. */
  readonly number: number;
  /** The client's address, as the limits count it. */
  readonly address: string;
  readonly outbox: Outbox;
  /**
   * Whether it may be told of changes: not after its end, and not while a login is required and
   * nobody is logged in.
   */
  mayHear(): boolean;
  /** Whether it is open for who was removed, has another token, or whose token has expired. */
  lostUser(): boolean;
  /** Whether an admin is logged in on it. */
  isAdmins(): boolean;
  /** What `getclientlist` tells of it. */
  tell(): ClientListEntry;
  /**
   * Ends it, and tells the client why. A client that is dead may never answer: nothing waits for
   * it. What it has sent before it knew is not carried out.
   */
  close(code: number, reason: string): void;
}

/** An answer that can be sent. */
interface ReadyAnswer {
  /** Undefined where none is wanted. */
  readonly text?: string;
  /** Called once it is sent: lets updates go on. */
  readonly goOn?: () => void;
}

/** Opens a session on a socket. */
export function openSession(
  console: Console,
  number: number,
  socket: Socket,
  peer: Peer,
  world: SessionWorld,
): Session {
  const { timer, scheduler, budget, clients, tokens, meters, left, loggedIn, answered } = world;
  const outbox = createOutbox(
    socket,
    peer.address,
    () => close(TRY_AGAIN_LATER, "too much is waiting to be read"),
    timer,
    budget.sendBuffers,
  );
  const hearer = { outbox, mayHear };
  const subscriptions = world.subscriptions.open(peer.address, hearer);
  let open = true;
  let { user } = peer;

  const connection: Connection = {
    mayHear,
    report: meters.reports.take,
    subscribe(path, wanted) {
      const refusal = subscriptions.add(path);
      if (refusal !== undefined) return refusal;
      if (hearsMeters(path, wanted)) meters.tell(hearer, path, wanted.interval);
      else meters.stop(hearer, path);
    },
    unsubscribe(path) {
      subscriptions.remove(path);
      meters.stop(hearer, path);
      outbox.forget(formatPath(path));
    },
    logIn(who) {
      if (who?.name !== user?.name) loseEngine();
      user = who;
      if (who !== undefined) loggedIn(peer.address, who.name);
    },
  };

  const requests = createRequests<string | undefined, Message, ReadyAnswer>({
    scheduler,
    address: peer.address,
    read,
    overlaps: (request) => isWrite(request, console),
    answer(request, text) {
      const given = counted(request);
      if (!(given instanceof Promise)) learn(request, text, given);
      return given instanceof Promise
        ? given.then((known) => ready(request, known))
        : ready(request, given);
    },
    send({ text, goOn }) {
      if (text !== undefined) outbox.send(text);
      goOn?.();
    },
    onFault: fail,
    limit: WAITING_REQUESTS,
    quota: budget.requests,
    onEviction: closeBusy,
  });

  function read(text: string | undefined): Message {
    if (text === undefined) return BINARY_FRAME;
    const senderOf = (token?: string) => knownUser() ?? tokens.identify(token, peer.address);
    const message = readMessage(console.state, text, senderOf);
    if (!("limit" in message)) return message;
    closeTooBig(message.limit);
    // Nobody hears the answer to it any more.
    return BINARY_FRAME;
  }

  /**
   * Takes a report of known meters without reading it. It does not overtake a request that is
   * still unanswered.
   */
  function deferReport(text: string): boolean {
    const claim = console.state.engines.claims.get(number);
    if (claim === undefined || !requests.isIdle()) return false;
    const engine = knownUser();
    if (!isEngine(engine) || !meters.reports.defer(claim, text)) return false;
    tokens.used(engine);
    answered?.(peer.address, "report", 0, undefined);
    return true;
  }

  /** Has a report remembered of which everything was taken, and which needs no answer. */
  function learn(request: Message, text: string | undefined, given: Answer): void {
    if (text === undefined || "refusal" in request || request.method !== "report") return;
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

  /**
   * Answers who is logged in: no longer a user who was removed, has another token now, or whose
   * token has expired.
   */
  function knownUser(): User | undefined {
    return console.actorNow({ user }).user;
  }

  function tokenRequired(): boolean {
    return needsTokenOverWebSocket(console.state.configuration);
  }

  function mayHear(): boolean {
    return open && (!tokenRequired() || knownUser() !== undefined);
  }

  function caller(): Caller {
    const { address } = peer;
    const known = knownUser();
    if (known !== undefined) tokens.used(known);
    const actor = { user: known, connection: number, address };
    const authenticate = (token: unknown) => tokens.authenticate(token, address);
    return { console, actor, scheduler, clients, connection, authenticate };
  }

  /** Answers a request, having told whoever counts once that is done. */
  function counted(request: Message): Answer | Promise<Answer> {
    if (answered === undefined) return answer(request, caller(), tokenRequired());
    const from = timer.monotonic();
    const given = answer(request, caller(), tokenRequired());
    const known = "method" in request && methods.has(request.method);
    const tell = (answer: Answer) => {
      const { error } = answer as { readonly error?: { readonly code: number } };
      const method = known ? request.method : "none";
      answered(peer.address, method, timer.monotonic() - from, error?.code);
      return answer;
    };
    return given instanceof Promise ? given.then(tell) : tell(given);
  }

  function ready(request: Message, given: Answer): ReadyAnswer | Promise<ReadyAnswer> {
    if (!isSent(request, given)) return {};
    const text = textOf(request, given, scheduler, peer.address);
    if (!(text instanceof Promise)) return { text };
    // What changes while the answer is written is told after it: it is newer.
    const goOn = outbox.hold();
    return text.then((whole) => ({ text: whole, goOn }));
  }

  /**
   * Ends the session, whoever asked for that: requests that have not started are dropped, its
   * buttons and lists are let go. A change that is on its way to the medium is kept.
   */
  function end(): void {
    if (!open) return;
    open = false;
    outbox.close();
    subscriptions.close();
    meters.stop(hearer);
    requests.clear();
    // Nobody's rights count: whoever is logged in, what it held is let go.
    const by = { ...DEVICE, address: peer.address, call: "connection closed" };
    console.dispatch(closeConnection(number), by);
    loseEngine();
  }

  /** Whatever it played it plays no more. */
  function loseEngine(): void {
    const by = { ...DEVICE, address: peer.address, call: ENGINE_LOST };
    console.dispatch(endClaim(number), by);
  }

  function close(code: number, reason: string, fault?: unknown): void {
    if (!open) return;
    socket.close(code, reason, fault);
    end();
  }

  function fail(fault: unknown): void {
    close(INTERNAL_ERROR, "the service failed to answer", fault);
  }

  const session: Session = {
    number,
    address: peer.address,
    outbox,
    mayHear,
    lostUser: () => open && user !== undefined && knownUser() === undefined,
    isAdmins: () => knownUser()?.admin === true,
    tell: () => ({
      address: peer.address,
      user: knownUser()?.name ?? null,
      since: new Date(peer.since).toISOString(),
      subscriptions: subscriptions.count(),
      unread: socket.bufferedAmount,
      claims: (console.state.engines.claims.get(number)?.paths ?? []).map(formatPath),
    }),
    receive(data) {
      if (!open) return;
      // Of a binary frame nothing is kept but that one came.
      const text = typeof data === "string" ? data : "";
      const longest = longestMessage(console.state);
      if (text.length > longest) return closeTooBig(longest);
      if (text === data && deferReport(text)) return;
      if (!requests.push(text === data ? text : undefined, text.length)) closeBusy();
    },
    closed() {
      end();
      left(session);
    },
    close,
  };
  return session;
}
