/**
 * Every RPC method of this service. To add one, add its file and a line here.
 *
 * @module
 */
import { adduser } from "./adduser.ts";
import { fadetovalue } from "./fadetovalue.ts";
import { getclientlist } from "./getclientlist.ts";
import { getsnapshot } from "./getsnapshot.ts";
import { getsnapshotlist } from "./getsnapshotlist.ts";
import { getuserlist } from "./getuserlist.ts";
import { loadsnapshot } from "./loadsnapshot.ts";
import type { RpcMethod } from "./method.ts";
import { modifysnapshot } from "./modifysnapshot.ts";
import { modifyuser } from "./modifyuser.ts";
import { pressextlist } from "./pressextlist.ts";
import { registerextlist } from "./registerextlist.ts";
import { removesnapshot } from "./removesnapshot.ts";
import { removeuser } from "./removeuser.ts";
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
    getuserlist,
    adduser,
    modifyuser,
    removeuser,
    getclientlist,
  ].map((method) => [method.name, method]),
);
