/**
 * The operations for admins of the whole fleet. Each call is reported to the audit trail, with its
 * outcome.
 *
 * @module
 */
import { isRefusal, type Refusal } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Enrolments } from "./enrolments.ts";
import type { FleetActor, HubCore, ListedHub } from "./hub-core.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { People } from "./people.ts";
import { adminRefusal, type Person } from "./rights.ts";
import type { Trail } from "./trail.ts";
import { unavailable } from "../ledger/unavailable.ts";

/** The operations for admins. */
export type Administration = Pick<
  HubCore,
  | "makeCode"
  | "approve"
  | "remove"
  | "users"
  | "hubs"
  | "addUser"
  | "modifyUser"
  | "removeUser"
  | "audit"
>;

/** The parts of the administration of a fleet. */
export interface AdministrationParts {
  readonly ledger: Ledger;
  readonly people: People;
  readonly enrolments: Enrolments;
  readonly trail: Trail;
  /** Returns the hubs, this one first. */
  hubs(): readonly ListedHub[];
}

/** Makes the administration of a fleet. */
export function createAdministration(
  { ledger, people, enrolments, trail, hubs }: AdministrationParts,
): Administration {
  async function asAdmin<Result extends object | undefined>(
    by: FleetActor,
    what: string,
    target: Json | undefined,
    work: () => Promise<Result | Refusal>,
  ): Promise<Result | Refusal> {
    const outcome = adminRefusal(by, people) ?? await work();
    const isRefused = outcome !== undefined && isRefusal(outcome);
    trail.tell({
      user: by.user?.name,
      from: by.from,
      what,
      ...(target === undefined ? {} : { target }),
      ...(isRefused ? { refused: outcome.message } : {}),
    });
    return outcome;
  }

  return {
    makeCode: (by) => asAdmin(by, "makecode", undefined, () => enrolments.makeCode()),
    approve: (id, by) => asAdmin(by, "approve", id, () => enrolments.approve(id)),
    remove: (id, by) => asAdmin(by, "remove", id, () => enrolments.remove(id)),
    users: (by) => adminRefusal(by, people) ?? people.list(),
    hubs: (by) => adminRefusal(by, people) ?? hubs(),
    addUser: (user, by) => asAdmin(by, "adduser", targetOf(user), () => people.add(user)),
    modifyUser: (user, by) => asAdmin(by, "modifyuser", targetOf(user), () => people.modify(user)),
    removeUser: (name, by) => asAdmin(by, "removeuser", name, () => people.remove(name)),
    audit: async (most, by) =>
      adminRefusal(by, people) ?? await ledger.audit(most).catch(unavailable),
  };
}

function targetOf({ name, may, rights }: Person): Json {
  return { name, ...(may && { may }), ...(rights && { rights }) };
}
