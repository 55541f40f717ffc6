/**
 * The waiting kept commands of the ledger, for each console in the order in which the ledger took
 * them.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Command } from "./command.ts";
import type { Became, Send } from "./command-way.ts";
import { createKeptQuota, type KeptQuota } from "./kept-quota.ts";
import type { ConsoleId } from "../wire.ts";

/** The result `sent` that a hub stores before it sends a command. */
export interface Claim {
  /** The connection on which the hub is about to send the command. */
  readonly line: Send;
  /** The revision of the result: the claim holds until another result is stored. */
  readonly revision: number;
  /** Whether no hub had sent the command before. */
  readonly isFirst: boolean;
}

/** A command in the ledger. */
export interface Kept {
  readonly command: Command;
  readonly bytes: number;
  /** The claim of this hub to send it; undefined again once it is sent. */
  claim: Claim | undefined;
  /** The connection on which it was sent. */
  sentOn: Send | undefined;
  /**
   * The revision of its result when it was sent or, with an outcome, when that was concluded: the
   * outcome counts only if no other hub has stored a result since.
   */
  revision: number;
  /** Whether it was reported as `unknown`: it still waits for its console, which may be away. */
  isDoubted: boolean;
  /** Its outcome, which may not be in the ledger yet. */
  became: Became | undefined;
  /** Whether the outcome is being stored. */
  isStoring: boolean;
}

/** The waiting commands. */
export interface KeptQueue {
  /** The quota that they count in. */
  readonly quota: KeptQuota;
  /** Adds a command; undefined where it is there already. */
  add(command: Command): Kept | undefined;
  remove(command: Pick<Command, "console" | "id">): void;
  find(command: Pick<Command, "console" | "id">): Kept | undefined;
  /** Returns the commands of a console. */
  of(console: ConsoleId): readonly Kept[];
  /** Returns the consoles for which commands wait. */
  consoles(): readonly ConsoleId[];
}

/** Makes an empty queue. */
export function createKeptQueue(): KeptQueue {
  const kept = new Map<ConsoleId, Map<string, Kept>>();
  const quota = createKeptQuota();
  return {
    quota,
    add(command) {
      const { console, id } = command;
      const ofConsole = kept.get(console) ?? new Map<string, Kept>();
      if (ofConsole.has(id)) return undefined;
      const one: Kept = {
        command,
        bytes: bytesOf(command),
        claim: undefined,
        sentOn: undefined,
        revision: 0,
        isDoubted: false,
        became: undefined,
        isStoring: false,
      };
      kept.set(console, ofConsole.set(id, one));
      quota.take(command, one.bytes);
      return one;
    },
    remove({ console, id }) {
      const ofConsole = kept.get(console);
      const one = ofConsole?.get(id);
      if (one === undefined) return;
      ofConsole!.delete(id);
      if (ofConsole!.size === 0) kept.delete(console);
      quota.release(one.command, one.bytes);
    },
    find: ({ console, id }) => kept.get(console)?.get(id),
    of: (console) => [...kept.get(console)?.values() ?? []],
    consoles: () => [...kept.keys()],
  };
}

/** Returns the number of bytes that a command counts in the quota. */
export function bytesOf(command: Command): number {
  return JSON.stringify(command).length;
}

/** Reads a command of the ledger; undefined for anything else. */
export function readCommand(value: Json): Command | undefined {
  const command = value as unknown as Command;
  const isCommand = [command.id, command.console, command.batch, command.from]
    .every((text) => typeof text === "string") &&
    typeof command.expires === "number" &&
    typeof command.request === "object" && typeof command.by === "object";
  return isCommand ? command : undefined;
}
