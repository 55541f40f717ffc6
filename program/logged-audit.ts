/**
 * What the log has of what the audit trail is told: who changed users, the configuration and what
 * belongs to it, from where, and what was refused; any other change only where all is asked for.
 *
 * @module
 */
import type { Audit, AuditEntry } from "../core/audit.ts";
import { errorCodes } from "../core/errors.ts";
import { AUDIT_REFUSED_MS } from "../core/limits.ts";
import { after, type Timer } from "../core/ports.ts";
import type { EventLog } from "./event-log.ts";
import { refusedAttempts } from "./refused-attempts.ts";

/** What changes here is of who the console is, and who may do what. */
const OF_CONSOLE = /^\/(users|configuration|settings|tls)\b/;

/** These calls are told whatever they change. */
const CALLS = ["login", "logout", "restore", "SIGHUP"];

/** Makes what hears of each entry; attempts that are refused again are told once a minute. */
export function logAudit(log: EventLog, timer: Timer): Audit {
  const attempts = refusedAttempts();
  let stopSum: (() => void) | undefined;

  function sumUp(): void {
    stopSum = undefined;
    for (const told of attempts.sumUp()) log("warning", "refused again", { ...told });
  }

  function refused(entry: AuditEntry): void {
    stopSum ??= after(timer, AUDIT_REFUSED_MS, sumUp);
    if (!attempts.isFirst(entry)) return;
    const { user, from, what: call, refused } = entry;
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
    if (entry.refused !== undefined) return refused(entry);
    const { user, from, what: call, changes = [], more } = entry;
    const isOfConsole = CALLS.includes(call) || changes.some(({ path }) => OF_CONSOLE.test(path));
    const paths = changes.map(({ path }) => path);
    log(isOfConsole ? "info" : "debug", "changed", { from, user, call, paths, more });
  };
}
