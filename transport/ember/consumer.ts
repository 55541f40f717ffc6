/**
 * One consumer of Ember+: its requests in their order, what it is told of, and its end. It is one
 * more client of the control API: what it sets and calls goes the way of every other interface.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { EMBER_IDLE_MS, EMBER_STREAMS, TCP_WHOLE_MS, WAITING_REQUESTS } from "../../core/limits.ts";
import { after, type CooperativeScheduler, type Steps, type Timer } from "../../core/ports.ts";
import { get } from "../../core/tree/get.ts";
import { formatPath, type Path } from "../../core/tree/tree.ts";
import type { May } from "../../core/users/user.ts";
import type { Budget } from "../budget.ts";
import type { ByteClient } from "../byte-clients.ts";
import type { ByteSocket } from "../byte-socket.ts";
import type { Envelope } from "../control-api/envelope.ts";
import type { Caller } from "../control-api/method.ts";
import { callerWithoutUser } from "../control-api/caller-without-user.ts";
import { carryOut } from "../control-api/methods.ts";
import { createQueue } from "../websocket/requests.ts";
import type { BerValue } from "./ber.ts";
import { type Change, itemCount, keyOf } from "./change.ts";
import type { Element, FunctionElement, MatrixElement, ParameterElement } from "./element.ts";
import { type Connect, operations, readRequests, type Request } from "./glow.ts";
import { createOutput } from "./output.ts";
import { leafParameter } from "./parameter.ts";
import { ALIVE, ASK_ALIVE, beginsFrame, createS101Reader } from "./s101.ts";
import type { StreamHearer, Streams } from "./streams.ts";
import type { EmberTree } from "./tree.ts";
import { createUpdates } from "./updates.ts";
import { type Connected, createGlowMessage, dispositions, resultMessage } from "./write-glow.ts";

/** The parts of the service that a consumer uses. */
export interface ConsumerWorld {
  readonly console: Console;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  readonly history: Caller["history"];
  readonly streams: Streams;
  readonly may: May;
  tree(): EmberTree;
  onFault(fault: unknown): void;
  /** Is told when the connection of a consumer is gone. */
  left(consumer: Consumer): void;
}

/** A consumer. */
export interface Consumer extends ByteClient {
  /** Tells it of a change, if it is to hear of it. */
  tell(change: Change): void;
}

/** A parameter of which only the value is sent. */
const UNCALLED = { identifier: "" };

/** The number of elements that are written in one step. */
const STEP = 32;

