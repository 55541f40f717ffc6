/**
 * The attacker of `hostile.ts`. Arguments: the name of the attack, the port, and the token of a
 * user of group 1. It prints the answers that it got, and the number of each.
 *
 * @module
 */
import { setPriority } from "node:os";
import { untilEnded } from "../process.ts";
import { print } from "../report.ts";
import { attacks, type Target } from "./attacks.ts";

const [name, port, user] = Deno.args;
const told: Record<string, number> = {};
const target: Target = {
  port: Number(port),
  user: user!,
  tell: (what) => void (told[what] = (told[what] ?? 0) + 1),
};

// With few processors the attacker's own work must not slow others down.
setPriority(10);
attacks[name!]!.run(target).catch((fault) => target.tell(`the attack failed: ${fault}`));
await untilEnded();
print(JSON.stringify(told));
Deno.exit();
