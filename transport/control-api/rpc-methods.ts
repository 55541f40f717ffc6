/**
 * Every RPC method of this service. To add one, add its file and a line here.
 *
 * @module
 */
import { adduser } from "../rpc/adduser.ts";
import { fadetovalue } from "../rpc/fadetovalue.ts";
import { getaudit } from "../rpc/getaudit.ts";
import { getcertificate } from "../rpc/getcertificate.ts";
import { getclientlist } from "../rpc/getclientlist.ts";
import { getpicturelist } from "../rpc/getpicturelist.ts";
import { getsnapshot } from "../rpc/getsnapshot.ts";
import { getsnapshotlist } from "../rpc/getsnapshotlist.ts";
import { getuser } from "../rpc/getuser.ts";
import { getuserlist } from "../rpc/getuserlist.ts";
import { loadsnapshot } from "../rpc/loadsnapshot.ts";
import { login } from "../rpc/login.ts";
import { logout } from "../rpc/logout.ts";
import { modifysnapshot } from "../rpc/modifysnapshot.ts";
import { modifyuser } from "../rpc/modifyuser.ts";
import { pressextlist } from "../rpc/pressextlist.ts";
import { registerextlist } from "../rpc/registerextlist.ts";
import { removesnapshot } from "../rpc/removesnapshot.ts";
import { removeuser } from "../rpc/removeuser.ts";
import { savesnapshot } from "../rpc/savesnapshot.ts";
import { setchannellabel } from "../rpc/setchannellabel.ts";
import { setextlist } from "../rpc/setextlist.ts";
import { setsnapshot } from "../rpc/setsnapshot.ts";
import { unregisterextlist } from "../rpc/unregisterextlist.ts";
import type { RpcMethod } from "./rpc-method.ts";

const methods = [
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
  login,
  logout,
  getpicturelist,
  getuser,
  getuserlist,
  adduser,
  modifyuser,
  removeuser,
  getclientlist,
  getcertificate,
  getaudit,
] as const;

/** The methods by name, as types: what each takes and answers. */
export type RpcMethods = {
  readonly [Method in (typeof methods)[number] as Method["name"]]: Method;
};

/** The methods, by name. */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(
  methods.map((method) => [method.name, method]),
);
