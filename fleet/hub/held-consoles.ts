/**
 * The consoles that a hub reaches without an uplink of theirs. Their entries go into its picture as
 * they are.
 *
 * @module
 */
import type { HeldConsole, HubCore } from "./hub-core.ts";
import type { Picture } from "./picture.ts";
import type { ConsoleId } from "../wire.ts";

/** The consoles without an uplink. */
export interface HeldConsoles extends Pick<HubCore, "hold"> {
  /** Returns a console; undefined if no such console without an uplink was added. */
  get(id: ConsoleId): HeldConsole | undefined;
  /** Ends the connections to all of them. */
  close(): void;
}

/** Makes the consoles without an uplink, none at first. */
export function createHeldConsoles(picture: Pick<Picture, "show">): HeldConsoles {
  const held = new Map<ConsoleId, HeldConsole>();
  return {
    get: (id) => held.get(id),
    hold(console) {
      const { id } = console.entry();
      held.set(id, console);
      const stop = console.watch((entry) => picture.show(id, entry));
      picture.show(id, console.entry());
      return () => {
        stop();
        if (held.get(id) !== console) return;
        held.delete(id);
        picture.show(id, undefined);
        console.close();
      };
    },
    close() {
      for (const console of held.values()) console.close();
    },
  };
}
