/**
 * Handles of a mixer, a fader and an external list, instead of paths and RPC methods. They hold
 * only their numbers, so the first request fails if, for example, the mixer does not exist.
 *
 * @module
 */
import type { ExternalList, Fader, Mixer } from "./control-tree.ts";
import type { Change } from "./paths.ts";
import type { RpcParams, RpcResult } from "./rpcs.ts";
import type { SubscribeOptions } from "./subscriptions.ts";
import type { Watch } from "./watch.ts";

/** A snapshot in a list of snapshots. */
export type SnapshotEntry = RpcResult<"getsnapshotlist">[number];

/** A button of an external list, as it is sent to the console. */
export type ListButton = NonNullable<RpcParams<"setextlist">["entries"]>[number];

/** The groups of a snapshot: bitmasks, where group N (1..8) is 2^(N-1). */
export interface SnapshotGroups {
  /** Groups that may load and change it, 1 to 255; by default those of the user who saves. */
  readonly writegroups?: number;
  /** Groups that may load it, 0 to 255; 0, the default, is everyone. */
  readonly readgroups?: number;
}

/**
 * The snapshots of a mixer, or of the channel on a fader, by their names. Calls are rejected with
 * code 6 if no snapshot has the name, and with code 3 if several have it; the console rejects a
 * save under the name of a factory snapshot with code 7.
 */
export interface SnapshotHandle {
  /** Lists the snapshots that can be loaded here. */
  list(): Promise<readonly SnapshotEntry[]>;
  /** Loads a snapshot. */
  load(name: string): Promise<void>;
  /**
   * Saves the values in force. Overwrites a snapshot of that name, whose groups stay unless given.
   */
  save(name: string, groups?: SnapshotGroups): Promise<void>;
}

/** A mixer. */
export interface MixerHandle {
  readonly snapshots: SnapshotHandle;
  /** Returns a fader of the mixer, by its number from 0. */
  fader(number: number): FaderHandle;
  /** Keeps a live copy of all of it; resolves once there is one. */
  watch(options?: SubscribeOptions): Promise<Watch<Mixer, Change<Mixer>>>;
}

/** A fader of a mixer. */
export interface FaderHandle {
  /** The snapshots of the channel on the fader. */
  readonly snapshots: SnapshotHandle;
  /** Reads the level in dB. */
  level(): Promise<number>;
  /** Sets the level in dB, clamped to -160 to 10; resolves with the level in force. */
  set(decibels: number): Promise<number>;
  /**
   * Fades to a level in dB, -160 to 10, in 0 to 30 s, linear in the travel of the fader. Resolves
   * once the fade has begun; a live copy shows its end.
   */
  fadeTo(decibels: number, seconds: number): Promise<void>;
  /** Switches the fader on or off; resolves with the value in force. */
  on(isOn: boolean): Promise<boolean>;
  /** Labels the channel on the fader; "" restores the default. Resolves with the label. */
  label(text: string): Promise<string>;
  /** Keeps a live copy of all of it; resolves once there is one. */
  watch(options?: SubscribeOptions): Promise<Watch<Fader, Change<Fader>>>;
}

/** An external list: a list of buttons that a program defines and the console shows. */
export interface ListHandle {
  /**
   * Fills the list, and shows the page `page`, from 0, if given. First registers the connection for
   * the list, so that the list exists and presses are notified. After a loss of the connection the
   * list has to be filled again.
   */
  fill(buttons: readonly ListButton[], page?: number): Promise<void>;
  /**
   * Calls `listener` with the button, from 0, that was pressed (`isOn` true) or released; the
   * returned function ends that. It is called only once this connection has filled the list, or
   * registered for it by RPC.
   */
  onButton(listener: (button: number, isOn: boolean) => void): () => void;
  /** Presses a button, from 0, or releases it, as a device view does. */
  press(button: number, isOn: boolean): Promise<void>;
  /** Keeps a live copy of the list; resolves with the first value. */
  watch(): Promise<Watch<ExternalList, Change<ExternalList>>>;
  /** Unregisters the connection; the list ends with the last registration. */
  leave(): Promise<void>;
}

/** The handles of a client. */
export interface Handles {
  /** Returns the handle of a mixer, by its number from 0. */
  mixer(number: number): MixerHandle;
  /** Returns the handle of an external list, by its number in the configuration. */
  list(number: number): ListHandle;
}
