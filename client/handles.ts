/**
 * Handles of a mixer, a fader and an external list, instead of paths and RPC methods. They hold
 * nothing but their numbers, so a mixer that does not exist shows with the first request.
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
export type ListButton = RpcParams<"setextlist">["entries"][number];

/** The groups of a snapshot: bitmasks, where group N (1..8) is 2^(N-1). */
export interface SnapshotGroups {
  /** Groups that may load and change it, 1 to 255; by default those of the user who saves. */
  readonly writegroups?: number;
  /** Groups that may load it, 0 to 255; 0, the default, is everyone. */
  readonly readgroups?: number;
}

/**
 * The snapshots of a mixer, or of the channel on a fader, by their names. A name that no snapshot
 * has is rejected with code 6, one that several have with code 3; so is, by the console, a save
 * under the name of a factory snapshot, with code 7.
 */
export interface SnapshotHandle {
  /** Lists those that may be loaded here. */
  list(): Promise<readonly SnapshotEntry[]>;
  /** Loads one. */
  load(name: string): Promise<void>;
  /**
   * Saves the values in force. Overwrites a snapshot of that name, which keeps the groups that are
   * not given.
   */
  save(name: string, groups?: SnapshotGroups): Promise<void>;
}

/** A mixer. */
export interface MixerHandle {
  readonly snapshots: SnapshotHandle;
  /** Returns a fader of it, by its number from 0. */
  fader(number: number): FaderHandle;
  /** Keeps a live copy of all of it; resolves once there is one. */
  watch(options?: SubscribeOptions): Promise<Watch<Mixer, Change<Mixer>>>;
}

/** A fader of a mixer. */
export interface FaderHandle {
  /** The snapshots of the channel that it carries. */
  readonly snapshots: SnapshotHandle;
  /** Reads its level, in dB. */
  level(): Promise<number>;
  /** Sets it to a level in dB, clamped to -160 to 10; resolves with the level in force. */
  set(decibels: number): Promise<number>;
  /**
   * Fades it, fader-linear, to a level in dB, -160 to 10, within 0 to 30 s. Resolves once the fade
   * has begun; a live copy says when it is over.
   */
  fadeTo(decibels: number, seconds: number): Promise<void>;
  /** Switches it on or off; resolves with the value in force. */
  on(isOn: boolean): Promise<boolean>;
  /** Labels the channel that it carries; "" restores the default. Resolves with the label. */
  label(text: string): Promise<string>;
  /** Keeps a live copy of all of it; resolves once there is one. */
  watch(options?: SubscribeOptions): Promise<Watch<Fader, Change<Fader>>>;
}

/** An external list: a list of buttons which a program fills and the console shows. */
export interface ListHandle {
  /**
   * Fills the list, and shows the page `page`, from 0, where it is given. The connection is
   * registered for the list before, so that there is one and its buttons are told of: after a loss
   * of the connection fill it again.
   */
  fill(buttons: readonly ListButton[], page?: number): Promise<void>;
  /**
   * Tells `listener` which button, from 0, was pressed (`isOn` true) or released; the answer ends
   * that. It is told once this connection has filled the list, or registered for it by RPC.
   */
  onButton(listener: (button: number, isOn: boolean) => void): () => void;
  /** Presses a button, from 0, or releases it, as a device view does. */
  press(button: number, isOn: boolean): Promise<void>;
  /** Keeps a live copy of the list as it is shown; resolves once there is one. */
  watch(): Promise<Watch<ExternalList, Change<ExternalList>>>;
  /** Unregisters the connection; the list ends with the last registration. */
  leave(): Promise<void>;
}

/** The handles of a client. */
export interface Handles {
  /** Returns a mixer, by its number from 0. */
  mixer(number: number): MixerHandle;
  /** Returns an external list, by its number in the configuration. */
  list(number: number): ListHandle;
}
