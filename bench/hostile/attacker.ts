/**
 * The attacker of `hostile.ts`. Arguments: the name of the attack, the port, and the token of a user
 * of group 1. It prints what it was told, and how often.
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

// With few processors it must not be the attacker's own work that slows others down.
setPriority(10);
attacks[name!]!.run(target).catch((fault) => target.tell(`the attack failed: ${fault}`));
await untilEnded();
print(JSON.stringify(told));
Deno.exit();
