/**
 * Reads a command line by a table of commands, which also gives the help of each command.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { meant } from "./did-you-mean.ts";
import { misuse } from "./failure.ts";
import { print } from "./print.ts";

/**
 * An option: its form, its purpose, its default, and all its possible values, if they are few. A
 * form with a value takes one value (`--data DIR`), or with `LIST` several, separated by commas; a
 * form without a value is a switch (`--admin`).
 */
export type Option = readonly [
  usage: string,
  summary: string,
  preset?: string | undefined,
  values?: readonly string[],
];

/** The option of each command that prints a list or a finding. */
export const jsonOption: Option = ["--json", "print one JSON document, for programs"];

/**
 * The values on the command line, by their names in lower case without dashes: arguments, and
 * values of options or their defaults. A switch has a value only if it is set.
 */
export type Given = ReadonlyMap<string, string>;

/** A command of the program. */
export interface Command {
  /**
   * The words that call it, and then its arguments, in capitals; arguments in brackets at the end
   * may be left out: `fleet diff CONSOLE [OTHER]`.
   */
  readonly usage: string;
  readonly summary: string;
  readonly options?: readonly Option[];
  /** All values that its argument may have, if they are few. */
  readonly values?: readonly string[];
  run(given: Given): void | Promise<void>;
}

/**
 * Reads a command line; without command words it calls the first of `commands`. Returns the
 * function to carry out: a command or the printing of help. Throws {@link Failure} for arguments
 * that no command takes.
 */
export function readCommandLine(
  commands: readonly Command[],
  args: readonly string[],
): () => void | Promise<void> {
  const [first, ...others] = args;
  if (first === "help") return readCommandLine(commands, [...others, "--help"]);
  if (first === "--version") return readCommandLine(commands, ["version", ...others]);
  const firstOption = args.findIndex((arg) => arg.startsWith("-"));
  const words = firstOption === -1 ? args : args.slice(0, firstOption);
  const asksHelp = args.includes("--help") || args.includes("-h");
  const command = words.length === 0 && !asksHelp
    ? commands[0]
    : commands.find(({ usage }) => wordsOf(usage).every((word, at) => words[at] === word));
  if (command === undefined) {
    const group = commands.filter(({ usage }) => usage.startsWith(`${words[0]} `));
    const listed = group.length > 0 && words.length > 0 ? group : commands;
    if (asksHelp) return () => print(overview(listed));
    const nearest = meantCommand(commands, words);
    const expected = nearest === ""
      ? `there is ${listed.map(({ usage }) => wordsOf(usage).join(" ")).join(", ")}`
      : "faderd help lists all";
    throw misuse(`there is no command "${words.join(" ")}"${nearest}; ${expected}`);
  }
  if (asksHelp) return () => print(helpOf(command));
  const { usage, run } = command;
  const given = readGiven(command, words.length === 0 ? args : args.slice(wordsOf(usage).length));
  return () => run(given);
}

/** Asks whether a command with a similar name was meant; arguments may follow its words. */
function meantCommand(commands: readonly Command[], words: readonly string[]): string {
  const counts = [...new Set(commands.map(({ usage }) => wordsOf(usage).length))];
  for (const count of counts.toSorted((one, other) => other - one)) {
    const names = commands.map(({ usage }) => wordsOf(usage))
      .filter(({ length }) => length === count).map((words) => words.join(" "));
    const question = meant(words.slice(0, count).join(" "), names);
    if (question !== "") return question;
  }
  return "";
}

/** Returns the words that call a command: `user add` of `user add NAME`. */
export function wordsOf(usage: string): string[] {
  return usage.split(" ").filter((part) => part === part.toLowerCase());
}

function argumentsOf(usage: string): string[] {
  return usage.toLowerCase().split(" ").slice(wordsOf(usage).length);
}

/** The arguments, and the options by their names. */
interface Parsed {
  readonly _: readonly (string | number)[];
  readonly [name: string]: unknown;
}

function readGiven({ usage, options = [] }: Command, args: readonly string[]): Given {
  const command = `faderd ${wordsOf(usage).join(" ")}`;
  const wrong = (reason: string) => misuse(`${reason}; see ${command} --help`);
  const names = (withValue: boolean) =>
    options.map(([usage]) => usage.slice("--".length).split(" "))
      .filter(({ length }) => (length > 1) === withValue).map(([name]) => name!);
  const nearest = (arg: string) => {
    const name = arg.split("=", 1)[0]!.replace(/^-+/, "--");
    return meant(name, [...names(true), ...names(false), "help"].map((name) => `--${name}`));
  };
  const { _: found, ...parsed }: Parsed = parseArgs([...args], {
    string: ["_", ...names(true)],
    boolean: names(false),
    unknown(arg: string, name: string | undefined) {
      if (/^-\d/.test(arg)) throw wrong(`the value ${arg} needs =, as in --option=${arg}`);
      if (name !== undefined) throw wrong(`there is no option ${arg}${nearest(arg)}`);
    },
  });
  const twice = doubledOption(args);
  if (twice !== undefined) throw wrong(`${twice} is given twice`);
  const written = argumentsOf(usage);
  const expected = written.map((name) => name.replace(/^\[(.*)\]$/, "$1"));
  const missing = written[found.length];
  if (missing !== undefined && !missing.startsWith("[")) throw wrong(`${missing} is missing`);
  if (found.length > expected.length) {
    throw wrong(`"${found[expected.length]}" is one argument too many`);
  }
  const given = new Map(
    expected.slice(0, found.length).map((name, at) => [name, String(found[at])]),
  );
  for (const [usage, _, preset] of options) {
    const name = usage.slice("--".length).split(" ")[0]!;
    const value = parsed[name] ?? preset;
    if (value === "") throw wrong(`--${name} needs a value`);
    if (value !== undefined && value !== false) given.set(name, String(value));
  }
  return given;
}

/** Returns the first option that is given a second time; words after `--` are not options. */
function doubledOption(args: readonly string[]): string | undefined {
  const end = args.indexOf("--");
  const options = args.slice(0, end === -1 ? undefined : end)
    .filter((arg) => /^--./.test(arg)).map((arg) => arg.split("=", 1)[0]!);
  return options.find((option, at) => options.indexOf(option) < at);
}

function overview(commands: readonly Command[]): string {
  const rows = commands.map(({ usage, summary }) => [usage, summary] as const);
  const usage = "Usage: faderd COMMAND [OPTIONS]; without a command: serve";
  const help =
    "faderd help COMMAND shows how to use a command; faderd --version prints the version.";
  return [usage, "", ...columns(rows), "", help].join("\n");
}

function helpOf({ usage, summary, options = [] }: Command): string {
  const rows = options.map(([usage, summary, preset]) =>
    [usage, preset === undefined ? summary : `${summary} (default ${preset})`] as const
  );
  return [`Usage: faderd ${usage} [OPTIONS]`, "", summary, "", ...columns(rows)]
    .join("\n").trimEnd();
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
