/**
 * Every command of ECP that is served, by its number.
 *
 * @module
 */
import type { Block } from "./block.ts";
import type { Action, EcpCommand } from "./command.ts";
import { label } from "./commands/label.ts";
import { level } from "./commands/level.ts";
import { logic } from "./commands/logic.ts";
import { on } from "./commands/on.ts";
import { pfl } from "./commands/pfl.ts";
import { pot } from "./commands/pot.ts";
import { route } from "./commands/route.ts";
import { snapshot } from "./commands/snapshot.ts";
import { source } from "./commands/source.ts";

const commands: ReadonlyMap<number, EcpCommand> = new Map(
  [route, on, level, source, logic, pot, label, pfl, snapshot].map((one) => [one.number, one]),
);

/** Returns the action of a block; undefined for a command or a variant that is not served. */
export function actionOf({ command, data }: Block): Action | undefined {
  return commands.get(command)?.variants[data.length]?.(data);
}
