/**
 * The answers to the requests of one consumer of Ember+. It is one more client of the control API:
 * what it sets and calls goes the way of every other interface.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { EMBER_STREAMS } from "../../core/limits.ts";
import type { CooperativeScheduler, Steps } from "../../core/ports.ts";
import { get } from "../../core/tree/get.ts";
import { formatPath, type Path } from "../../core/tree/tree.ts";
import type { May } from "../../core/users/user.ts";
import { callerWithoutUser } from "../control-api/caller-without-user.ts";
import type { Envelope } from "../control-api/envelope.ts";
import type { Caller } from "../control-api/method.ts";
import { carryOut } from "../control-api/methods.ts";
import type { BerValue } from "./ber.ts";
import { itemCount, keyOf } from "./change.ts";
import type { Element, FunctionElement, MatrixElement, ParameterElement } from "./element.ts";
import { type Connect, operations, type Request } from "./glow.ts";
import type { StreamHearer, Streams } from "./streams.ts";
import type { EmberTree } from "./tree.ts";
import type { Updates } from "./updates.ts";
import {
  type Connected,
  createGlowMessage,
  dispositions,
  ELEMENTS_IN_A_STEP,
  resultMessage,
} from "./write-glow.ts";

/** The parts of the service that the answers use. */
export interface AnswersWorld {
  readonly console: Console;
  readonly scheduler: CooperativeScheduler;
  readonly history: Caller["history"];
  readonly streams: Streams;
  /** What it may do, in place of the rights of a user. */
  readonly may: May;
  tree(): EmberTree;
}

/** The answers to one consumer. */
export interface Answers {
  /** Answers a request; undefined for one that has no answer. */
  to(request: Request): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Ends its subscriptions to meters. */
  close(): void;
}

/** Makes the answers to a consumer, which the audit trail and the limits of changes know as `from`. */
export function createAnswers(
  { console, scheduler, history, streams, may, tree }: AnswersWorld,
  from: string,
  updates: Updates,
): Answers {
  /** The meters that it subscribes to, by their paths. */
  const hears = new Map<string, Path>();
  const hearer: StreamHearer = { meter: updates.meter };
  const caller = callerWithoutUser({ console, scheduler, history }, from, may);

  function to(
    request: Request,
  ): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const { path } = request;
    const isRoot = path.length === 0;
    const element = isRoot ? undefined : tree().at(path);
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
    const { rootNumber, root } = tree();
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
        if (++count % ELEMENTS_IN_A_STEP === 0) yield;
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

  return {
    to,
    close() {
      for (const path of hears.values()) streams.remove(hearer, path);
      hears.clear();
    },
  };
}
