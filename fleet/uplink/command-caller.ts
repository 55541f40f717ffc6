/**
 * Carries out the commands of a hub on a console: as requests of a user of the fleet, with no more
 * rights than `fleet.may`.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import type { Refusal } from "../../core/errors.ts";
import type { FleetCommand } from "../../core/fleet-commands/fleet-command.ts";
import type { Json } from "../../core/json.ts";
import { isBranch } from "../../core/tree/tree.ts";
import type { Caller } from "../../transport/control-api/method.ts";
import { answer } from "../../transport/control-api/methods.ts";
import { NO_TOKEN } from "../../transport/request-token.ts";
import { vouchedOf } from "../vouched-user.ts";
import type { CommandRequest, FleetMay, FleetUser } from "../wire.ts";

/** The parts of the service of a console by which requests are carried out. */
export type CommandWorld = Pick<Caller, "scheduler" | "device" | "clients" | "history">;

/** The outcome of a request. */
export type Asked = { readonly refused: Refusal } | { readonly result?: Json };

/** Carries requests out. */
export interface CommandCaller {
  ask(request: CommandRequest, as: FleetUser, from: string, asked: FleetCommand): Promise<Asked>;
}

/** Makes the caller that carries requests out on a console whose `fleet.may` is `most`. */
export function createCommandCaller(
  console: Console,
  world: CommandWorld,
  most: FleetMay,
): CommandCaller {
  return {
    async ask(request, as, address, command) {
      const given = await answer(request, {
        ...world,
        console,
        actor: { address, ...vouchedOf(as, most), command },
        authenticate: () => NO_TOKEN,
        refuseLate: (refusal) => refusal,
      }, true);
      if (!given.success) return { refused: given.error as Refusal };
      const { payload } = given;
      const isOfRpc = request.method === "rpc" && isBranch(payload);
      const result = (isOfRpc ? payload.result : payload) as Json | undefined;
      return result === undefined ? {} : { result };
    },
  };
}
