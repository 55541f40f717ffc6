/**
 * The actors in the tests of the core, and the outcomes of their commands.
 *
 * @module
 */
import type { State } from "../../core/state.ts";
import { atOnce } from "../../core/cooperative-scheduler.ts";
import { withoutOwnParts } from "../../core/backup/own-parts.ts";
import type { BackupContents } from "../../core/backup/read-backup.ts";
import { prepareRestore, restore } from "../../core/backup/restore.ts";
import type { Command, DecisionPorts, Done } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { isRefusal, type Refusal } from "../../core/errors.ts";
import { canonicalJson } from "../../core/json.ts";
import { find, parsePath, type Tree } from "../../core/tree/tree.ts";
import type { Actor } from "../../core/users/user.ts";

/** The actor for a user of the console, by name; "nobody" stands for a caller without a login. */
export function actor(console: Console, name: string): Actor {
  if (name === "nobody") return {};
  const user = console.state.users.get(name);
  if (user === undefined) throw new Error(`there is no user ${name}`);
  return { user };
}

/** The error code of a command; 0 when it was carried out. */
export async function codeOf<Result>(
  console: Console,
  command: Command<Result>,
  by: Actor = {},
): Promise<number> {
  const outcome = await console.dispatch(command, by);
  return isRefusal(outcome) ? outcome.code : 0;
}

/** A clock that stands at 0, and a random source of zeros. */
export const stillPorts: DecisionPorts = {
  clock: { now: () => 0, monotonic: () => 0 },
  random: { bytes: (count) => new Uint8Array(count) },
};

/** The error code with which a state refuses a command; 0 where it does not refuse it. */
export function codeIn<Result>(state: State, command: Command<Result>, by: Actor = {}): number {
  const decision = command(state, by, stillPorts);
  return isRefusal(decision) ? decision.code : 0;
}

/** Why a command was refused; throws when it was carried out. */
export async function refusalOf<Result>(
  console: Console,
  command: Command<Result>,
  by: Actor = {},
): Promise<Refusal> {
  return refusal(await console.dispatch(command, by));
}

/** The outcome as a refusal; throws when it is anything else. */
export function refusal(outcome: object): Refusal {
  if (isRefusal(outcome)) return outcome;
  throw new Error(`it was not refused: ${JSON.stringify(outcome)}`);
}

/** The outcome as a result; throws when it is a refusal. */
export function granted<Answer extends object>(outcome: Answer): Exclude<Answer, Refusal> {
  if (isRefusal(outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome as Exclude<Answer, Refusal>;
}

/** Carries a command out as somebody; throws when it is refused. */
export async function resultOf<Result>(
  console: Console,
  command: Command<Result>,
  by: Actor = {},
): Promise<Result> {
  const outcome = await console.dispatch(command, by);
  if (isRefusal(outcome)) throw new Error(`${outcome.code}: ${outcome.message}`);
  return outcome.result;
}

/** The value in force at a path; throws where there is none. */
export function valueAt(console: Console, path: string): Tree {
  const value = find(console.state.tree, parsePath(path));
  if (value === undefined) throw new Error(`nothing stands at ${path}`);
  return value;
}

/** The durable part of a state, as text: equal states have equal texts. */
export function keptText({ state }: Pick<Console, "state">): string {
  const { tree, stored, snapshots, users, viewDocuments } = state;
  const { _systemtime: _, _uptime: __, ...general } = tree.general as Record<string, unknown>;
  const { extlists: ___, ...control } = tree.control as Record<string, unknown>;
  const kept = {
    ...tree,
    control,
    general: { ...general, _hourmeter: find(stored, ["general", "_hourmeter"]) ?? 0 },
  };
  const documents = [viewDocuments.revision, Object.fromEntries(viewDocuments.byName)];
  const sorted = canonicalJson([kept, [...snapshots], [...users], documents]);
  return JSON.stringify(JSON.parse(sorted), null, 1);
}

/** The command that restores the contents of a backup, or refuses them. */
export function restoring(state: State, contents: BackupContents, staged = ""): Command<Done> {
  const { configuration } = contents;
  const travels = configuration && { configuration: withoutOwnParts(configuration) };
  const prepared = atOnce(prepareRestore(state, { ...contents, ...travels }));
  return isRefusal(prepared) ? () => prepared : restore(prepared, staged);
}
