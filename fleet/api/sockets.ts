/**
 * The WebSockets of a hub's own control API: their users, their subscriptions, their ends.
 *
 * @module
 */
import { refuse } from "../../core/errors.ts";
import { WAITING_REQUESTS } from "../../core/limits.ts";
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import { type Branch, type Patch, patchBelow, type Path } from "../../core/tree/tree.ts";
import type { Listener } from "../../transport/arrival.ts";
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
import {
  createOutbox,
  type Outbox,
  type Socket,
  updateOf,
} from "../../transport/websocket/outbox.ts";
import { createQueue } from "../../transport/websocket/requests.ts";
import { createSubscriptions } from "../../transport/websocket/subscriptions.ts";
import { type Person, seesAll } from "../hub/rights.ts";
import type { BatchChange } from "../batches/kept-batches.ts";
import type { TreeChange } from "./fleet-tree.ts";
import type { HubConnection, HubParts } from "./method.ts";
import { answerAtHub, mayOverlap } from "./methods.ts";
import { seenChange } from "./seen.ts";
import { sitesChange } from "./sites.ts";

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
  open(socket: Socket, address: string, user: Person | undefined): Listener;
  closeAll(code: number, reason: string): void;
}

/** A socket, with the operations for changes of the tree and of the users. */
interface Session {
  readonly outbox: Outbox;
  mayHear(): boolean;
  /** Returns the user who is logged in, with the present rights. */
  user(): Person | undefined;
  /** Closes it if its user was removed, or has other rights. */
  judge(): void;
  close(code: number, reason: string): void;
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
  tree.watch(publish);
  batches.watch(publishBatches);
  // The request that changes users is answered first, also on a socket that is then closed.
  core.watchUsers(() => after(timer, 0, () => sessions.forEach((session) => session.judge())));

  function publish(change: TreeChange): void {
    const { patch, recounted } = change;
    publishSeen(patch, (user) => seenChange(user, change));
    if (recounted !== undefined) {
      publishSeen(recounted.touched, (user) => sitesChange(recounted, user));
    }
    const { rewritten, moved, sites } = change;
    for (const { subscriber, path } of touched(rewritten)) {
      if (!sees(subscriber.user(), rewritten!, sites, path)) continue;
      subscriber.close(SERVICE_RESTART, "a console has fewer values than before");
    }
    const sitesBefore = new Map(
      Object.entries((moved?.consoles ?? {}) as Record<string, Branch>)
        .map(([id, { _site }]) => [id, _site as string]),
    );
    for (const { subscriber, path } of touched(moved)) {
      const user = subscriber.user();
      if (user === undefined || seesAll(user)) continue;
      // A console that moves must disconnect only users who saw it before or see it now.
      const isSeen = sees(user, moved!, sitesBefore, path) || sees(user, moved!, sites, path);
      if (isSeen) subscriber.close(SERVICE_RESTART, "a console is at another site");
    }
  }

  /** Sends the subscribers of a patch the part of it that each of them sees. */
  function publishSeen(
    all: Patch,
    seenBy: (user: Person | undefined) => Patch | undefined,
  ): void {
    const parts = new Map<string, Patch | undefined>();
    const texts = new Map<string, ReturnType<typeof updateOf>>();
    for (const { subscriber, path, text } of allSubscriptions.touchedBy(all)) {
      if (!subscriber.mayHear()) continue;
      const user = subscriber.user();
      const who = user === undefined || seesAll(user) ? "" : user.name;
      if (!parts.has(who)) parts.set(who, seenBy(user));
      // The name of a user has no blank.
      const key = `${who} ${text}`;
      let update = texts.get(key);
      if (update === undefined) {
        const seen = parts.get(who);
        const patch = seen && patchBelow(seen, path);
        if (patch === undefined) continue;
        texts.set(key, update = updateOf(text, patch));
      }
      subscriber.outbox.update(update);
    }
  }

  function publishBatches(change: BatchChange): void {
    const texts = new Map<string, ReturnType<typeof updateOf>>();
    for (const { subscriber, path, text } of allSubscriptions.touchedBy(change.patch)) {
      if (!subscriber.mayHear() || !batches.isShown(change, subscriber.user())) continue;
      let update = texts.get(text);
      if (update === undefined) {
        texts.set(text, update = updateOf(text, patchBelow(change.patch, path)!));
      }
      subscriber.outbox.update(update);
    }
  }

  function touched(patch: Patch | undefined) {
    return patch === undefined ? [] : allSubscriptions.touchedBy(patch);
  }

  function open(socket: Socket, address: string, user: Person | undefined): Listener {
    let loggedIn = user;
    let rights = rightsOf(user);
    let isOpen = true;
    const giveUp = () => close(TRY_AGAIN_LATER, "too much is waiting to be read");
    const outbox = createOutbox(socket, address, giveUp, timer, budget.sendBuffers);
    const session: Session = { outbox, mayHear, user: userNow, judge, close };
    const subscriptions = allSubscriptions.open(address, session);
    const connection: HubConnection = {
      subscribe: (path) => mayHear() ? subscriptions.add(path) : LOG_IN,
      unsubscribe: (path) => subscriptions.remove(path),
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
        outbox.send(text);
        goOn?.();
      },
      onFault: (fault) => close(INTERNAL_ERROR, "the hub failed to answer", fault),
      limit: WAITING_REQUESTS,
      quota: budget.requests,
      onEviction: () => close(TRY_AGAIN_LATER, "too many requests are waiting for an answer"),
    });

    function read(text: string | undefined): Message {
      const message = text === undefined ? BINARY_FRAME : readSmallMessage(text, MESSAGE_BYTES);
      if (!("limit" in message)) return message;
      close(MESSAGE_TOO_BIG, `expected a message of at most ${MESSAGE_BYTES} bytes`);
      return BINARY_FRAME;
    }

    async function answer(request: Message): Promise<ReadyAnswer> {
      const actor = { user: userNow(), from: address };
      const given = await answerAtHub(request, { ...parts, actor, connection });
      const text = jsonOf(given, scheduler, address);
      if (!(text instanceof Promise)) return { text };
      // Updates during the writing of the answer are newer, so they are sent after it.
      const goOn = outbox.hold();
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
      outbox.close();
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
    };
  }

  return {
    open,
    closeAll(code, reason) {
      for (const session of [...sessions]) session.close(code, reason);
    },
  };
}

/** Says whether a user sees, below a path, any console of a patch, with these at their sites. */
function sees(
  user: Person | undefined,
  patch: Patch,
  sites: TreeChange["sites"],
  path: Path,
): boolean {
  const seen = seenChange(user, { patch, sites });
  return seen !== undefined && patchBelow(seen, path) !== undefined;
}

const LOG_IN = refuse("notLoggedIn", "log in with auth to subscribe");

/** Returns the rights of a user as a text, so that changed rights show as another text. */
function rightsOf(user: Person | undefined): string {
  return JSON.stringify([user?.may, user?.rights ?? []]);
}
