/**
 * The entries of the audit trail that go to the log: logins, logouts, changes of users, of the
 * configuration and of its parts, restores, and refusals, each with user and address; any other
 * change only at the level `debug`.
 *
 * @module
 */
import { type Audit, isOfConsole } from "../core/audit.ts";
import { errorCodes } from "../core/errors.ts";
import { LOGGED_REFUSALS } from "../core/limits.ts";
import { mergeCalls, type ToldCall } from "../core/merged-calls.ts";
import type { Clock, Timer } from "../core/ports.ts";
import type { EventLog } from "./event-log.ts";

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
      // Not `message`, because the line has a message of its own.
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
