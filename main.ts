/**
 * The program: `faderd serve`, `faderd user`, `faderd config`. As a library, import `mod.ts`.
 *
 * @module
 */
import { readCommandLine } from "./program/command-line.ts";
import { commands } from "./program/commands.ts";
import { Failure } from "./program/failure.ts";
import { print, warn } from "./program/print.ts";

try {
  const asked = readCommandLine(commands, Deno.args);
  if ("help" in asked) print(asked.help);
  else await asked.run();
  Deno.exit(0);
} catch (fault) {
  if (!(fault instanceof Failure)) throw fault;
  warn(fault.message);
  Deno.exit(1);
}
