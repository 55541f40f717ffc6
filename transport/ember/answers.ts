/**
 * The answers to the requests of one consumer of Ember+. A consumer is one more client of the
 * control API: its requests are carried out like those of every other interface.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { EMBER_STREAMS } from "../../core/limits.ts";
import type { CooperativeScheduler, Steps } from "../../core/ports.ts";
import { get } from "../../core/tree/get.ts";
import { formatPath, type Path } from "../../core/tree/tree.ts";
import type { May } from "../../core/users/user.ts";
import { callerWithoutUser } from "../control-api/caller-without-user.ts";
import type { Caller } from "../control-api/method.ts";
import { createActs, type WriteAnswer } from "./acts.ts";
import { itemCount, keyOf } from "./change.ts";
import type { Element } from "./element.ts";
import type { Request } from "./glow.ts";
import type { StreamHearer, Streams } from "./streams.ts";
import type { EmberTree } from "./tree.ts";
import type { Updates } from "./updates.ts";
import { createGlowMessage, ELEMENTS_IN_A_STEP } from "./write-glow.ts";

/** The parts of the service that the answers use. */
export interface AnswersWorld {
  readonly console: Console;
  readonly scheduler: CooperativeScheduler;
  readonly history: Caller["history"];
  readonly streams: Streams;
  /** The right of the consumer, in place of the rights of a user. */
  readonly may: May;
  tree(): EmberTree;
}

/** The answer to a request; undefined if the request has none. */
export type Answer = Uint8Array | WriteAnswer | undefined;

/** The answers to one consumer. */
export interface Answers {
  /** Answers a request. */
  to(request: Request): Answer | Promise<Answer>;
  /** Ends its subscriptions to meters. */
  close(): void;
}

/**
 * Makes the answers to a consumer, which the audit trail and the limits on changes know as `from`.
 */
export function createAnswers(
  { console, scheduler, history, streams, may, tree }: AnswersWorld,
  from: string,
  updates: Updates,
): Answers {
  /** The meters that the consumer subscribes to, by their paths. */
  const hears = new Map<string, Path>();
  const hearer: StreamHearer = { meter: updates.meter };
  const acts = createActs(callerWithoutUser({ console, scheduler, history }, from, may), updates);

  function to(request: Request): Answer | Promise<Answer> {
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
        return element.kind === "parameter" ? acts.set(path, element, request.value) : undefined;
      case "connect":
        return element.kind === "matrix"
          ? acts.connect(path, element, request.connections)
          : undefined;
      case "invoke":
        return element.kind === "function"
          ? acts.invoke(element, request.arguments, request.id)
          : undefined;
    }
  }

  function rootDirectory(): Uint8Array {
    const { rootNumber, root } = tree();
    const message = createGlowMessage();
    message.rootNode(rootNumber, root);
    return message.bytes();
  }

  /** Answers a path that does not exist: a consumer may keep paths of an earlier configuration. */
  function gone(path: readonly number[]): Uint8Array {
    const message = createGlowMessage();
    message.goneNode(path);
    return message.bytes();
  }

  function* directory(path: readonly number[], element: Element): Steps<Uint8Array> {
    const message = createGlowMessage();
    // A child may change while later ones are being written; its update follows the directory.
    updates.hold();
    listen(path, element);
    if (element.kind === "matrix") message.matrix(path, element);
    else if (element.kind === "function") message.function(path, element);
    else if (element.kind !== "node") message.element(path, element, streamOf(element));
    else {
      // Meters, and values that follow the clock, are brought up to date as for a `get`.
      if (element.path !== undefined) get(console, formatPath(element.path));
      let count = 0;
      for (const { number, element: child } of element.children()) {
        message.element([...path, number], child, streamOf(child));
        if (++count % ELEMENTS_IN_A_STEP === 0) yield;
      }
      if (message.isEmpty) message.emptyNode(path);
    }
    return message.bytes();
  }

  /** From now on the consumer is told of changes of the element, or of its children. */
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

  return {
    to,
    close() {
      for (const path of hears.values()) streams.remove(hearer, path);
      hears.clear();
    },
  };
}
