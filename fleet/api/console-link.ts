/**
 * A session of a hub on a console: it sends the requests of one user, and finds their answers.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { objectIn } from "../../core/json.ts";
import { after, type Timer } from "../../core/ports.ts";
import { NORMAL_CLOSURE } from "../../transport/websocket/close-codes.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { refusalOf, unreachable } from "../hub/console-state.ts";
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

/** A session on a console. */
export interface ConsoleLink {
  /** Sends a request; refused if no answer comes within 10 s, or if the session has ended. */
  ask(request: ConsoleRequest): Promise<ConsoleAnswer | Refusal>;
  close(): void;
  /** Closes it once its requests are answered. */
  retire(): void;
}

/** Opens a session of a user; `gone` is called once, at its end or when it cannot be opened. */
export async function openConsoleLink(
  core: Pick<HubCore, "session" | "consoles">,
  timer: Timer,
  id: ConsoleId,
  { user, from }: FleetActor,
  gone: () => void,
): Promise<ConsoleLink | Refusal> {
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
