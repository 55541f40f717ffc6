/**
 * Reading a command line by a table of commands; `--help` of each follows from the table too.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { Failure } from "./failure.ts";

/** An option of a command: with `value` it takes one, without it is a switch. */
export interface Option {
  readonly name: string;
  /** What the value is, for people: `host:port`. */
  readonly value?: string;
  readonly summary: string;
  readonly default?: string;
}

/** What stood on the command line. */
export interface Given {
  /** An argument, by its name. */
  argument(name: string): string;
  /** The value of an option, or its default. */
  value(option: string): string | undefined;
  /** Whether a switch is set. */
  isSet(option: string): boolean;
}

/** A command of the program. */
export interface Command {
  /** The words that call it: `user add`. */
  readonly words: string;
  /** The arguments it needs, if any, by name and in their order: `cert key file`. */
  readonly argument?: string;
  readonly summary: string;
  readonly options: readonly Option[];
  run(given: Given): void | Promise<void>;
}

/** What a command line asks for: a command to run, or help to print. */
export type Asked = { readonly run: () => void | Promise<void> } | { readonly help: string };

/**
 * Reads a command line; without any command words the first of `commands` is meant. Throws
 * {@link Failure} for what no command takes.
 */
export function readCommandLine(commands: readonly Command[], args: readonly string[]): Asked {
  const firstOption = args.findIndex((arg) => arg.startsWith("-"));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const asksHelp = args.includes("--help") || args.includes("-h");
  const command = words.length === 0 ? commands[0]! : findCommand(commands, words);
  if (command === undefined || (words.length === 0 && asksHelp)) {
    const inGroup = commands.filter((candidate) => candidate.words.startsWith(`${words[0]} `));
    if (asksHelp) return { help: overview(inGroup.length > 0 ? inGroup : commands) };
    const expected = (inGroup.length > 0 ? inGroup : commands).map((candidate) => candidate.words);
    throw new Failure(`there is no command "${words.join(" ")}"; there is ${expected.join(", ")}`);
  }
  if (asksHelp) return { help: helpOf(command) };
  const given = readOptions(command, args.slice(words.length === 0 ? 0 : wordCount(command)));
  return { run: () => command.run(given) };
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands.find((command) =>
    command.words.split(" ").every((word, index) => words[index] === word)
  );
}

function wordCount({ words }: Command): number {
  return words.split(" ").length;
}

function readOptions({ words, argument, options }: Command, args: readonly string[]): Given {
  const wrong = (reason: string) => new Failure(`${reason}; see faderd ${words} --help`);
  const withValue = options.filter((option) => option.value !== undefined);
  const parsed: Record<string, unknown> & { _: (string | number)[] } = parseArgs([...args], {
    string: ["_", ...withValue.map((option) => option.name)],
    boolean: options.filter((option) => option.value === undefined).map((option) => option.name),
    unknown(arg: string, name: string | undefined) {
      if (name !== undefined) throw wrong(`there is no option ${arg}`);
    },
  });
  const names = argument?.split(" ") ?? [];
  const [given, expected] = [parsed._.length, names.length];
  if (given < expected) throw wrong(`${names[given]} is missing`);
  if (given > expected) throw wrong(`"${parsed._[expected]}" is one argument too many`);
  for (const { name } of withValue) {
    if (parsed[name] === "") throw wrong(`--${name} needs a value`);
    if (Array.isArray(parsed[name])) throw wrong(`--${name} is given twice`);
  }
  return {
    argument: (name) => String(parsed._[names.indexOf(name)]),
    value: (name) =>
      (parsed[name] as string | undefined) ??
        options.find((option) => option.name === name)?.default,
    isSet: (name) => parsed[name] === true,
  };
}

function overview(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [usage(command), command.summary]);
  return ["Usage: faderd COMMAND [OPTIONS]; without a command: serve", "", ...columns(rows)].join(
    "\n",
  );
}

function helpOf(command: Command): string {
  const rows = command.options.map((option): [string, string] => [
    option.value === undefined
      ? `--${option.name}`
      : `--${option.name} ${option.value.toUpperCase()}`,
    option.default === undefined ? option.summary : `${option.summary} (default ${option.default})`,
  ]);
  return [`Usage: faderd ${usage(command)} [OPTIONS]`, "", command.summary, "", ...columns(rows)]
    .join("\n").trimEnd();
}

function usage({ words, argument }: Command): string {
  return argument === undefined ? words : `${words} ${argument.toUpperCase()}`;
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
