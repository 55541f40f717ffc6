/**
 * The console, the only place that holds state. It carries out commands, which make events, and
 * calls the watchers with each event once the event is in force.
 *
 * @module
 */
import { type Audit, createTrail, type Trail } from "./audit.ts";
import type { ReadAudit } from "./audit-query.ts";
import { changesConfiguration } from "./backup/restored.ts";
import type { Command, Decision, DecisionPorts, Outcome } from "./command.ts";
import { isRefusal, reasonOf, type Refusal, refuse } from "./errors.ts";
import { appliesInDegradedMode, type ConsoleEvent, isDurable, reduce } from "./events.ts";
import { once } from "./fleet-commands/carry-out-once.ts";
import type { Clock, RecordBytes, Store } from "./ports.ts";
import { checkpointRecords, encodeRecord } from "./record.ts";
import { rememberingSnapshotList, type SnapshotListEntry } from "./snapshots/getsnapshotlist.ts";
import type { SnapshotType } from "./snapshots/snapshot.ts";
import type { State } from "./state.ts";
import { isStoring } from "./storage-alarm.ts";
import type { Path } from "./tree/tree.ts";
import { createUndoRecorder, type UndoRecorder } from "./undo/recorder.ts";
import type { UndoStep } from "./undo/step.ts";
import { mayRefusal } from "./users/may.ts";
import { rememberingTokens, validUser } from "./users/token.ts";
import { type Actor, DEVICE, refreshActor, type User } from "./users/user.ts";
import { createWriteBudget, type WriteBudget } from "./write-budget.ts";

/**
 * A watcher is called with every event once it is in force, and with the state after it. If a
 * watcher throws, the others are still called.
 */
export type Watcher = (event: ConsoleEvent, state: State) => void;

/** A reader is called with a path before the value there is read. */
export type Reader = (path: Path) => void;

/** A running console. */
export interface Console {
  /** The state in force. All of its durable parts are on the medium, unless `unstored` is true. */
  readonly state: State;
  /**
   * Carries a command out. Returns the outcome, or, for durable events, a promise that resolves
   * once they are on the medium; until then they are not in force. If the store refuses them, the
   * console continues in degraded mode: a change of the live state alone comes into force
   * nevertheless, and its outcome says that it is not durable; any other change, and with
   * `storage.onFault` "refuse" every change, is refused (12) and has no effect. Changes of an actor
   * with an address over `limits.writes` are also refused (11). A command is decided with the
   * present rights of the actor. It is refused to a user without the right that it needs (5), and
   * to an actor without a token if a token is needed for that right (4). A watcher may call it,
   * too: then it returns before its events are in force; they come into force after all watchers
   * have received the earlier event.
   */
  dispatch<Result>(
    command: Command<Result>,
    actor: Actor,
  ): Outcome<Result> | Promise<Outcome<Result>>;
  /**
   * Whether a change that the store refused is in force. Until a checkpoint with this change is
   * begun, changes of the live state come into force without the store, which may take long to
   * fail.
   */
  readonly unstored: boolean;
  /** Returns the records of a checkpoint of the state in force; called by the log. */
  checkpoint(): Iterable<RecordBytes>;
  /**
   * Called by the log when the last requested checkpoint has ended. If it is on the medium, and the
   * store has refused nothing since the request, `unstored` becomes false.
   */
  checkpointEnded(isStored: boolean): void;
  /** Returns the user of a token; refuses (4) a wrong or expired token. */
  userOf(token: unknown): User | Refusal;
  /**
   * Lists the snapshots of a type as `listSnapshots` does; the last list is kept until it changes.
   */
  snapshotList(type: SnapshotType, mixer?: number): readonly SnapshotListEntry[] | Refusal;
  /**
   * Returns the actor with its present rights: without a user if the user was removed or the user's
   * token has expired.
   */
  actorNow(actor: Actor): Actor;
  /**
   * Reports a refused call to the audit trail, whether or not it reached a command. `target` is the
   * subject of the call: a path, or the parameters.
   */
  tellRefused(actor: Actor, refusal: Refusal, target?: unknown): void;
  /**
   * Reports a fault that has no caller, such as of a socket to which meters are sent, to
   * `onWatcherFault`; without that it throws the fault.
   */
  tellFault(fault: unknown): void;
  /** Reads the audit trail; undefined if there is no readable one. */
  readonly readAudit: ReadAudit | undefined;
  /** The last changes of actors with a `call`, the oldest first, as `undo` takes them. */
  readonly undoSteps: readonly UndoStep[];
  readonly clock: Clock;
  /** Adds a watcher; the returned function removes it. */
  watch(watcher: Watcher): () => void;
  /** Calls the readers, because the value at a path is about to be read. */
  reading(path: Path): void;
  /**
   * Adds a reader, which may bring the value at a path up to date before it is read; the returned
   * function removes it.
   */
  beforeReading(reader: Reader): () => void;
}

