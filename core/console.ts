/**
 * The console is the one place that holds state. Commands go in, events come out, and whoever
 * watches is told of each once it is in force.
 *
 * @module
 */
import { type Audit, changeEntry, refusalEntry } from "./audit.ts";
import type { Command, DecisionPorts, Outcome } from "./command.ts";
import { isRefusal, type Refusal, refuse } from "./errors.ts";
import { type ConsoleEvent, isDurable, reduce } from "./events.ts";
import type { RecordBytes, Store } from "./ports.ts";
import { encodeRecord } from "./record.ts";
import type { State } from "./state.ts";
import type { Path } from "./tree/tree.ts";
import { mayRefusal } from "./users/may.ts";
import { rememberingTokens, validUser } from "./users/token.ts";
import { type Actor, DEVICE, stillThere, type User } from "./users/user.ts";
import { createWriteBudget } from "./write-budget.ts";

/** A watcher is told of every event once it is in force, with the state after it. */
export type Watcher = (event: ConsoleEvent, state: State) => void;

/** Is told of a path before what stands there is read. */
export type Reader = (path: Path) => void;

/** A running console. */
export interface Console {
  /** The state that is in force now: everything durable in it is on the medium. */
  readonly state: State;
  /**
   * Carries a command out. The outcome comes at once or, where something durable happened, once it
   * is on the medium; until then nobody sees it. A write that fails is refused (12) and has changed
   * nothing; so is what is over `limits.writes` of an actor with an address (11). It is decided
   * with the rights that the actor has then, and refused (5) to a user who may only view: whatever
   * is asked for here is a change. A watcher may call it, too: then it answers before what it did
   * is in force, which it is after all watchers were told of the event before.
   */
  dispatch<Result>(
    command: Command<Result>,
    actor: Actor,
  ): Outcome<Result> | Promise<Outcome<Result>>;
  /** The user whose token this is; refused (4): a wrong one, and one that has expired. */
  userOf(token: unknown): User | Refusal;
  /** The actor as it is now: of a user who is gone, or whose token has expired, nobody is left. */
  actorNow(actor: Actor): Actor;
  /**
   * Tells the audit trail of a call that was refused, by a command or before any. `target` says
   * what it was about: a path, or the parameters.
   */
  tellRefused(actor: Actor, refusal: Refusal, target?: unknown): void;
  /** Adds a watcher; the answer removes it. */
  watch(watcher: Watcher): () => void;
  /** Says that what stands at a path is about to be read. */
  reading(path: Path): void;
  /**
   * Adds one who is told of that, and may bring up to date what stands there; the answer removes
   * it.
   */
  beforeReading(reader: Reader): () => void;
}

/** A console is made of this. */
export interface ConsoleOptions extends DecisionPorts {
  /**
   * The state that it starts with: what a replay of the store came to, or the initial state of a
   * new one.
   */
  readonly state: State;
  readonly store: Store;
  /** Is told of a write that failed. */
  readonly onStoreFault?: (fault: unknown) => void;
  /**
   * Is told of every change that an actor's `call` made, once it is in force, and of every refusal
   * that `tellRefused` brings. Without it no trail is kept.
   */
  readonly audit?: Audit | undefined;
}

