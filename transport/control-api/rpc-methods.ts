/**
 * Every RPC method of this service. To add one, add its file and a line here.
 *
 * @module
 */
import { adduser } from "../rpc/adduser.ts";
import { fadetovalue } from "../rpc/fadetovalue.ts";
import { getaccess } from "../rpc/getaccess.ts";
import { getaudit } from "../rpc/getaudit.ts";
import { getcertificate } from "../rpc/getcertificate.ts";
import { getclientlist } from "../rpc/getclientlist.ts";
import { getlevelhistory } from "../rpc/getlevelhistory.ts";
import { getloudnesshistory } from "../rpc/getloudnesshistory.ts";
import { getpicturelist } from "../rpc/getpicturelist.ts";
import { getsnapshot } from "../rpc/getsnapshot.ts";
import { getsnapshotlist } from "../rpc/getsnapshotlist.ts";
import { getundolist } from "../rpc/getundolist.ts";
import { getuser } from "../rpc/getuser.ts";
import { getuserlist } from "../rpc/getuserlist.ts";
import { getviewdocument } from "../rpc/getviewdocument.ts";
import { loadsnapshot } from "../rpc/loadsnapshot.ts";
import { login } from "../rpc/login.ts";
import { logout } from "../rpc/logout.ts";
import { makehandover } from "../rpc/makehandover.ts";
import { modifysnapshot } from "../rpc/modifysnapshot.ts";
import { modifyuser } from "../rpc/modifyuser.ts";
import { pressextlist } from "../rpc/pressextlist.ts";
import { registerextlist } from "../rpc/registerextlist.ts";
import { removesnapshot } from "../rpc/removesnapshot.ts";
import { removeuser } from "../rpc/removeuser.ts";
import { savesnapshot } from "../rpc/savesnapshot.ts";
import { setaccess } from "../rpc/setaccess.ts";
import { setchannellabel } from "../rpc/setchannellabel.ts";
import { setextlist } from "../rpc/setextlist.ts";
import { setsnapshot } from "../rpc/setsnapshot.ts";
import { setviewdocument } from "../rpc/setviewdocument.ts";
import { takehandover } from "../rpc/takehandover.ts";
import { undo } from "../rpc/undo.ts";
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
  getaccess,
  setaccess,
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
  makehandover,
  takehandover,
  getclientlist,
  getcertificate,
  getaudit,
  getundolist,
  undo,
  getviewdocument,
  setviewdocument,
  getloudnesshistory,
  getlevelhistory,
] as const;

/** The methods by name, as types: the parameters and the result of each. */
export type RpcMethods = {
  readonly [Method in (typeof methods)[number] as Method["name"]]: Method;
};

/** The methods, by name. */
export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(
  methods.map((method) => [method.name, method]),
);