/** The parts and the ports of a console. */
export interface ConsoleOptions extends DecisionPorts {
  /**
   * The state at the start: the result of a replay of the store, or the initial state of a new
   * console.
   */
  readonly state: State;
  readonly store: Store;
  /** Called when a write has failed. */
  readonly onStoreFault?: (fault: unknown) => void;
  /**
   * Called when a watcher has thrown, after all other watchers were called, and with the faults of
   * `tellFault`. Without it the fault is thrown to the caller of `dispatch`; the change is in force
   * nevertheless.
   */
  readonly onWatcherFault?: (fault: unknown) => void;
  /**
   * Receives every change made by the `call` of an actor, once it is in force, and every refusal
   * reported by `tellRefused`. Without it there is no audit trail.
   */
  readonly audit?: Audit | undefined;
  /** Reads the entries that `audit` has received. */
  readonly readAudit?: ReadAudit | undefined;
}

/**
 * Makes a console that starts with a state; its durable events go to the store.
 *
 * @example A console that forgets everything at its end
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { DEVICE, get, initialState, readConfiguration, set } from "faderd";
 *
 * const read = readConfiguration({ mixers: [{ faders: 8 }] });
 * if ("faults" in read) throw new Error("the configuration has faults");
 * const desk = createConsole({
 *   state: initialState(read.configuration),
 *   store: { append: () => Promise.resolve() },
 *   clock: { now: Date.now, monotonic: () => performance.now() },
 *   random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
 * });
 * await desk.dispatch(set("/audio/mixers/0/faders/0/fader", -20), DEVICE);
 * assertEquals(get(desk, "/audio/mixers/0/faders/0/fader"), { value: -20 });
 * ```
 */
