/**
 * The audit trail has an entry for every requested change and every refused request, with the user.
 * Changes by the console itself - steps of fades, meters, clocks - have none.
 *
 * @module
 */
import type { Refusal } from "./errors.ts";
import { type ConsoleEvent, tell } from "./events.ts";
import { AUDIT_CHANGES, AUDIT_CHARACTERS, AUDIT_MEMBERS } from "./limits.ts";
import type { Change, NotedChanges } from "./noted-changes.ts";
import type { State } from "./state.ts";
import { isBranch } from "./tree/tree.ts";
import type { Actor } from "./users/user.ts";

/** One entry of the audit trail: a change that is in force, or an attempt that was refused. */
export interface AuditEntry {
  /** The name of the user; undefined without a login. */
  readonly user: string | undefined;
  /** The address of the client, or "command line". */
  readonly from: string;
  /** The call, as its interface names it: `set`, `loadsnapshot`, `user add`. */
  readonly what: string;
  /** The id of the batch of the fleet that the call is part of. */
  readonly batch?: string;
  /** The subject of the change: the name of a loaded snapshot, or the undone step. */
  readonly subject?: string;
  /** The first values that changed. */
  readonly changes?: readonly Change[];
  /** The number of further changed values. */
  readonly more?: number;
  /** Set if the change is in force but could not be stored. */
  readonly durable?: false;
  /** The subject of a refused attempt: a path, or the parameters. */
  readonly target?: unknown;
  /** Why it was refused: the code and the sentence of the answer. */
  readonly refused?: Pick<Refusal, "code" | "message">;
}

/**
 * Matches the paths of the values that make up the identity of the console or the rights of users.
 */
const OF_CONSOLE = /^\/(users|configuration|settings|tls)\b/;

/** These calls restore a part of the console, whatever they change. */
const RESTORING = ["restore", "SIGHUP"];

/**
 * Says whether a call changed users, the configuration, settings or the certificate, or was a
 * restore.
 */
export function isOfConsole({ what, changes = [] }: AuditEntry): boolean {
  return RESTORING.includes(what) || changes.some(({ path }) => OF_CONSOLE.test(path));
}

/**
 * Receives an entry of the audit trail; must neither wait nor throw. Returns the number of bytes
 * written for the entry, which are charged to the actor (`limits.writes`).
 */
export type Audit = (entry: AuditEntry) => number | void;

/** A change of a command: an event, and the state before it. */
export interface ChangeStep {
  readonly event: ConsoleEvent;
  readonly before: State;
}

/** Makes the entries of the audit trail. */
export interface Trail {
  /**
   * Notes the changes by a command of an actor; `durable` is false if they are not stored.
   * `subject` is the subject of the changes.
   */
  changed(actor: Actor, steps: readonly ChangeStep[], durable: boolean, subject?: string): void;
  /** Notes a refused call. `target` is a path, or the parameters. */
  refused(actor: Actor, refusal: Refusal, target: unknown): void;
}

/**
 * Makes the trail of the calls of a console; `owe` is called with the number of bytes written for
 * an actor. An actor without a `call` makes no entries.
 */
export function createTrail(
  audit: Audit | undefined,
  owe: (actor: Actor, bytes: number) => void,
): Trail {
  function write(actor: Actor, entry: AuditEntry): void {
    const bytes = audit?.(entry);
    if (bytes) owe(actor, bytes);
  }

  return {
    changed(actor, steps, durable, subject) {
      if (audit === undefined || actor.call === undefined) return;
      const changes = changesIn(steps);
      if (changes === undefined) return;
      const of = subject === undefined ? {} : { subject: cut(subject) };
      write(actor, { ...who(actor), ...of, ...changes, ...(durable ? {} : { durable }) });
    },
    refused(actor, { code, message }, target) {
      if (audit === undefined || actor.call === undefined) return;
      if (actor.command?.preview !== undefined) return;
      const refused = { code, message: cut(message) };
      write(actor, { ...who(actor), target: told(target), refused });
    },
  };
}

/** Returns the noted changes of a command; undefined if there are none. */
export function changesIn(steps: readonly ChangeStep[]): NotedChanges | undefined {
  const changes: Change[] = [];
  let more = 0;
  for (const { event } of steps) {
    tell(steps[0]!.before, event, (path, was, is) => {
      if (changes.length === AUDIT_CHANGES) more++;
      else changes.push({ path: cut(path), before: told(was), after: told(is) });
    });
  }
  if (changes.length === 0) return undefined;
  return more === 0 ? { changes } : { changes, more };
}

function who(
  { user, address, call = "", command }: Actor,
): Pick<AuditEntry, "user" | "from" | "what" | "batch"> {
  const from = address ?? "command line";
  const caller = { user: user && cut(user.name), from: cut(from), what: call };
  return command === undefined ? caller : { ...caller, batch: command.batch };
}

/** Shortens a value: texts are cut, and a list is replaced by its length. */
function told(value: unknown): unknown {
  if (typeof value === "string") return cut(value);
  if (Array.isArray(value)) return `${value.length} items`;
  if (!isBranch(value)) return value;
  const members: [string, unknown][] = [];
  for (const member in value) {
    if (members.length === AUDIT_MEMBERS) break;
    const inner = value[member];
    members.push([cut(member), isBranch(inner) ? "an object" : told(inner)]);
  }
  return Object.fromEntries(members);
}

/** Minimum length of a secret in characters. */
const SECRET_CHARACTERS = 16;

/** Matches a token, a hash, or a large part of one, but not a UUID. */
const SECRET = /[0-9a-f]{8}-?[0-9a-f]{8}[0-9a-f-]*/gi;

/** Cuts a text, and masks all parts that look like a token or a hash. */
function cut(text: string): string {
  if (text.length < SECRET_CHARACTERS) return text;
  const beginning = text.length <= AUDIT_CHARACTERS ? text : `${text.slice(0, AUDIT_CHARACTERS)}…`;
  return beginning.replace(SECRET, "***");
}