/** Opens a consumer on a connection from an address. */
export function openConsumer(
  socket: ByteSocket,
  address: string,
  world: ConsumerWorld,
): Consumer {
  const { console, timer, scheduler, budget, history, streams, may } = world;
  // So the audit trail and the limits of changes know it; `may` stands for the rights of a user.
  const from = `ember:${address}`;
  let isOpen = true;
  /** The meters that it subscribes to, by their paths. */
  const hears = new Map<string, Path>();
  let heardAt = timer.monotonic();
  let wholeAt = heardAt;
  let isAsked = false;
  let hasSpoken = false;
  let stopLooking = after(timer, TCP_WHOLE_MS, look);
  const output = createOutput(socket, from, close, timer, budget.sendBuffers);
  const updates = createUpdates({ output, timer, scheduler, address: from, write, onFault: fail });
  const hearer: StreamHearer = { meter: updates.meter };
  const received = budget.receiveBuffers({
    address: from,
    held: () => reader.held,
    evict: close,
  });
  const caller = callerWithoutUser({ console, scheduler, history }, from, may);
  const queue = createQueue<Request, Request, Uint8Array | undefined>({
    scheduler,
    address: from,
    read: (request) => request,
    overlaps: ({ kind }) => kind === "set" || kind === "connect",
    answer(request) {
      const wait = output.untilRead();
      return wait === undefined ? answer(request) : wait.then(() => answer(request));
    },
    send(ber) {
      if (ber !== undefined) output.message(ber);
    },
    onFault: fail,
    limit: WAITING_REQUESTS,
    quota: budget.requests,
    onEviction: close,
  });
  const reader = createS101Reader({
    // A piece of what has come may hold more behind what has closed the connection.
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

  /** Asks a consumer that is silent whether it is alive, and closes one that is dead. */
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

  function answer(
    request: Request,
  ): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const { path } = request;
    const isRoot = path.length === 0;
    const element = isRoot ? undefined : world.tree().at(path);
    if (request.kind === "directory") {
      if (isRoot) return rootDirectory();
      return element === undefined ? gone(path) : scheduler.run(directory(path, element), from);
    }
    if (element === undefined) return undefined;
    switch (request.kind) {
      case "subscribe":
        return void subscribe(path, element);
      case "unsubscribe":
        return void unsubscribe(path, element);
      case "set":
        return element.kind === "parameter" ? set(path, element, request.value) : undefined;
      case "connect":
        return element.kind === "matrix" ? connect(path, element, request.connections) : undefined;
      case "invoke":
        return element.kind === "function"
          ? invoke(element, request.arguments, request.id)
          : undefined;
    }
  }

  function rootDirectory(): Uint8Array {
    const { rootNumber, root } = world.tree();
    const message = createGlowMessage();
    message.rootNode(rootNumber, root);
    return message.bytes();
  }

  /** A consumer may keep paths of a configuration that was another. */
  function gone(path: readonly number[]): Uint8Array {
    const message = createGlowMessage();
    message.goneNode(path);
    return message.bytes();
  }

  function* directory(path: readonly number[], element: Element): Steps<Uint8Array> {
    const message = createGlowMessage();
    if (element.kind === "matrix") message.matrix(path, element);
    else if (element.kind === "function") message.function(path, element);
    else if (element.kind !== "node") message.element(path, element, streamOf(element));
    else {
      // Meters, and what follows the clock, are brought up to date as for a `get`.
      if (element.path !== undefined) get(console, formatPath(element.path));
      let count = 0;
      for (const { number, element: child } of element.children()) {
        message.element([...path, number], child, streamOf(child));
        if (++count % STEP === 0) yield;
      }
      if (message.isEmpty) message.emptyNode(path);
    }
    listen(path, element);
    return message.bytes();
  }

  /** From now on changes of the element, or of what is in it, are told. */
  function listen(path: readonly number[], element: Element): void {
    // Some consumers ask for the directory of each parameter, too.
    if (element.kind === "parameter" && updates.hears(keyOf(path.slice(0, -1)))) return;
    const isOfTree = element.kind === "node" && element.path !== undefined;
    updates.listen(keyOf(path), isOfTree ? itemCount(console.state, element.path!) : 0);
  }

  function streamOf(element: Element): number | undefined {
    return element.kind === "parameter" && element.meter !== undefined
      ? streams.idOf(element.meter)
      : undefined;
  }

  function subscribe(path: readonly number[], element: Element): void {
    if (element.kind !== "parameter" || element.meter === undefined) {
      return listen(path, element);
    }
    if (hears.size === EMBER_STREAMS) return;
    hears.set(keyOf(path), element.meter);
    streams.add(hearer, element.meter);
  }

  function unsubscribe(path: readonly number[], element: Element): void {
    if (element.kind !== "parameter" || element.meter === undefined) {
      return updates.unlisten(keyOf(path));
    }
    if (!hears.delete(keyOf(path))) return;
    streams.remove(hearer, element.meter);
    updates.forgetMeter(streams.idOf(element.meter));
  }

  /** Carries a request out as the control API does. */
  function asked(envelope: Envelope): Outcome<unknown> | Promise<Outcome<unknown>> {
    return carryOut(envelope, caller, false);
  }

  /** Sets a parameter; it is always answered, with the value in force then. */
  async function set(
    path: readonly number[],
    { setting, type, value }: ParameterElement,
    written: BerValue,
  ): Promise<Uint8Array> {
    if (setting !== undefined) await asked(setting(written));
    // The answer says what an update would.
    updates.forget(keyOf(path));
    const message = createGlowMessage();
    message.value(path, type, value());
    return message.bytes();
  }

  async function connect(
    path: readonly number[],
    matrix: MatrixElement,
    connections: readonly Connect[],
  ): Promise<Uint8Array> {
    const connected: Connected[] = [];
    for (const { target, sources, operation } of connections) {
      if (!matrix.targets.includes(target)) continue;
      const [source] = sources;
      const before = matrix.sourceOf(target);
      const wanted = operation === operations.disconnect
        ? (before !== undefined && sources.includes(before) ? undefined : before)
        : operation === operations.connect && source === undefined
        ? before
        : source;
      const outcome = wanted === before ? undefined : await asked(
        matrix.connecting(target, wanted),
      );
      const isRefused = outcome !== undefined && isRefusal(outcome);
      // The answer says what an update would.
      updates.forget(keyOf([...path, target]));
      connected.push({
        target,
        source: matrix.sourceOf(target),
        disposition: isRefused ? dispositions.locked : dispositions.modified,
      });
    }
    const message = createGlowMessage();
    message.connections(path, matrix.identifier, connected);
    return message.bytes();
  }

  async function invoke(
    element: FunctionElement,
    values: readonly BerValue[],
    id: number | undefined,
  ): Promise<Uint8Array | undefined> {
    const outcome = await asked(element.calling(values));
    if (id === undefined) return undefined;
    if (isRefusal(outcome)) return resultMessage(id, false, outcome.message);
    const { result } = outcome.result as { readonly result: unknown };
    return resultMessage(id, true, JSON.stringify(result));
  }

  /** Writes what has changed, as it is now. */
  function* write(changes: readonly Change[]): Steps<Uint8Array | undefined> {
    const message = createGlowMessage();
    const tree = world.tree();
    const connected: Connected[] = [];
    let count = 0;
    for (const change of changes) {
      if (++count % STEP === 0) yield;
      const { numbers, what } = change;
      if (what === "list") writeList(change);
      else if (what === "connection") {
        const target = numbers.at(-1)!;
        const matrix = tree.at(numbers.slice(0, -1));
        if (matrix?.kind !== "matrix") continue;
        const source = matrix.sourceOf(target);
        connected.push({ target, source, disposition: dispositions.tally });
      } else if (what === "node") {
        const element = tree.at(numbers);
        if (element?.kind === "node") message.element(numbers, element);
      } else if (what === "parameter") {
        const element = tree.at(numbers);
        if (element?.kind === "parameter") message.element(numbers, element);
        else message.value(numbers, "string", null);
      } else {
        // To find the element by its numbers would take four times as long.
        const leaf = leafParameter({ state: console.state, may }, change.path, UNCALLED);
        message.value(numbers, leaf?.type ?? "string", leaf?.value() ?? null);
      }
    }
    if (connected.length > 0) {
      const { identifier } = tree.places.placeOf("Routing/matrix");
      message.connections(tree.places.pathOf("Routing/matrix"), identifier, connected);
    }
    return message.isEmpty ? undefined : message.bytes();

    function writeList({ key, numbers, path }: Change): void {
      const node = tree.at(numbers);
      if (node?.kind !== "node") return;
      for (const { number, element } of node.children()) {
        message.element([...numbers, number], element);
      }
      const items = itemCount(console.state, path);
      for (let gone = items; gone < updates.itemsOf(key); gone++) {
        message.goneNode([...numbers, gone + 1]);
      }
      updates.listen(key, items);
    }
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
    for (const path of hears.values()) streams.remove(hearer, path);
    hears.clear();
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
