/**
 * One client of ECP: its blocks in their order, its updates, and its end. Its requests are carried
 * out like those of every other interface.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { isRefusal } from "../../core/errors.ts";
import { TCP_WHOLE_MS, WAITING_REQUESTS } from "../../core/limits.ts";
import { after, type CooperativeScheduler, type Timer } from "../../core/ports.ts";
import type { FaderAddress } from "../../core/tree/resources.ts";
import type { May } from "../../core/users/user.ts";
import type { Budget } from "../budget.ts";
import type { ByteClient } from "../byte-clients.ts";
import { createByteOutput } from "../byte-output.ts";
import type { ByteSocket } from "../byte-socket.ts";
import { callerWithoutUser } from "../control-api/caller-without-user.ts";
import type { Caller } from "../control-api/method.ts";
import { carryOut } from "../control-api/methods.ts";
import { createQueue } from "../websocket/requests.ts";
import { whenKnown } from "../when-known.ts";
import { type Block, BLOCK_BYTES, createBlockReader, writeBlocks } from "./block.ts";
import type { Action, Data } from "./command.ts";
import { actionOf } from "./commands.ts";
import { level, levelData } from "./commands/level.ts";
import { logic, logicData } from "./commands/logic.ts";
import { createUpdates } from "./updates.ts";

/** The parts of the service that a client uses. */
export interface ClientWorld {
  readonly console: Console;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly budget: Budget;
  readonly history: Caller["history"];
  readonly may: May;
  onFault(fault: unknown): void;
  /** Called when the connection of a client is gone. */
  left(client: Client): void;
}

/** A client. */
export interface Client extends ByteClient {
  /** Whether it is told of levels. */
  readonly hearsLevels: boolean;
  /** Tells it that a logic is on or off now. */
  tellLogic(number: number, isOn: boolean): void;
  /** Tells it of the level of a fader, if it has asked for levels. */
  tellLevel(address: FaderAddress): void;
}

/** The action of a block, with the number of its command. */
interface Asked {
  readonly command: number;
  readonly action: Action;
}

/** The action that was asked for, and whether it was carried out. */
interface Done extends Asked {
  readonly isDone: boolean;
}

/** Opens a client on a connection from an address. */
export function openClient(socket: ByteSocket, address: string, world: ClientWorld): Client {
  const { console, timer, scheduler, budget, history, may } = world;
  // The name of the client for the audit trail and the limits on changes.
  const from = `ecp:${address}`;
  let isOpen = true;
  let hearsLevels = false;
  let hasSpoken = false;
  /**
   * The number of the logic that the client is setting; undefined once it is told of the change.
   */
  let setting: number | undefined;
  let stopWaiting: (() => void) | undefined;
  const output = createByteOutput(socket, from, close, timer, budget.sendBuffers);
  const updates = createUpdates(output, timer);
  const caller = callerWithoutUser({ console, scheduler, history }, from, may);
  const queue = createQueue<Asked, Asked, Done>({
    scheduler,
    address: from,
    read: (asked) => asked,
    overlaps: ({ action }) => action.overlaps === true,
    answer(asked) {
      const wait = output.untilRead();
      return wait === undefined ? carriedOut(asked) : wait.then(() => carriedOut(asked));
    },
    send: answer,
    onFault(fault) {
      close();
      world.onFault(fault);
    },
    limit: WAITING_REQUESTS,
    quota: budget.requests,
    onEviction: close,
  });
  const reader = createBlockReader((block) => {
    if (!isOpen) return;
    // A client that begins with other bytes speaks another protocol, such as a page in a browser.
    if (block === undefined) return hasSpoken ? undefined : close();
    hasSpoken = true;
    const action = actionOf(block);
    const { command } = block;
    if (action !== undefined && !queue.push({ command, action }, BLOCK_BYTES)) close();
  });

  function carriedOut({ command, action }: Asked): Done | Promise<Done> {
    if (action.levels !== undefined) hearsLevels = action.levels;
    setting = action.logic;
    const envelope = action.asking?.(console.state);
    if (envelope === undefined) return { command, action, isDone: true };
    const outcome = carryOut(envelope, caller, false);
    return whenKnown(outcome, (known) => ({ command, action, isDone: !isRefusal(known) }));
  }

  /** Answers with the values in force now, unless the client was told these already. */
  function answer({ command, action, isDone }: Done): void {
    const wasTold = action.logic !== undefined && setting !== action.logic;
    setting = undefined;
    if (wasTold) return;
    const blocks = action.answer(console.state, isDone).map((data) => blockOf(command, data));
    if (blocks.length > 0) output.send(writeBlocks(blocks));
  }

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    stopWaiting?.();
    output.close();
    updates.close();
    queue.clear();
  }

  function close(): void {
    if (!isOpen) return;
    end();
    socket.close();
  }

  const client: Client = {
    address,
    get hearsLevels() {
      return hearsLevels;
    },
    tellLogic(number, isOn) {
      if (setting === number) setting = undefined;
      updates.now(`logic ${number}`, blockOf(logic.number, logicData(number, isOn)));
    },
    tellLevel({ mixer, fader }) {
      if (!hearsLevels) return;
      const place = Uint8Array.of(mixer, fader);
      updates.soon(`level ${mixer} ${fader}`, () => {
        const [data] = levelData(console.state, place);
        return data && blockOf(level.number, data);
      });
    },
    receive(bytes) {
      if (!isOpen) return;
      const before = reader.held;
      reader.read(bytes);
      // Further bytes of the same block do not give it more time.
      if (before > 0 && before + bytes.length < BLOCK_BYTES) return;
      stopWaiting?.();
      stopWaiting = isOpen && reader.held > 0 ? after(timer, TCP_WHOLE_MS, close) : undefined;
    },
    closed() {
      end();
      world.left(client);
    },
    close,
  };
  return client;
}

function blockOf(command: number, data: Data): Block {
  return { command, data: Uint8Array.from(data) };
}
