/** The completions of shells; each shell that this machine has is tested. */
import { assert, assertEquals } from "@std/assert";
import { commands } from "../../program/commands.ts";
import { completionScript } from "../../program/completions.ts";

/** The last of several values is completed; some shells print only that value. */
const listRow = ["faderd backup b.tgz --tags TLS,U", ["TLS,USERS", "USERS"]] as const;

/** A line, and the completions at its end; the last word is the begun one. */
const rows: readonly (readonly [line: string, among: readonly string[]])[] = [
  ["faderd us", ["user"]],
  ["faderd user ", ["add", "list", "remove"]],
  ["faderd tls s", ["show"]],
  ["faderd fleet user ", ["add", "list", "modify", "remove"]],
  ["faderd fleet us", ["user"]],
  ["faderd fleet user list --j", ["--json"]],
  ["faderd user add anna --ex", ["--expires"]],
  ["faderd serve --listen-", ["--listen-tls"]],
  ["faderd backup b.tgz --t", ["--tags", "--to", "--token", "--token-file"]],
  ["faderd log repair --", ["--data", "--json", "--skip"]],
  ["faderd user add anna --may o", ["operate"]],
  ["faderd user add anna --may a", []],
  ["faderd fleet user add anna --may a", ["admin"]],
  ["faderd serve --log-format ", ["text", "json"]],
  ["faderd completions ", ["bash", "zsh", "fish"]],
  ["faderd backup b.tgz --tags T", ["TIMEZONE", "TLS"]],
];

const askBash = (line: string) => [
  `${completionScript(commands, "bash")}
  read -r -a COMP_WORDS <<< ${quoted(line)}
  [[ ${quoted(line)} == *' ' ]] && COMP_WORDS+=('')
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
  _faderd
  printf '%s\\n' "\${COMPREPLY[@]}"`,
];

const askFish = (line: string) => [
  `${completionScript(commands, "fish")}
  complete -C ${quoted(line)} | string split -f 1 \\t`,
];

/** zsh shows completions only at a prompt, so the words that it would add are caught. */
const askZsh = (line: string) => [
  `compdef() { :; }; _files() { :; }; compset() { :; }; compadd() { shift; print -l -- $@; }
  words=(\${(s: :)"$(print -r -- ${quoted(line)})"}); [[ ${quoted(line)} == *' ' ]] && words+=('')
  CURRENT=$#words
  ${completionScript(commands, "zsh")}
  _faderd`,
];

function quoted(text: string): string {
  return `'${text}'`;
}

const shells = { bash: askBash, fish: askFish, zsh: askZsh };

for (const [shell, ask] of Object.entries(shells)) {
  const isThere = await new Deno.Command("sh", { args: ["-c", `command -v ${shell}`] }).output();
  Deno.test({
    name: `${shell} completes commands, the commands of a group, options, and values of options`,
    ignore: !isThere.success,
    async fn() {
      const completed = async (line: string) => {
        const { stdout, stderr } = await new Deno.Command(shell, { args: ["-c", ...ask(line)] })
          .output();
        const found = new TextDecoder().decode(stdout).split("\n").filter((one) => one !== "");
        return { found, stderr: new TextDecoder().decode(stderr) };
      };
      for (const [line, expected] of rows) {
        const begun = line.split(" ").at(-1)!;
        const { found, stderr } = await completed(line);
        const fitting = found.filter((one) => one.startsWith(begun));
        assertEquals(fitting.sort(), [...expected].sort(), `${line} ${stderr}`);
      }
      const [line, either] = listRow;
      const { found, stderr } = await completed(line);
      assert(found.some((one) => either.some((word) => one === word)), stderr);
    },
  });
}

Deno.test("the script of every shell has every command and all its options", () => {
  for (const shell of Object.keys(shells)) {
    const script = completionScript(commands, shell);
    for (const { usage, options = [] } of commands) {
      for (const word of usage.split(" ").filter((word) => word === word.toLowerCase())) {
        assert(script.includes(word), `${shell}: ${word}`);
      }
      for (const [option] of options) {
        assert(script.includes(option.slice(2).split(" ")[0]!), `${shell}: ${option}`);
      }
    }
  }
});
