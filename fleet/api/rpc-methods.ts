/**
 * Every RPC method of a hub. To add one, add its file and a line here.
 *
 * @module
 */
import type * as v from "valibot";
import type { Refusal } from "../../core/errors.ts";
import { fleetagain } from "../rpc/fleetagain.ts";
import { fleetapprove } from "../rpc/fleetapprove.ts";
import { fleetbatch } from "../rpc/fleetbatch.ts";
import { fleetdo } from "../rpc/fleetdo.ts";
import { fleetenrolcode } from "../rpc/fleetenrolcode.ts";
import { fleethublist } from "../rpc/fleethublist.ts";
import { fleetlist } from "../rpc/fleetlist.ts";
import { fleetremove } from "../rpc/fleetremove.ts";
import { fleetbackuplist } from "../rpc/fleetbackuplist.ts";
import { fleetbackupnow } from "../rpc/fleetbackupnow.ts";
import { fleetdiff } from "../rpc/fleetdiff.ts";
import { fleetdrift } from "../rpc/fleetdrift.ts";
import { fleettemplatedrift } from "../rpc/fleettemplatedrift.ts";
import { fleettemplatelist } from "../rpc/fleettemplatelist.ts";
import { fleettemplateremove } from "../rpc/fleettemplateremove.ts";
import { fleettemplatesave } from "../rpc/fleettemplatesave.ts";
import { fleetuseradd } from "../rpc/fleetuseradd.ts";
import { fleetuserlist } from "../rpc/fleetuserlist.ts";
import { fleetusermodify } from "../rpc/fleetusermodify.ts";
import { fleetuserremove } from "../rpc/fleetuserremove.ts";
import { getaudit } from "../rpc/getaudit.ts";
import { getuser } from "../rpc/getuser.ts";
import type { FleetRpcMethod } from "./rpc-method.ts";

const methods = [
  fleetlist,
  fleetenrolcode,
  fleetapprove,
  fleetremove,
  fleetuseradd,
  fleetusermodify,
  fleetuserremove,
  fleetuserlist,
  fleethublist,
  fleetdo,
  fleetagain,
  fleetbatch,
  fleetbackuplist,
  fleetbackupnow,
  fleetdiff,
  fleetdrift,
  fleettemplatedrift,
  fleettemplatesave,
  fleettemplateremove,
  fleettemplatelist,
  getaudit,
  getuser,
] as const;

/** The methods by name, as types. */
type FleetRpcMethods = {
  readonly [Method in (typeof methods)[number] as Method["name"]]: Method;
};

/** The name of a method. */
export type FleetRpcName = keyof FleetRpcMethods;

/** The parameters of a method. */
export type FleetRpcParams<Name extends FleetRpcName> = v.InferInput<
  FleetRpcMethods[Name]["params"]
>;

/** The result of a method. */
export type FleetRpcResult<Name extends FleetRpcName> = Exclude<
  Awaited<ReturnType<FleetRpcMethods[Name]["call"]>>,
  Refusal
>;

/** The methods, by name. */
export const fleetRpcMethods: ReadonlyMap<string, FleetRpcMethod> = new Map(
  methods.map((method) => [method.name, method as unknown as FleetRpcMethod]),
);
