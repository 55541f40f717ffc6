/**
 * Every RPC method of this service. To add one, add its file and a line here.
 *
 * @module
 */
import { fadetovalue } from "./fadetovalue.ts";
import { getsnapshot } from "./getsnapshot.ts";
import { getsnapshotlist } from "./getsnapshotlist.ts";
import { loadsnapshot } from "./loadsnapshot.ts";
import type { RpcMethod } from "./method.ts";
import { modifysnapshot } from "./modifysnapshot.ts";
import { pressextlist } from "./pressextlist.ts";
import { registerextlist } from "./registerextlist.ts";
import { removesnapshot } from "./removesnapshot.ts";
import { savesnapshot } from "./savesnapshot.ts";
import { setchannellabel } from "./setchannellabel.ts";
import { setextlist } from "./setextlist.ts";
import { setsnapshot } from "./setsnapshot.ts";
import { unregisterextlist } from "./unregisterextlist.ts";

/** The methods, by name. */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(
  [
    getsnapshotlist,
    loadsnapshot,
    savesnapshot,
    modifysnapshot,
    removesnapshot,
    getsnapshot,
    setsnapshot,
    fadetovalue,
    setchannellabel,
    registerextlist,
    unregisterextlist,
    setextlist,
    pressextlist,
  ].map((method) => [method.name, method]),
);
