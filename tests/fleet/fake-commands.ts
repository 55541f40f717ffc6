/**
 * Commands of a fleet for tests: the test takes the part of the consoles.
 *
 * @module
 */
import type {
  Command,
  CommandPreview,
  CommandResult,
  Commands,
} from "../../fleet/commands/command.ts";

/** Commands that are not sent: a test says their outcomes. */
export interface FakeCommands extends Commands {
  /** The submitted commands, in order. */
  readonly submitted: readonly Command[];
  /** The result of a command at once; undefined for none yet. */
  outcome: (command: Command) => Partial<CommandResult> | undefined;
  /** The preview that a console answers for a command. */
  would: (command: Command) => Omit<CommandPreview, "console"> | undefined;
  /** Tells the watchers the result of a command. */
  say(command: Command, result: Partial<CommandResult>): void;
}

/** Makes fake commands; by default each is done at once. */
export function fakeCommands(): FakeCommands {
  const watchers = new Set<(result: CommandResult) => void>();
  const submitted: Command[] = [];
  const commands: FakeCommands = {
    submitted,
    outcome: () => ({ outcome: "done" }),
    would: () => ({}),
    say({ id, console, batch }, result) {
      const whole = { id, console, batch, outcome: "done", time: Date.UTC(2026, 0, 1), ...result };
      for (const watcher of watchers) watcher(whole as CommandResult);
    },
    submit(given) {
      submitted.push(...given);
      for (const command of given) {
        const outcome = commands.outcome(command);
        if (outcome !== undefined) commands.say(command, outcome);
      }
      return Promise.resolve();
    },
    outcomeOf: () => undefined,
    preview(given, said) {
      for (const command of given) {
        const would = commands.would(command);
        if (would !== undefined) said({ console: command.console, ...would });
      }
      return Promise.resolve();
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
  return commands;
}
