/**
 * An attacker of `hostile.ts`, in a process of its own. Arguments: the name of the attack and its
 * {@link Target} as JSON. It ends when its standard input does, and prints what it was told.
 *
 * @module
 */
import { setPriority } from "node:os";
import { print } from "../report.ts";
import { attacks } from "./attacks.ts";
import type { Target } from "./target.ts";

/** What an attacker was told, and how often. */
export type Told = Readonly<Record<string, number>>;

/**
 * On a machine with few processors it must not be the attacker's own work that slows others down.
 */
const NICENESS = 10;
/** How long an attack may take to come to its end, in ms. */
const LAST_WORDS_MS = 1000;

const told: Record<string, number> = {};
let over = false;
const target: Target = {
  ...JSON.parse(Deno.args[1]!),
  get over() {
    return over;
  },
  tell: (what, times = 1) => void (told[what] = (told[what] ?? 0) + times),
};

setPriority(NICENESS);
const attack = attacks[Deno.args[0]!]!;
print("ready");
const done = attack(target).catch((fault) => target.tell(`the attack failed: ${fault}`));
for await (const _ of Deno.stdin.readable);
over = true;
await Promise.race([done, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
print(JSON.stringify(told));
Deno.exit();
