/**
 * `faderd completions SHELL`: what a shell completes of a command line, from the table of commands.
 *
 * @module
 */
import { type Command, type Option, wordsOf } from "./command-line.ts";
import { misuse } from "./failure.ts";

/** The shells, each with what makes its script. */
const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Makes the script of a shell; throws a `Failure` for one that is not known. */
export function completionScript(commands: readonly Command[], shell: string): string {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (script === undefined) {
    throw misuse(`expected ${Object.keys(shells).join(", ")}, got ${shell}`);
  }
  return script(commands);
}

/** A possible word: the pattern of a `case` on its place and the two words before it. */
type Row = readonly [pattern: string, words: readonly string[]];

/** Makes the rows that bash and zsh share. */
function rowsOf(commands: readonly Command[]): Row[] {
  const all = commands.map(({ usage, options = [] }) => ({ words: wordsOf(usage), options }));
  const firsts = [...new Set(all.map(({ words }) => words[0]!))];
  const groups = firsts.map((first): Row => [
    `2\\ ${first}\\ *`,
    all.filter(({ words }) => words[0] === first).flatMap(({ words }) => words.slice(1, 2)),
  ]);
  const options = all.map(({ words: [first, second = "*"], options }): Row => [
    `*\\ ${first}\\ ${second}`,
    options.map(nameOf),
  ]);
  return [["1\\ *", [...firsts, "help"]], ...groups, ...argumentsOf(commands), ...options]
    .filter(([, words]) => words!.length > 0) as Row[];
}

/** The arguments whose values are known: those of commands of one word, whose first they are. */
function argumentsOf(commands: readonly Command[]): Row[] {
  return commands.flatMap(({ usage, values }): Row[] =>
    values === undefined ? [] : [[`2\\ ${wordsOf(usage)[0]}\\ *`, values]]
  );
}

/** The values that an option may have. */
interface Choice {
  /** The pattern of a `case` on the word before: the option. */
  readonly pattern: string;
  readonly values: readonly string[];
  /** Whether it takes several of them, with commas between. */
  readonly isList: boolean;
}

/** The options whose values are known. An option has the same ones in every command. */
function choicesOf(commands: readonly Command[]): Choice[] {
  const options = commands.flatMap(({ options = [] }) => options);
  const known = new Map(
    options.flatMap((option) => option[3] === undefined ? [] : [[nameOf(option), option] as const]),
  );
  return [...known].map(([pattern, [usage, , , values]]) => ({
    pattern,
    values: values!,
    isList: usage.endsWith(" LIST"),
  }));
}

/** After these options a value follows, which may be a file. */
function takingFiles(commands: readonly Command[]): string {
  const options = commands.flatMap(({ options = [] }) => options)
    .filter((option) => takesValue(option) && option[3] === undefined);
  return [...new Set(options.map(nameOf))].join(" | ");
}

function nameOf([usage]: Option): string {
  return usage.split(" ", 1)[0]!;
}

function takesValue([usage]: Option): boolean {
  return usage.includes(" ");
}

function bashScript(commands: readonly Command[]): string {
  const rows = rowsOf(commands)
    .map(([pattern, words]) => `    ${pattern}) list="${words.join(" ")}" ;;`);
  const choices = choicesOf(commands).map(({ pattern, values, isList }) => {
    const before = isList ? ' before=${current%"${current##*,}"}' : "";
    return `    ${pattern}) list="${values.join(" ")}"${before} ;;`;
  });
  return `_faderd() {
  local current="\${COMP_WORDS[COMP_CWORD]}" list= before=
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
    ${takingFiles(commands)}) return ;;
${choices.join("\n")}
  esac
  if [ -z "$list" ]; then
  case "$COMP_CWORD \${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${rows.join("\n")}
  esac
  fi
  COMPREPLY=($(compgen -P "$before" -W "$list" -- "\${current#"$before"}"))
}
complete -o default -F _faderd faderd`;
}

function zshScript(commands: readonly Command[]): string {
  const rows = rowsOf(commands)
    .map(([pattern, words]) => `    (${pattern}) list=(${words.join(" ")}) ;;`);
  const choices = choicesOf(commands).map(({ pattern, values, isList }) =>
    isList
      ? `    (${pattern}) compset -P '*,'; compadd -- ${values.join(" ")}; return ;;`
      : `    (${pattern}) compadd -- ${values.join(" ")}; return ;;`
  );
  return `#compdef faderd
_faderd() {
  local -a list
  case "$words[CURRENT-1]" in
    (${takingFiles(commands)}) _files; return ;;
${choices.join("\n")}
  esac
  case "$((CURRENT - 1)) $words[2] $words[3]" in
${rows.join("\n")}
  esac
  compadd -- $list || _files
}
if [ "$funcstack[1]" = _faderd ]; then _faderd "$@"; else compdef _faderd faderd; fi`;
}

function fishScript(commands: readonly Command[]): string {
  const firsts = new Set(commands.map(({ usage }) => wordsOf(usage)[0]!));
  const lines = [...firsts].map((first) => {
    const own = commands.find(({ usage }) => wordsOf(usage).join(" ") === first);
    return `complete -c faderd -f -n __fish_use_subcommand -a ${first}${described(own?.summary)}`;
  });
  for (const { usage, summary, options = [], values } of commands) {
    const [first, second] = wordsOf(usage);
    const inGroup = `__fish_seen_subcommand_from ${first}`;
    if (second !== undefined) {
      const others = commands.map(({ usage }) => wordsOf(usage))
        .filter((words) => words[0] === first).map((words) => words[1]);
      const none = `not __fish_seen_subcommand_from ${others.join(" ")}`;
      lines.push(
        `complete -c faderd -f -n '${inGroup}; and ${none}' -a ${second}${described(summary)}`,
      );
    }
    const within = second === undefined
      ? inGroup
      : `${inGroup}; and __fish_seen_subcommand_from ${second}`;
    if (values !== undefined) {
      lines.push(`complete -c faderd -f -n '${within}' -a '${values.join(" ")}'`);
    }
    for (const option of options) {
      const value = takesValue(option) ? ` -r${fishValues(option)}` : "";
      const name = nameOf(option).slice("--".length);
      lines.push(`complete -c faderd -n '${within}' -l ${name}${value}${described(option[1])}`);
    }
  }
  return lines.join("\n");
}

/** Says which values an option takes, to fish: no files then; of several, the last is completed. */
function fishValues([usage, , , values]: Option): string {
  if (values === undefined) return "";
  if (!usage.endsWith(" LIST")) return ` -f -a '${values.join(" ")}'`;
  return ` -f -a '(__fish_append , ${values.join(" ")})'`;
}

/** Returns a description as fish reads it, in single quotes. */
function described(text: string | undefined): string {
  return text === undefined ? "" : ` -d '${text.replaceAll("'", "\\'")}'`;
}
