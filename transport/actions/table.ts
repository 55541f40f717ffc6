/**
 * Every REST action of this service. To add one, add its file and a line here.
 *
 * @module
 */
import type { Action } from "./action.ts";
import { backup } from "./backup.ts";
import { downloadchsnap } from "./downloadchsnap.ts";
import { downloadmxsnap } from "./downloadmxsnap.ts";
import { getgloballabel } from "./getgloballabel.ts";
import { loadch } from "./loadch.ts";
import { loadmx } from "./loadmx.ts";
import { login } from "./login.ts";
import { logout } from "./logout.ts";
import { restore } from "./restore.ts";
import { savech } from "./savech.ts";
import { savemx } from "./savemx.ts";
import { setchannellabel } from "./setchannellabel.ts";
import { setgloballabel } from "./setgloballabel.ts";
import { updatepic } from "./updatepic.ts";
import { uploadchsnap } from "./uploadchsnap.ts";
import { uploadmxsnap } from "./uploadmxsnap.ts";

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
