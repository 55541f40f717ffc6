/**
 * The open control sockets of all consoles of a hub: for a short time a console may have several.
 *
 * @module
 */
import type { ControlSocket } from "./control-socket.ts";
import type { ConnectionKey } from "./presence.ts";
import { type ConsoleId, UPLINK_CLOSE } from "../wire.ts";

/** Maximum number of control sockets of a console, of which all but one are about to end. */
const CONNECTIONS_PER_CONSOLE = 4;

/** The open control sockets. */
export interface ControlSockets {
  /** Adds a control socket of a console; ends the oldest if that console has more than 4. */
  add(id: ConsoleId, socket: ControlSocket): void;
  /** Removes a control socket that has ended. */
  remove(id: ConsoleId, socket: ControlSocket): void;
  /** Returns the control sockets of a console as they are now, the oldest first. */
  of(id: ConsoleId): readonly ControlSocket[];
  /**
   * Returns the control socket that is the key of a connection of a console; undefined for the key
   * of a connection to another hub.
   */
  withKey(id: ConsoleId, key: ConnectionKey | undefined): ControlSocket | undefined;
  /** Returns the number of control sockets of all consoles. */
  count(): number;
  /** Ends all control sockets with a close code. */
  end(code: number, reason: string): void;
}

/** Makes the control sockets of a hub, none at first. */
export function createControlSockets(): ControlSockets {
  const sockets = new Map<ConsoleId, Set<ControlSocket>>();

  function of(id: ConsoleId): readonly ControlSocket[] {
    return [...sockets.get(id) ?? []];
  }

  return {
    add(id, socket) {
      const ofConsole = sockets.get(id) ?? new Set();
      sockets.set(id, ofConsole.add(socket));
      const [oldest] = ofConsole;
      if (ofConsole.size > CONNECTIONS_PER_CONSOLE) {
        oldest?.end(UPLINK_CLOSE.replaced, "too many connections of this console");
      }
    },
    remove(id, socket) {
      const ofConsole = sockets.get(id);
      ofConsole?.delete(socket);
      if (ofConsole?.size === 0) sockets.delete(id);
    },
    of,
    withKey: (id, key) => of(id).find((socket) => socket === key),
    count: () => sockets.values().reduce((sum, ofConsole) => sum + ofConsole.size, 0),
    end(code, reason) {
      for (const id of [...sockets.keys()]) {
        for (const socket of of(id)) socket.end(code, reason);
      }
    },
  };
}