export function createConsole(options: ConsoleOptions): Console {
  const { clock, audit, onWatcherFault = throwFault } = options;
  const userOfToken = rememberingTokens();
  const snapshotList = rememberingSnapshotList();
  const readers = new Set<Reader>();
  const budget = createWriteBudget(clock);
  const publisher = createPublisher(
    { ...options.state, startedAt: clock.monotonic() },
    onWatcherFault,
  );
  const trail = createTrail(audit, (actor, bytes) => {
    budget.owe(actor, bytes, publisher.state.configuration.limits.writes);
  });
  const recorder = createUndoRecorder(clock);
  const answerer = createAnswerer(options, publisher, budget, trail, recorder);

  return {
    get state() {
      return publisher.state;
    },
    dispatch: (command, actor) => answerer.carryOut(command, actor, true),
    get unstored() {
      return answerer.keeping !== "stored";
    },
    checkpoint() {
      if (answerer.keeping === "passing") answerer.keeping = "catchingUp";
      return checkpointRecords(publisher.state);
    },
    checkpointEnded(isStored) {
      if (answerer.keeping === "catchingUp") answerer.keeping = isStored ? "stored" : "passing";
    },
    userOf(token) {
      const { users } = publisher.state;
      const user = typeof token === "string" ? userOfToken(users, token) : undefined;
      return validUser(user, clock.now());
    },
    snapshotList: (type, mixer) => snapshotList(publisher.state, type, mixer),
    actorNow: (actor) => refreshActor(publisher.state.users, actor, clock.now()),
    tellRefused: trail.refused,
    tellFault: onWatcherFault,
    readAudit: options.readAudit,
    get undoSteps() {
      return recorder.steps;
    },
    clock,
    watch: publisher.watch,
    reading(path) {
      for (const reader of readers) reader(path);
    },
    beforeReading(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}

/** Puts events in force, and calls the watchers. */
function createPublisher(initial: State, onWatcherFault: (fault: unknown) => void) {
  const watchers = new Set<Watcher>();
  const coming: Step[] = [];
  let state = initial;
  let publishing = false;

  return {
    get state() {
      return state;
    },
    /**
     * Puts events in force one after the other, and calls every watcher with each. Events that a
     * watcher causes meanwhile come into force after them, so all watchers receive all events in
     * the same order. `settled` is called after the last of them.
     */
    publish(steps: readonly Step[], settled: () => void): void {
      coming.push(...steps);
      if (publishing) return;
      publishing = true;
      const faults: unknown[] = [];
      for (let step = coming.shift(); step !== undefined; step = coming.shift()) {
        const { event, before, after } = step;
        // In most cases no other event came in between: then the decided state comes into force as
        // it is.
        state = state === before ? after : reduce(state, event);
        for (const watcher of watchers) {
          try {
            watcher(event, state);
          } catch (fault) {
            faults.push(fault);
          }
        }
      }
      publishing = false;
      settled();
      for (const fault of faults) onWatcherFault(fault);
    },
    watch(watcher: Watcher): () => void {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

/**
 * The decided events that may not be on the medium yet. Commands are decided on the state after all
 * of them, so that a command takes account of those in flight.
 */
function createPending(publisher: ReturnType<typeof createPublisher>) {
  let state = publisher.state;
  const writes: Write[] = [];

  return {
    /** The state after all decided events. */
    get state() {
      return state;
    },
    /** The writes under way, the oldest first. */
    writes,
    has: (isMeant: (event: ConsoleEvent) => boolean) =>
      writes.some(({ events }) => events.some(isMeant)),
    /** Adds events, so that later commands are decided on the state after them. */
    decide: (events: readonly ConsoleEvent[]): Step[] =>
      events.map((event) => {
        const before = state;
        state = reduce(before, event);
        return { event, before, after: state };
      }),
    /** Removes a failed write and all later ones, with their decided events. */
    takeFailed(write: Write): readonly Write[] {
      const at = writes.indexOf(write);
      if (at === -1) return [];
      const failed = writes.splice(at);
      state = writes.flatMap(({ events }) => events).reduce(reduce, publisher.state);
      return failed;
    },
    publish(steps: readonly Step[]): void {
      publisher.publish(steps, () => {
        if (writes.length === 0) state = publisher.state;
      });
    },
  };
}

/** Decides commands, has their events stored, and returns their outcomes. */
function createAnswerer(
  options: ConsoleOptions,
  publisher: ReturnType<typeof createPublisher>,
  budget: WriteBudget,
  trail: Trail,
  recorder: UndoRecorder,
) {
  const { store, clock, onStoreFault } = options;
  const pending = createPending(publisher);
  let lastWrite: Promise<void> = Promise.resolve();
  const answerer = { carryOut, keeping: "stored" as Keeping };

  const writeLimits = () => pending.state.configuration.limits.writes;
  const allowsDegradedMode = () => pending.state.configuration.storage.onFault === "play";

  /**
   * Puts the events of a command in force, reports them to the audit trail, keeps them as a step
   * that can be undone, and returns the outcome.
   */
  function finish<Result>(
    { events, result, subject }: Change<Result>,
    actor: Actor,
    steps: readonly Step[],
    isVolatile = false,
  ): Outcome<Result> {
    let durable: boolean;
    try {
      pending.publish(steps);
    } finally {
      // Also after a fault of a watcher, which does not undo the change.
      const isWell = !isVolatile || !allowsDegradedMode() || isStoring(publisher.state);
      durable = isWell && (answerer.keeping === "stored" || !isLive(events));
      recorder.changed(actor, steps, subject);
      trail.changed(actor, steps, durable, subject);
    }
    return durable ? { result } : { result, durable };
  }

  /**
   * Gives up a failed write and all later writes, which fail with it. Their commands are decided
   * again in their order: if the first one comes into force in degraded mode, the others bypass the
   * store; if it is refused, the others are tried again.
   */
  function giveUp(write: Write, fault: unknown): void {
    const failed = pending.takeFailed(write);
    if (failed.length === 0) return;
    // A write that fails alone, with others still in flight, would fail in any store.
    const degraded = allowsDegradedMode() && pending.writes.length === 0;
    if (degraded && isLive(write.events)) answerer.keeping = "passing";
    for (const one of failed) {
      const again = degraded && isLive(one.events) ? one.again() : undefined;
      // A fault of a watcher may come before the store has failed this write, too.
      again?.catch(() => {});
      one.instead = again ?? notStored(fault);
    }
    // Last, so that no write counts as stored if this throws.
    onStoreFault?.(fault);
  }

  async function keep<Result>(
    change: Change<Result>,
    actor: Actor,
    isCharged: boolean,
    again: () => Promise<Outcome<Result>>,
  ): Promise<Outcome<Result>> {
    const { events } = change;
    const record = encodeRecord(events);
    const refusal = budget.charge(isCharged ? actor : DEVICE, bytesIn(record), writeLimits());
    if (refusal !== undefined) return refusal;
    const steps = pending.decide(events);
    const write: Write<Outcome<Result>> = { events, again };
    pending.writes.push(write);
    try {
      lastWrite = store.append(record);
      await lastWrite;
    } catch (fault) {
      giveUp(write, fault);
    }
    if (write.instead !== undefined) return write.instead;
    pending.writes.shift();
    return finish(change, actor, steps);
  }

  /** Says whether a change has to be stored, or has to wait for changes in flight. */
  function needsStore(events: readonly ConsoleEvent[]): boolean {
    if (!events.some(isDurable)) return false;
    return answerer.keeping !== "passing" || !isLive(events) ||
      pending.has((event) => appliesInDegradedMode(event) || changesConfiguration(event));
  }

  function carryOut<Result>(
    command: Command<Result>,
    actor: Actor,
    isFirstTry: boolean,
  ): Outcome<Result> | Promise<Outcome<Result>> {
    const by = refreshActor(pending.state.users, actor, clock.now());
    const { needs = "operate" } = command;
    const refusal = by.asEngine === true || needs === null
      ? undefined
      : mayRefusal(pending.state.configuration, by, needs);
    const decide = by.command === undefined ? command : once(command, by.command);
    const decision = refusal ?? decide(pending.state, by, options);
    if (isRefusal(decision)) return decision;
    const { events, uncharged, waitsFor } = decision;
    const isCharged = isFirstTry && uncharged !== true;
    if (waitsFor !== undefined && pending.has(waitsFor)) {
      const again = () => carryOut(command, actor, isFirstTry);
      return lastWrite.then(again, again);
    }
    if (needsStore(events)) {
      return keep(decision, actor, isCharged, async () => await carryOut(command, actor, false));
    }
    if (events.length === 0) {
      if (waitsFor !== undefined || pending.writes.length === 0) return finish(decision, actor, []);
      // The decision may depend on a write in flight, which has to reach the medium first.
      return lastWrite.then(
        () => finish(decision, actor, []),
        (fault) => allowsDegradedMode() ? carryOut(command, actor, isFirstTry) : notStored(fault),
      );
    }
    // A requested change writes a line of the audit trail, and a fade ends with a write of the
    // level: so it is charged even if its own events are volatile.
    if (actor.call !== undefined && isCharged) {
      const refusal = budget.charge(actor, 0, writeLimits());
      if (refusal !== undefined) return refusal;
    }
    return finish(decision, actor, pending.decide(events), true);
  }

  return answerer;
}

/**
 * How much of the state in force is stored. `stored`: completely. `passing`: the store has refused
 * a change, and changes of the live state bypass the store. `catchingUp`: a checkpoint of the
 * complete state was begun, and later changes go to the store again.
 */
type Keeping = "stored" | "passing" | "catchingUp";

/** The decision of a command that was not refused. */
type Change<Result> = Exclude<Decision<Result>, Refusal>;

/** A command whose events are being stored. */
interface Write<Answer = unknown> {
  readonly events: readonly ConsoleEvent[];
  /** Carries the command out again; does not throw, but may reject. */
  again(): Promise<Answer>;
  /** The outcome after the store has refused the write. */
  instead?: Answer | Promise<Answer>;
}

/** An event that is to come into force, with the states before and after it. */
interface Step {
  readonly event: ConsoleEvent;
  readonly before: State;
  readonly after: State;
}

/** Whether all events are of the live state, so that they come into force in degraded mode. */
function isLive(events: readonly ConsoleEvent[]): boolean {
  return events.every(appliesInDegradedMode);
}

function bytesIn(record: RecordBytes): number {
  if (record instanceof Uint8Array) return record.length;
  return record.reduce((bytes, part) => bytes + part.length, 0);
}

function throwFault(fault: unknown): never {
  throw fault;
}

function notStored(fault: unknown): Refusal {
  return refuse("notStored", reasonOf(fault));
}
