/**
 * Every REST action of this service. To add one, add its file and a line here.
 *
 * @module
 */
import type { Action } from "./action.ts";
import { backup } from "../actions/backup.ts";
import { downloadchsnap } from "../actions/downloadchsnap.ts";
import { downloadmxsnap } from "../actions/downloadmxsnap.ts";
import { getgloballabel } from "../actions/getgloballabel.ts";
import { loadch } from "../actions/loadch.ts";
import { loadmx } from "../actions/loadmx.ts";
import { login } from "../actions/login.ts";
import { logout } from "../actions/logout.ts";
import { restore } from "../actions/restore.ts";
import { savech } from "../actions/savech.ts";
import { savemx } from "../actions/savemx.ts";
import { setchannellabel } from "../actions/setchannellabel.ts";
import { setgloballabel } from "../actions/setgloballabel.ts";
import { updatepic } from "../actions/updatepic.ts";
import { uploadchsnap } from "../actions/uploadchsnap.ts";
import { uploadmxsnap } from "../actions/uploadmxsnap.ts";

/** The actions, by name. */
export const actions: ReadonlyMap<string, Action> = new Map(
  [
    setgloballabel,
    getgloballabel,
    setchannellabel,
    updatepic,
    login,
    logout,
    loadmx,
    loadch,
    savemx,
    savech,
    uploadmxsnap,
    uploadchsnap,
    downloadmxsnap,
    downloadchsnap,
    backup,
    restore,
  ].map((action) => [action.name, action]),
);
