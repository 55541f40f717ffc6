/**
 * The WebSockets of a hub's own control API: their users, their subscriptions, their ends.
 *
 * @module
 */
import { refuse } from "../../core/errors.ts";
import { WAITING_REQUESTS } from "../../core/limits.ts";
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import { formatPath } from "../../core/tree/tree.ts";
import type { Budget } from "../../transport/budget.ts";
import {
  BINARY_FRAME,
  type Message,
  readSmallMessage,
} from "../../transport/control-api/envelope.ts";
import { jsonOf } from "../../transport/json-answers.ts";
import {
  INTERNAL_ERROR,
  MESSAGE_TOO_BIG,
  SERVICE_RESTART,
  TRY_AGAIN_LATER,
} from "../../transport/websocket/close-codes.ts";
import { createSendBuffer, type Socket } from "../../transport/websocket/send-buffer.ts";
import { createQueue } from "../../transport/websocket/requests.ts";
import { createSubscriptions } from "../../transport/websocket/subscriptions.ts";
import type { ClientListener } from "../hub/client-sockets.ts";
import type { Person } from "../hub/rights.ts";
import type { HubConnection, HubParts } from "./method.ts";
import { answerAtHub, mayOverlap } from "./methods.ts";
import { publishBatches, publishTree, type Subscriber } from "./publish.ts";

/** Maximum number of bytes of a message to the hub itself. */
export const MESSAGE_BYTES = 256 * 1024;

/** The ports of the sockets. */
export interface SocketsWorld {
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
}

/** The sockets of the control API of a hub. */
export interface HubSockets {
  /** Takes a socket from an address, on which a user may be logged in already. */
  open(socket: Socket, address: string, user: Person | undefined): ClientListener;
  closeAll(code: number, reason: string): void;
}

/** A socket, with the operations for changes of the tree and of the users. */
interface Session extends Subscriber {
  /** Closes it if its user was removed, or has other rights. */
  judge(): void;
}

/** An answer that can be sent, and the function that then resumes the updates. */
interface ReadyAnswer {
  readonly text: string;
  readonly goOn?: () => void;
}

/** Makes the sockets of a hub, none at first. */
export function createHubSockets(
  parts: HubParts,
  { timer, scheduler, budget }: SocketsWorld,
): HubSockets {
  const { core, tree, batches } = parts;
  const sessions = new Set<Session>();
  const allSubscriptions = createSubscriptions<Session>(budget.subscriptions);
  tree.watch((change) => publishTree(allSubscriptions, change));
  batches.watch((change) => {
    publishBatches(allSubscriptions, change, (user) => batches.isShown(change, user));
  });
  // The request that changes users is answered first, also on a socket that is then closed.
  core.watchUsers(() => after(timer, 0, () => sessions.forEach((session) => session.judge())));

  function open(socket: Socket, address: string, user: Person | undefined): ClientListener {
    let loggedIn = user;
    let isStranger = user === undefined;
    let rights = rightsOf(user);
    let isOpen = true;
    const giveUp = () => close(TRY_AGAIN_LATER, "too much is waiting to be read");
    const sendBuffer = createSendBuffer(socket, address, giveUp, timer, budget.sendBuffers);
    const session: Session = { sendBuffer, mayHear, user: userNow, judge, close };
    const subscriptions = allSubscriptions.open(address, session);
    const connection: HubConnection = {
      subscribe: (path) => mayHear() ? subscriptions.add(path) : LOG_IN,
      unsubscribe(path) {
        subscriptions.remove(path);
        sendBuffer.forget(formatPath(path));
      },
      userCame: () => void (isStranger = false),
      logIn(who) {
        loggedIn = who;
        rights = rightsOf(who);
      },
    };
    const queue = createQueue<string | undefined, Message, ReadyAnswer>({
      scheduler,
      address,
      read,
      overlaps: mayOverlap,
      answer,
      send({ text, goOn }) {
        sendBuffer.send(text);
        goOn?.();
      },
      onFault: (fault) => close(INTERNAL_ERROR, "the hub failed to answer", fault),
      limit: WAITING_REQUESTS,
      quota: budget.requests,
      onEviction: () => close(TRY_AGAIN_LATER, "too many requests are waiting for an answer"),
    });

    function read(text: string | undefined): Message {
      const message = text === undefined ? BINARY_FRAME : readSmallMessage(text, MESSAGE_BYTES);
      if ("method" in message || !("limit" in message)) return message;
      close(MESSAGE_TOO_BIG, `expected a message of at most ${MESSAGE_BYTES} bytes`);
      return BINARY_FRAME;
    }

    async function answer(request: Message): Promise<ReadyAnswer> {
      const actor = { user: userNow(), from: address };
      const given = await answerAtHub(request, { ...parts, actor, connection });
      const text = jsonOf(given, scheduler, address);
      if (!(text instanceof Promise)) return { text };
      // Updates during the writing of the answer are newer, so they are sent after it.
      const goOn = sendBuffer.hold();
      return { text: await text, goOn };
    }

    function userNow(): Person | undefined {
      return loggedIn === undefined ? undefined : core.refresh(loggedIn);
    }

    function mayHear(): boolean {
      return isOpen && (core.anonymous === "console" || userNow() !== undefined);
    }

    function judge(): void {
      if (loggedIn === undefined) return;
      const now = userNow();
      if (now === undefined) close(SERVICE_RESTART, "the user was removed, or has another token");
      else if (rightsOf(now) !== rights) close(SERVICE_RESTART, "the user has other rights");
    }

    function close(code: number, reason: string, fault?: unknown): void {
      if (!isOpen) return;
      socket.close(code, reason, fault);
      end();
    }

    function end(): void {
      if (!isOpen) return;
      isOpen = false;
      sendBuffer.close();
      subscriptions.close();
      queue.clear();
      sessions.delete(session);
    }

    sessions.add(session);
    return {
      receive(data) {
        if (!isOpen) return;
        const text = typeof data === "string" ? data : undefined;
        const length = text?.length ?? 0;
        if (length > MESSAGE_BYTES) {
          close(MESSAGE_TOO_BIG, `expected a message of at most ${MESSAGE_BYTES} bytes`);
        } else if (!queue.push(text, length)) {
          close(TRY_AGAIN_LATER, "too many requests are waiting for an answer");
        }
      },
      closed: end,
      isStranger: () => isStranger,
    };
  }

  return {
    open,
    closeAll(code, reason) {
      for (const session of [...sessions]) session.close(code, reason);
    },
  };
}

const LOG_IN = refuse("notLoggedIn", "log in with auth to subscribe");

/** Returns the rights of a user as a text, so that changed rights show as another text. */
function rightsOf(user: Person | undefined): string {
  return JSON.stringify([user?.may, user?.rights ?? []]);
}
