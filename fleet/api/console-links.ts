/**
 * Requests that a hub passes on to its consoles: one session for each user of a console, which is
 * kept for some time.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { after, type Timer } from "../../core/ports.ts";
import { objectIn } from "../../core/json.ts";
import { NORMAL_CLOSURE } from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { noConsole, refusalOf, unreachable } from "../hub/console-state.ts";
import type { FleetActor, HubCore } from "../hub/hub-core.ts";
import { createRate } from "../hub/rate.ts";
import type { ConsoleId } from "../wire.ts";

/** Time in ms after which a session without a request is closed. */
const IDLE_MS = 30_000;

/** Time in ms that a console has to answer. */
const ANSWER_MS = 10_000;

/**
 * Rate limit of the messages of a session that answer no request, since the hub subscribes to
 * nothing there: maximum number at once, and per second.
 */
const UNASKED_RATE = { most: 100, perSecond: 10 } as const;

/** Maximum number of sessions; a further session replaces the least recently used one. */
const SESSIONS = 256;

/** A request as a console gets it. */
export interface ConsoleRequest {
  readonly method: string;
  readonly path?: string;
  readonly payload?: unknown;
  /** The part of a branch that a `get` reads. */
  readonly depth?: number;
  readonly only?: readonly string[];
}

/** The answer of a console. */
export interface ConsoleAnswer {
  readonly success: boolean;
  readonly payload?: unknown;
  readonly durable?: false;
  readonly error?: Refusal;
}

/** Passes requests on to consoles. */
export interface ConsoleLinks {
  /** Sends a request at once, or refuses it; it is never sent twice. */
  ask(id: ConsoleId, by: FleetActor, request: ConsoleRequest): Promise<ConsoleAnswer | Refusal>;
  close(): void;
}

/** A session on a console. */
interface Link {
  ask(request: ConsoleRequest): Promise<ConsoleAnswer | Refusal>;
  close(): void;
  /** Closes it once its requests are answered. */
  retire(): void;
}

/** Makes the links to consoles. */
export function createConsoleLinks(core: HubCore, timer: Timer): ConsoleLinks {
  /** In the order of their last use. */
  const links = new Map<string, Promise<Link | Refusal>>();

  async function open(
    id: ConsoleId,
    { user, from }: FleetActor,
    gone: () => void,
  ): Promise<Link | Refusal> {
    const waiting = new Map<number, (answer: ConsoleAnswer | Refusal) => void>();
    const unasked = createRate(UNASKED_RATE.most, UNASKED_RATE.perSecond);
    let lastId = 0;
    /** Number of answers that were not waited for any longer, and that may still come. */
    let late = 0;
    let socket: Socket | undefined = undefined;
    let isOpen = true;
    let isRetired = false;
    let cancelIdle = () => {};

    function end(): void {
      if (!isOpen) return;
      isOpen = false;
      cancelIdle();
      gone();
      for (const answer of waiting.values()) answer(LOST);
      waiting.clear();
    }

    function receive(data: unknown): void {
      if (!isOpen) return;
      const answer = answerIn(data);
      const answered = answer && waiting.get(answer.msgID);
      if (answered !== undefined) {
        waiting.delete(answer!.msgID);
        answered(answer!);
      } else if (answer !== undefined && late > 0) late--;
      else if (!unasked.take(1, timer.monotonic())) close();
    }

    function close(): void {
      socket?.close(NORMAL_CLOSURE, "");
      end();
    }

    const opened: Socket | Refusal = await core.session(id, user, from, { receive, closed: end });
    if (isRefusal(opened)) {
      end();
      return opened;
    }
    socket = opened;

    function restart(): void {
      cancelIdle();
      cancelIdle = after(timer, IDLE_MS, close);
    }

    // It may have sent too much before it was here.
    if (isOpen) restart();
    else close();
    return {
      ask(request) {
        if (!isOpen) return Promise.resolve(unreachable(core.consoles().get(id), id));
        restart();
        const msgID = ++lastId;
        const { promise, resolve } = Promise.withResolvers<ConsoleAnswer | Refusal>();
        const cancel = after(timer, ANSWER_MS, () => {
          waiting.delete(msgID);
          late++;
          resolve(UNANSWERED);
        });
        waiting.set(msgID, (answer) => {
          cancel();
          resolve(answer);
          if (isRetired && waiting.size === 0) close();
        });
        opened.send(JSON.stringify({ msgID, ...request }));
        return promise;
      },
      close,
      retire() {
        isRetired = true;
        if (waiting.size === 0) close();
      },
    };
  }

  function linkOf(id: ConsoleId, by: FleetActor): Promise<Link | Refusal> {
    const { user, from } = by;
    const key = JSON.stringify([id, user?.name, core.mayAt(user, id), from]);
    const known = links.get(key);
    links.delete(key);
    const link = known ?? open(id, by, () => {
      if (links.get(key) === link) links.delete(key);
    });
    links.set(key, link);
    if (links.size > SESSIONS) closeOldest();
    return link;
  }

  function closeOldest(): void {
    const [[key, oldest]] = links as unknown as [[string, Promise<Link | Refusal>]];
    links.delete(key);
    oldest.then((known) => isRefusal(known) || known.retire(), () => {});
  }

  return {
    async ask(id, by, request) {
      if (core.mayAt(by.user, id) === undefined) return noConsole(id);
      const entry = core.consoles().get(id);
      if (entry?.state !== "live") return unreachable(entry, id);
      const link = await linkOf(id, by);
      return isRefusal(link) ? link : await link.ask(request);
    },
    close() {
      for (const link of links.values()) closeOnce(link);
      links.clear();
    },
  };
}

/** The refusal of a request that was sent, and not answered in time. */
const UNANSWERED = refuse(
  "noSuchObject",
  `the console did not answer within ${ANSWER_MS / 1000} s: nobody knows whether it was ` +
    "carried out",
);

/** The refusal of a request that was sent, and not answered before the connection was lost. */
const LOST = refuse(
  "noSuchObject",
  "the connection to the console was lost before its answer came: nobody knows whether it was " +
    "carried out",
);

function closeOnce(link: Promise<Link | Refusal>): void {
  link.then((known) => isRefusal(known) || known.close(), () => {});
}

/**
 * Returns the answer in a message of a console, which may also have other members of any form;
 * undefined for updates and events.
 */
function answerIn(data: unknown): (ConsoleAnswer & { readonly msgID: number }) | undefined {
  const message = objectIn(data as string);
  if (message === undefined) return undefined;
  const { msgID, success, payload, durable, error } = message;
  if (typeof msgID !== "number" || typeof success !== "boolean") return undefined;
  return {
    ...{ msgID, success, payload },
    ...(durable === false ? { durable } : {}),
    ...(success ? {} : { error: refusalOf(error) }),
  };
}
