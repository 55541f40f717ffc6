/**
 * The commands of a fleet (docs/fleet.md), in the form that the core needs: each has an id, so that
 * a repeated command is carried out once.
 *
 * @module
 */
import type { NotedChanges } from "../noted-changes.ts";
import type { Leaf, Patch } from "../tree/tree.ts";

/** A command of a fleet, by which an actor asks for one change. */
export interface FleetCommand {
  /** Unique among the commands to a console. */
  readonly id: string;
  /** The id of the batch of which it is a part, for the audit trails of all its consoles. */
  readonly batch: string;
  /**
   * Set for a kept command, which is sent again after an unknown outcome: its id is stored in the
   * record of its change. Both times are those of the hub, in ms since 1970: when the command
   * expires, and the time now.
   */
  readonly kept?: { readonly expires: number; readonly now: number } | undefined;
  /** Required values by their paths; if the console has another value, the command is refused. */
  readonly require?: Readonly<Record<string, Leaf>> | undefined;
  /** Makes the command a preview, which is not carried out: this is called with its changes. */
  readonly preview?: ((would: WouldChange) => void) | undefined;
}

/** The changes that a command would make. */
export interface WouldChange {
  /** The values of the control tree. A fader that would fade has the target of the fade. */
  readonly before: Patch;
  readonly after: Patch;
  /** The values beside the control tree, such as users and snapshots, as the audit trail has them. */
  readonly others: NotedChanges | undefined;
  /** All values, as the audit trail has them. */
  readonly all: NotedChanges | undefined;
}

/** The kept commands that this console has carried out. */
export interface CommandsDone {
  /** The expiry of each command by its id, in ms since 1970 by the clock of the hub. */
  readonly ids: ReadonlyMap<string, number>;
  /** A command with this expiry or an earlier one is not carried out: its id may be forgotten. */
  readonly forgotten: number;
}

/** The kept commands of a console that has carried out none. */
export const NO_COMMANDS_DONE: CommandsDone = { ids: new Map(), forgotten: 0 };
