/**
 * `faderd completions SHELL`: the completions of a command line for a shell, from the table of
 * commands. They stay because there are more than 40 commands, and the table keeps them complete: a
 * new command needs no line here.
 *
 * @module
 */
import { type Command, type Option, wordsOf } from "./command-line.ts";
import { misuse } from "./failure.ts";

/** The shells, each with the function that makes its script. */
const shells: Readonly<Record<string, (commands: readonly Command[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Makes the script of a shell; throws a `Failure` for an unknown shell. */
export function completionScript(commands: readonly Command[], shell: string): string {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (script === undefined) {
    throw misuse(`expected ${Object.keys(shells).join(", ")}, got ${shell}`);
  }
  return script(commands);
}

/**
 * Possible words, and the pattern of a `case` on their position and on the first words of the line.
 */
type Row = readonly [pattern: string, words: readonly string[]];

/** Makes the rows that bash and zsh share. */
function rowsOf(commands: readonly Command[]): Row[] {
  const most = mostWords(commands);
  const pattern = (place: string, words: readonly string[]) => patternOf(place, words, most);
  const all = commands.map(({ usage, options = [], values = [] }) => ({
    words: wordsOf(usage),
    values,
    options,
  }));
  const beginnings = new Map<string, Set<string>>();
  for (const { words } of all) {
    for (const [at, word] of words.entries()) {
      const before = words.slice(0, at).join(" ");
      beginnings.set(
        before,
        (beginnings.get(before) ?? new Set(at === 0 ? ["help"] : [])).add(word),
      );
    }
  }
  const next = [...beginnings].map(([before, words]): Row => {
    const beginning = before === "" ? [] : before.split(" ");
    return [pattern(String(beginning.length + 1), beginning), [...words]];
  });
  const values = all.map((
    { words, values },
  ): Row => [pattern(String(words.length + 1), words), values]);
  const options = all.map(({ words, options }): Row => [pattern("*", words), options.map(nameOf)]);
  return [...next, ...values, ...options].filter(([, words]) => words.length > 0);
}

/** Returns the maximum number of words of a command. */
function mostWords(commands: readonly Command[]): number {
  return Math.max(...commands.map(({ usage }) => wordsOf(usage).length));
}

/** The values that an option may have. */
interface Choice {
  /** The pattern of a `case` on the word before, the option, and the first words of the line. */
  readonly pattern: string;
  readonly values: readonly string[];
  /** Whether it takes several values, separated by commas. */
  readonly isList: boolean;
}

/** The options whose values are known. */
function choicesOf(commands: readonly Command[]): Choice[] {
  const most = mostWords(commands);
  return commands.flatMap(({ usage, options = [] }) =>
    options.flatMap((option): Choice[] => {
      const values = option[3];
      if (values === undefined) return [];
      const isList = option[0].endsWith(" LIST");
      return [{ pattern: patternOf(nameOf(option), wordsOf(usage), most), values, isList }];
    })
  );
}

/** Makes the pattern of a word and of the first words of a line; a command may have fewer words. */
function patternOf(word: string, words: readonly string[], most: number): string {
  return [word, ...Array.from({ length: most }, (_, at) => words[at] ?? "*")].join("\\ ");
}

/** The options that take a value which may be a file. */
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
  const first = Array.from({ length: mostWords(commands) }, (_, at) => `\${COMP_WORDS[${at + 1}]}`)
    .join(" ");
  return `_faderd() {
  local current="\${COMP_WORDS[COMP_CWORD]}" list= before=
  COMPREPLY=()
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
    ${takingFiles(commands)}) return ;;
  esac
  case "\${COMP_WORDS[COMP_CWORD - 1]} ${first}" in
${choices.join("\n")}
  esac
  if [ -z "$list" ]; then
  case "$COMP_CWORD ${first}" in
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
  const first = Array.from({ length: mostWords(commands) }, (_, at) => `$words[${at + 2}]`)
    .join(" ");
  return `#compdef faderd
_faderd() {
  local -a list
  case "$words[CURRENT-1]" in
    (${takingFiles(commands)}) _files; return ;;
  esac
  case "$words[CURRENT-1] ${first}" in
${choices.join("\n")}
  esac
  case "$((CURRENT - 1)) ${first}" in
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
  const all = commands.map(({ usage }) => wordsOf(usage));
  for (const { usage, summary, options = [], values } of commands) {
    const words = wordsOf(usage);
    const seen = (words: readonly string[]) =>
      words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    for (const [at, word] of words.entries()) {
      if (at === 0) continue;
      const others = all.filter((other) => words.slice(0, at).every((one, at) => other[at] === one))
        .flatMap((other) => other.slice(at, at + 1));
      const none = `not __fish_seen_subcommand_from ${[...new Set(others)].join(" ")}`;
      const said = at === words.length - 1 ? described(summary) : "";
      const condition = `${seen(words.slice(0, at))}; and ${none}`;
      lines.push(`complete -c faderd -f -n '${condition}' -a ${word}${said}`);
    }
    const within = seen(words);
    if (values !== undefined) {
      lines.push(`complete -c faderd -f -n '${within}' -a '${values.join(" ")}'`);
    }
    for (const option of options) {
      const value = takesValue(option) ? ` -r${fishValues(option)}` : "";
      const name = nameOf(option).slice("--".length);
      lines.push(`complete -c faderd -n '${within}' -l ${name}${value}${described(option[1])}`);
    }
  }
  return [...new Set(lines)].join("\n");
}

/**
 * Tells fish the values of an option: then it offers no files; of several values the last is
 * completed.
 */
function fishValues([usage, , , values]: Option): string {
  if (values === undefined) return "";
  if (!usage.endsWith(" LIST")) return ` -f -a '${values.join(" ")}'`;
  return ` -f -a '(__fish_append , ${values.join(" ")})'`;
}

/** Returns a description as fish reads it, in single quotes. */
function described(text: string | undefined): string {
  return text === undefined ? "" : ` -d '${text.replaceAll("'", "\\'")}'`;
}
