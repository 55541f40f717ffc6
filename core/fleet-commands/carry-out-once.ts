/**
 * Decides a command of a fleet: once, and only if the console has the values that the command
 * requires.
 *
 * @module
 */
import { changesIn } from "../audit.ts";
import type { Command } from "../command.ts";
import type { ConsoleEvent } from "../events.ts";
import { isRefusal, type Refusal, refuse } from "../errors.ts";
import { COMMANDS_REMEMBERED } from "../limits.ts";
import { shown } from "../shown.ts";
import type { State } from "../state.ts";
import { noSuchPath } from "../tree/resources.ts";
import {
  combine,
  find,
  formatPath,
  isSameLeaf,
  type Leaf,
  parsePath,
  type Patch,
} from "../tree/tree.ts";
import { undoablePatch, valuesBefore } from "../undo/step.ts";
import type { CommandDone } from "./commanddone.ts";
import type { FleetCommand, WouldChange } from "./fleet-command.ts";

/**
 * Makes the command that decides a command of a fleet once. A kept command that was carried out
 * before changes nothing; its first result is not known any more. Refused: what `remember` refuses,
 * a required value that differs (3), a required path that does not exist (6).
 */
export function once<Result>(
  command: Command<Result>,
  { id, kept, require = {}, preview }: FleetCommand,
): Command<Result> {
  return (state, actor, ports) => {
    if (kept !== undefined && state.commandsDone.ids.has(id)) {
      return { events: [], result: {} as Result };
    }
    const remembered = kept && remember(state, id, kept);
    if (remembered !== undefined && isRefusal(remembered)) return remembered;
    const decision = requireRefusal(state, require) ?? command(state, actor, ports);
    if (isRefusal(decision)) return decision;
    if (preview !== undefined) {
      preview(changesOf(decision.events, state));
      return { events: [], result: decision.result };
    }
    if (remembered === undefined) return decision;
    return { ...decision, events: [...decision.events, remembered] };
  };
}

/**
 * Makes the event by which a console remembers a kept command; refuses a command that expired so
 * early that its id may be forgotten (3), and one for which there is no room (11).
 */
function remember(
  { commandsDone: { ids, forgotten } }: State,
  id: string,
  { expires, now }: { readonly expires: number; readonly now: number },
): CommandDone | Refusal {
  if (expires <= forgotten) {
    return refuse(
      "invalidParameter",
      "nobody knows whether it was carried out",
      "expires",
    );
  }
  const done = { [id]: expires };
  if (ids.size < COMMANDS_REMEMBERED) return { type: "commanddone", done, forgotten };
  const expired = [...ids.values()].filter((expires) => expires <= now);
  if (expired.length === 0) {
    const sentence = `${COMMANDS_REMEMBERED} kept commands have not expired yet`;
    return refuse("limitReached", sentence);
  }
  return { type: "commanddone", done, forgotten: Math.max(...expired) };
}

function requireRefusal(
  state: State,
  require: Readonly<Record<string, Leaf>>,
): Refusal | undefined {
  for (const [text, expected] of Object.entries(require)) {
    const path = parsePath(text);
    const value = find(state.tree, path);
    if (value === undefined) return noSuchPath(path);
    if (isSameLeaf(value, expected)) continue;
    const sentence = `expected ${shown(expected)} at ${formatPath(path)}, it is ${shown(value)}`;
    return refuse("invalidParameter", sentence, "require");
  }
}

function changesOf(events: readonly ConsoleEvent[], state: State): WouldChange {
  const steps = events.map((event) => ({ event, before: state }));
  const after = events.map((event) => patchOf(event) ?? {}).reduce(combine, {});
  return {
    before: valuesBefore(state, after, { all: 0, writable: 0 }),
    after,
    others: changesIn(steps.filter(({ event }) => patchOf(event) === undefined)),
    all: changesIn(steps),
  };
}

function patchOf(event: ConsoleEvent): Patch | undefined {
  return event.type === "treechanged" ? event.patch : undoablePatch(event);
}
