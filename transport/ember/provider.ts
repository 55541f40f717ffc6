/**
 * The provider of Ember+: all consumers, and their updates.
 *
 * @module
 */
import { changesConfiguration } from "../../core/backup/restored.ts";
import { refreshGeneral } from "../../core/general.ts";
import { after } from "../../core/ports.ts";
import { endExpiredLogins } from "../../core/users/login.ts";
import { DEVICE } from "../../core/users/user.ts";
import { type ByteProvider, type ByteProviderOptions, createByteClients } from "../byte-clients.ts";
import { changesOf, parameterChange } from "./change.ts";
import { type Consumer, openConsumer } from "./consumer.ts";
import { accessPath } from "./device/access.ts";
import { createStreams } from "./streams.ts";
import { createEmberTree } from "./tree.ts";

const SECOND_MS = 1000;

/** Makes the provider of a console, without consumers at first. */
export function createProvider(options: ByteProviderOptions): ByteProvider {
  const { console, timer, may } = options;
  const consumers = createByteClients<Consumer>(console);
  const seen = {
    get state() {
      return console.state;
    },
    may,
  };
  let tree = createEmberTree(seen);
  let stopTime: (() => void) | undefined;
  const streams = createStreams(console, options.sessions.meters);
  const { history } = options.sessions;
  const world = { ...options, history, streams, tree: () => tree, left };

  const stopWatching = console.watch((event, state) => {
    if (changesConfiguration(event)) {
      tree = createEmberTree(seen);
      // Consumers keep the tree that they have read: they read it anew when they connect again.
      return consumers.closeAll();
    }
    if (event.type === "accesschanged") {
      const changed = parameterChange(accessPath(event.mixer, event.accessgroup, tree.places));
      for (const consumer of consumers) consumer.tell(changed);
    }
    if (event.type !== "treechanged" || event.ofMeters === true || consumers.size === 0) return;
    for (const change of changesOf(event.patch, state, tree.carriers, tree.places)) {
      for (const consumer of consumers) consumer.tell(change);
    }
  });

  /** Brings `general` and the logins up to date every second, as while WebSockets are open. */
  function passSecond(): void {
    stopTime = after(timer, SECOND_MS, passSecond);
    console.dispatch(refreshGeneral(), DEVICE);
    console.dispatch(endExpiredLogins, DEVICE);
  }

  function left(consumer: Consumer): void {
    if (!consumers.remove(consumer) || consumers.size > 0) return;
    stopTime?.();
    stopTime = undefined;
  }

  return {
    open(socket, address) {
      // While there were no consumers, faders may have got other channels.
      if (consumers.size === 0) tree.carriers.forget();
      const consumer = consumers.add(address, () => openConsumer(socket, address, world));
      if (consumer !== undefined) stopTime ??= after(timer, SECOND_MS, passSecond);
      return consumer;
    },
    close() {
      stopWatching();
      consumers.closeAll();
    },
  };
}
