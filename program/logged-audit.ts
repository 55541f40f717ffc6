/**
 * The entries of the audit trail that go to the log: changes of users, of the configuration and of
 * its parts, and refusals, each with user and address; any other change only at the level `debug`.
 *
 * @module
 */
import type { Audit, AuditEntry } from "../core/audit.ts";
import { errorCodes } from "../core/errors.ts";
import { LOGGED_REFUSALS } from "../core/limits.ts";
import type { Clock, Timer } from "../core/ports.ts";
import type { EventLog } from "./event-log.ts";
import { mergeCalls, type ToldCall } from "./merged-calls.ts";

/** The calls that change the identity of the console, or the rights of users. */
const OF_CONSOLE = /^\/(users|configuration|settings|tls)\b/;

/** These calls restore a part of the console, whatever they change. */
const RESTORING = ["restore", "SIGHUP"];

/** Says whether a call changed users, the configuration or a part of it, or was a restore. */
export function isOfConsole({ what, changes = [] }: AuditEntry): boolean {
  return RESTORING.includes(what) || changes.some(({ path }) => OF_CONSOLE.test(path));
}

/**
 * Makes the function that receives each entry; repeated refused attempts are logged once a minute.
 */
export function logAudit(log: EventLog, parts: { clock: Clock; timer: Timer }): Audit {
  const attempts = mergeCalls({
    ...parts,
    quota: LOGGED_REFUSALS,
    others: "other refused attempts",
    tell(told) {
      logRefused(told);
      return 1;
    },
  });

  function logRefused({ user, from, what: call, refused, again }: ToldCall): void {
    if (again !== undefined) {
      return log("warning", "refused again", { user, from, call, code: refused?.code, again });
    }
    const { code, message } = refused!;
    const isToken = code === errorCodes.notLoggedIn;
    log(isToken ? "warning" : "info", isToken ? "token refused" : "refused", {
      from,
      user,
      call,
      code,
      // The line has a message of its own.
      why: message,
    });
  }

  return (entry) => {
    if (entry.refused !== undefined) return void attempts.take(entry);
    const { user, from, what: call, changes = [], more } = entry;
    const isLogin = call === "login" || call === "logout";
    const paths = changes.map(({ path }) => path);
    log(isLogin || isOfConsole(entry) ? "info" : "debug", "changed", {
      from,
      user,
      call,
      paths,
      more,
    });
  };
}
