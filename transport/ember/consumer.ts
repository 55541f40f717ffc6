/**
 * One consumer of Ember+: its connection, its requests in their order, and its end.
 *
 * @module
 */
import { EMBER_IDLE_MS, TCP_WHOLE_MS, WAITING_REQUESTS } from "../../core/limits.ts";
import { after, type Timer } from "../../core/ports.ts";
import type { Budget } from "../budget.ts";
import type { ByteClient } from "../byte-clients.ts";
import type { ByteSocket } from "../byte-socket.ts";
import { createQueue } from "../websocket/requests.ts";
import { type Answer, type AnswersWorld, createAnswers } from "./answers.ts";
import type { Change } from "./change.ts";
import { readRequests, type Request } from "./glow.ts";
import { createOutput } from "./output.ts";
import { ALIVE, ASK_ALIVE, beginsFrame, createS101Reader } from "./s101.ts";
import { createUpdates } from "./updates.ts";
import { createChangeWriter } from "./write-changes.ts";

/** The parts of the service that a consumer uses. */
export interface ConsumerWorld extends AnswersWorld {
  readonly timer: Timer;
  readonly budget: Budget;
  onFault(fault: unknown): void;
  /** Called when the connection of a consumer is gone. */
  left(consumer: Consumer): void;
}

/** A consumer. */
export interface Consumer extends ByteClient {
  /** Tells it of a change, if it has asked for the directory of the parameter. */
  tell(change: Change): void;
}

/** Opens a consumer on a connection from an address. */
export function openConsumer(
  socket: ByteSocket,
  address: string,
  world: ConsumerWorld,
): Consumer {
  const { timer, scheduler, budget } = world;
  // The name of the consumer for the audit trail and the limits on changes.
  const from = `ember:${address}`;
  let isOpen = true;
  let heardAt = timer.monotonic();
  let wholeAt = heardAt;
  let isAsked = false;
  let hasSpoken = false;
  let stopLooking = after(timer, TCP_WHOLE_MS, look);
  const output = createOutput(socket, from, close, timer, budget.sendBuffers);
  const write = createChangeWriter(world);
  const updates = createUpdates({ output, timer, scheduler, address: from, write, onFault: fail });
  const answers = createAnswers(world, from, updates);
  const received = budget.receiveBuffers({
    address: from,
    held: () => reader.held,
    evict: close,
  });
  const queue = createQueue<Request, Request, Answer>({
    scheduler,
    address: from,
    read: (request) => request,
    overlaps: ({ kind }) => kind === "set" || kind === "connect",
    answer(request) {
      const wait = output.untilRead();
      return wait === undefined ? answers.to(request) : wait.then(() => answers.to(request));
    },
    send(answer) {
      const ber = typeof answer === "function" ? answer() : answer;
      if (ber !== undefined) output.message(ber);
      updates.goOn();
    },
    onFault: fail,
    limit: WAITING_REQUESTS,
    quota: budget.requests,
    onEviction: close,
  });
  const reader = createS101Reader({
    // A received piece may hold more messages behind the one that closed the connection.
    message(ber) {
      if (!isOpen) return;
      wholeAt = timer.monotonic();
      const [first, ...others] = readRequests(ber) ?? [];
      if (first === undefined) return;
      const isTaken = queue.push(first, ber.length) && others.every((one) => queue.push(one, 0));
      if (!isTaken) close();
    },
    asksAlive() {
      if (isOpen) output.packet(ALIVE);
    },
    tooLong: close,
  });

  /**
   * Asks a silent consumer whether it is alive; closes the connection of a dead one, or of one that
   * does not complete a message in time.
   */
  function look(): void {
    const now = timer.monotonic();
    const isHalf = reader.held > 0 && now - wholeAt >= TCP_WHOLE_MS;
    const isSilent = now - heardAt >= EMBER_IDLE_MS;
    if (isHalf || (isSilent && isAsked && now - heardAt >= 2 * EMBER_IDLE_MS)) return close();
    if (isSilent && !isAsked) {
      isAsked = true;
      output.packet(ASK_ALIVE);
    }
    const from = reader.held > 0 ? wholeAt : now;
    stopLooking = timer.at(from + TCP_WHOLE_MS, look);
  }

  function fail(fault: unknown): void {
    close();
    world.onFault(fault);
  }

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    stopLooking();
    output.close();
    updates.close();
    queue.clear();
    received.leave();
    answers.close();
  }

  function close(): void {
    if (!isOpen) return;
    end();
    socket.close();
  }

  const consumer: Consumer = {
    address,
    tell: updates.tell,
    receive(bytes) {
      if (!isOpen) return;
      // A page in a browser can send frames behind the head of a POST to this port.
      if (!hasSpoken && !beginsFrame(bytes[0])) return close();
      hasSpoken = true;
      heardAt = timer.monotonic();
      isAsked = false;
      const before = reader.held;
      if (before === 0) wholeAt = heardAt;
      reader.read(bytes);
      if (isOpen && reader.held > before) received.grew(reader.held - before);
    },
    closed() {
      end();
      world.left(consumer);
    },
    close,
  };
  return consumer;
}
