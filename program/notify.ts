/**
 * Notifies systemd if a unit of `Type=notify` runs the service: that it is ready, that it reads its
 * configuration anew, that it stops, and that it is alive. The program `systemd-notify` sends the
 * notifications, because datagrams to a Unix socket need an unstable flag of Deno.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { after, type Timer } from "../core/ports.ts";
import { warn } from "./print.ts";

/** The notifications, in the words of sd_notify(3). */
export type Condition = "READY=1" | "RELOADING=1" | "STOPPING=1" | "WATCHDOG=1";

/**
 * Sends a notification; notifications arrive in their order. Resolves once it is sent, or cannot be
 * sent.
 */
export type Notify = (condition: Condition) => Promise<void>;

/**
 * Makes the notifier. If no `NOTIFY_SOCKET` is set, or the program may not read it, it does
 * nothing. If the unit has a watchdog, the notifier signals it from now on, twice in its period, as
 * long as the event loop turns.
 */
export function createNotify(timer: Timer): Notify {
  if (variable("NOTIFY_SOCKET") === undefined) return () => Promise.resolve();
  let telling = Promise.resolve();
  let isSaid = false;

  function notify(condition: Condition): Promise<void> {
    telling = telling.then(() => tell(condition)).catch((fault) => {
      if (!isSaid) warn(`systemd cannot be told ${condition}: ${reasonOf(fault)}`);
      isSaid = true;
    });
    return telling;
  }

  const period = Number(variable("WATCHDOG_USEC")) / 1000;
  if (period > 0) {
    const live = () => {
      void notify("WATCHDOG=1");
      after(timer, period / 2, live);
    };
    after(timer, period / 2, live);
  }
  return notify;
}

async function tell(condition: Condition): Promise<void> {
  const command = new Deno.Command("systemd-notify", {
    args: [condition],
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  });
  const { code } = await command.spawn().status;
  if (code !== 0) throw new Error(`systemd-notify ended with code ${code}`);
}

/**
 * Returns a variable of the environment; undefined without the permission `--allow-env` for it,
 * which most services run without.
 */
function variable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}