/**
 * Makes a console of the state that it starts with; what happens from then on goes to the store.
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
  const { store, clock, random, connections, onStoreFault, audit } = options;
  const ports: DecisionPorts = { clock, random, connections };
  const userOfToken = rememberingTokens();
  const charge = createWriteBudget(clock);
  const watchers = new Set<Watcher>();
  const readers = new Set<Reader>();
  let { state } = options;
  // What has been decided but may not be on the medium yet: commands are decided on it, so that two
  // in flight together see each other; nobody else does.
  let decided = state;
  const inFlight: (readonly ConsoleEvent[])[] = [];
  const coming: Step[] = [];
  let telling = false;
  let failures = 0;
  let lastWrite: Promise<void> = Promise.resolve();

  /** From now on commands are decided on these events, too. */
  function decide(events: readonly ConsoleEvent[]): Step[] {
    return events.map((event) => {
      const before = decided;
      decided = reduce(before, event);
      return { event, before, after: decided };
    });
  }

  /**
   * Puts events in force one after the other, and tells every watcher of each. What a watcher asks
   * for meanwhile comes into force after them: all watchers hear of all events in one order.
   */
  function comeIntoForce(steps: readonly Step[]): void {
    coming.push(...steps);
    if (telling) return;
    telling = true;
    try {
      for (let step = coming.shift(); step !== undefined; step = coming.shift()) {
        const { event, before, after } = step;
        // Mostly nothing has happened in between: then what was decided is what is in force now.
        state = state === before ? after : reduce(state, event);
        for (const watcher of watchers) watcher(event, state);
      }
    } finally {
      telling = false;
    }
    if (inFlight.length === 0) decided = state;
  }

  /** Tells the audit trail of what somebody's command changed, which is in force now. */
  function tellChanges(actor: Actor, steps: readonly Step[]): void {
    const [first] = steps;
    if (audit === undefined || actor.call === undefined || first === undefined) return;
    const entry = changeEntry(actor, first.before, steps);
    if (entry !== undefined) audit(entry);
  }

  async function keep<Result>(
    events: readonly ConsoleEvent[],
    result: Result,
    chargedTo: Actor,
    actor: Actor,
  ): Promise<Outcome<Result>> {
    const record = encodeRecord(events);
    const { limits } = decided.configuration;
    const refusal = charge(chargedTo, bytesIn(record), limits.writes);
    if (refusal !== undefined) return refusal;
    const steps = decide(events);
    inFlight.push(events);
    const failuresBefore = failures;
    try {
      lastWrite = store.append(record);
      await lastWrite;
    } catch (fault) {
      // The store fails all that was in flight with it, so the first to hear gives up what all
      // decided.
      if (failures === failuresBefore) {
        failures++;
        inFlight.length = 0;
        decided = state;
        onStoreFault?.(fault);
      }
      return notStored(fault);
    }
    inFlight.shift();
    comeIntoForce(steps);
    tellChanges(actor, steps);
    return { result };
  }

  function dispatch<Result>(
    command: Command<Result>,
    actor: Actor,
  ): Outcome<Result> | Promise<Outcome<Result>> {
    const by = stillThere(decided.users, actor, clock.now());
    const decision = mayRefusal(by, "operate") ?? command(decided, by, ports);
    if (isRefusal(decision)) return decision;
    const { events, result, waitsFor, uncharged } = decision;
    if (waitsFor !== undefined && inFlight.some((batch) => batch.some(waitsFor))) {
      const again = () => dispatch(command, actor);
      return lastWrite.then(again, again);
    }
    if (events.some(isDurable)) return keep(events, result, uncharged ? DEVICE : actor, actor);
    if (inFlight.length > 0 && events.length === 0) {
      // What was found to be in force may only be so because of a write in flight, which has to
      // land, too.
      return lastWrite.then(() => ({ result }), notStored);
    }
    const steps = decide(events);
    comeIntoForce(steps);
    tellChanges(actor, steps);
    return { result };
  }

  return {
    get state() {
      return state;
    },
    dispatch,
    userOf(token) {
      const user = typeof token === "string" ? userOfToken(state.users, token) : undefined;
      return validUser(user, clock.now());
    },
    actorNow: (actor) => stillThere(state.users, actor, clock.now()),
    tellRefused(actor, refusal, target) {
      if (actor.call !== undefined) audit?.(refusalEntry(actor, refusal, target));
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    reading(path) {
      for (const reader of readers) reader(path);
    },
    beforeReading(reader) {
      readers.add(reader);
      return () => readers.delete(reader);
    },
  };
}

/** An event that is to come into force, and the state that it makes of the one before. */
interface Step {
  readonly event: ConsoleEvent;
  readonly before: State;
  readonly after: State;
}

function bytesIn(record: RecordBytes): number {
  if (record instanceof Uint8Array) return record.length;
  return record.reduce((bytes, part) => bytes + part.length, 0);
}

function notStored(fault: unknown): Refusal {
  return refuse("notStored", fault instanceof Error ? fault.message : String(fault));
}
