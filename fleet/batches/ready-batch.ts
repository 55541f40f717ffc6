/**
 * An order that a hub can carry out: its times, and what each console gets.
 *
 * @module
 */
import { isRefusal, type Refusal, refuse } from "../../core/errors.ts";
import { hexOf } from "../../core/hex.ts";
import type { Random } from "../../core/ports.ts";
import {
  type BatchOrder,
  type BatchTimes,
  orderRefusal,
  type Planned,
  planOf,
  timesOf,
} from "./batch-order.ts";
import type { Command } from "../commands/command.ts";
import { templateRefusal } from "../drift/templates.ts";
import type { ConsoleEntry, FleetActor, HubCore } from "../hub/hub-core.ts";
import { TOGETHER_MS } from "../hub/hub-limits.ts";
import type { Person } from "../hub/rights.ts";
import { select } from "./selection.ts";
import type { ConsoleId, FleetMay } from "../wire.ts";

/** The part of a hub by which orders are made ready. */
export type ReadyCore = Pick<HubCore, "consoles" | "mayAt" | "templates">;

/** Number of bytes of an id. */
const ID_BYTES = 16;

/** Returns an id for a batch to which its user gives none: 32 hexadecimal digits. */
export function newBatchId(random: Random): string {
  return hexOf(random.bytes(ID_BYTES));
}

/** An order that can be carried out. */
export interface Ready {
  /** When it was made, in ms since 1970. */
  readonly created: number;
  readonly times: BatchTimes;
  readonly plan: readonly Planned[];
}

/**
 * Makes an order ready at a time, in ms since 1970. The whole order is refused if nobody is
 * logged in (4), if a member of it is out of its range, or if it selects no console (6).
 */
export function readyBatch(
  core: ReadyCore,
  order: BatchOrder,
  actor: FleetActor,
  batch: string,
  created: number,
): Ready | Refusal {
  if (actor.user === undefined) {
    return refuse("notLoggedIn", "expected the token of a user of the fleet", "token");
  }
  const isOfTemplate = order.select.drift !== undefined;
  const hidden = isOfTemplate ? templateRefusal(actor.user, "view") : undefined;
  if (hidden !== undefined) return hidden;
  const consoles = select(seenBy(core, actor.user), order.select, core.templates);
  if (isRefusal(consoles)) return consoles;
  const refusal = orderRefusal(order, consoles.length);
  if (refusal !== undefined) return refusal;
  const mayAt = mayOf(core, actor);
  const readyAt = (at: number | undefined): Ready | Refusal => {
    const times = timesOf({ ...order, at }, created);
    if (isRefusal(times)) return times;
    return { created, times, plan: planOf(consoles, order, batch, times, { actor, mayAt }) };
  };
  const ready = readyAt(order.at);
  const isTogether = order.together && !isRefusal(ready) && commandsIn(ready.plan).length > 1;
  return isTogether ? readyAt(created + TOGETHER_MS) : ready;
}

/** Returns the consoles that a user sees. */
export function seenBy(
  core: Pick<HubCore, "consoles" | "mayAt">,
  user: Person | undefined,
): ReadonlyMap<ConsoleId, ConsoleEntry> {
  return new Map([...core.consoles()].filter(([id]) => core.mayAt(user, id) !== undefined));
}

/** Returns the function that says which right an actor has on a console. */
export function mayOf(
  core: Pick<HubCore, "mayAt">,
  { user }: FleetActor,
): (id: ConsoleId) => FleetMay | undefined {
  return (id) => core.mayAt(user, id);
}

/** Returns the commands of a plan. */
export function commandsIn(plan: readonly Planned[]): readonly Command[] {
  return plan.flatMap((planned) => "command" in planned ? [planned.command] : []);
}
