/**
 * A way for commands whose consoles a test plays.
 *
 * @module
 */
import type {
  Command,
  CommandPreview,
  CommandResult,
  Commands,
} from "../../fleet/commands/command.ts";

/** Commands that go nowhere: a test says what becomes of them. */
export interface FakeCommands extends Commands {
  /** What was submitted, in its order. */
  readonly submitted: readonly Command[];
  /** What becomes of a command at once; undefined for nothing yet. */
  outcome: (command: Command) => Partial<CommandResult> | undefined;
  /** What a console says that a command would do. */
  would: (command: Command) => Omit<CommandPreview, "console"> | undefined;
  /** Says what has become of a command. */
  say(command: Command, result: Partial<CommandResult>): void;
}

/** Makes a way for commands on which each is done at once. */
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
