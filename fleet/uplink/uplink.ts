/**
 * The uplink of a console: it dials the hubs of its fleet, one at a time, and again whenever the
 * connection ends. Nothing on the console waits for it.
 *
 * @module
 */
import { noDevice } from "../../core/backup/device.ts";
import type { Console } from "../../core/console.ts";
import { after, type CooperativeScheduler } from "../../core/ports.ts";
import { type CarriedOut, createCarriedOut } from "./carried-out.ts";
import { type CommandWorld, createCommandCaller } from "./command-caller.ts";
import { type Control, type ControlEnd, type ControlOptions, openControl } from "./control.ts";
import { followDigests } from "./digests.ts";
import { afterEnd, FIRST_CHOICE, type HubChoice } from "./hub-choice.ts";
import { UPLINK_CLOSE } from "../wire.ts";

/** A report on an uplink for people. */
export interface UplinkNews {
  /**
   * `connected`: a hub has welcomed the console. `quarantined`: it has, and somebody has to approve
   * the console. `lost`: the connection has ended. `refused`: the hub has ended it, and to dial
   * again at once is of no use. `unreachable`: no hub has taken the connection. Between two
   * connections the same reason is reported once.
   */
  readonly type: "connected" | "quarantined" | "lost" | "refused" | "unreachable";
  /** The address of the hub. */
  readonly hub: string;
  /** A reason; empty for `connected` and `quarantined`. */
  readonly why: string;
}

/** The ports and options of an uplink. */
export interface UplinkOptions
  extends Omit<ControlOptions, "epochAt" | "welcomed" | "ended" | "digests" | "commands"> {
  readonly scheduler: CooperativeScheduler;
  /**
   * The connections and the loudness history of the console, and the device that applies restored
   * settings, which may be missing.
   */
  readonly sessions: Pick<CommandWorld, "clients" | "history">;
  readonly device?: CommandWorld["device"];
  /** The addresses of the hubs, like `wss://hub.example`; at least one. */
  readonly hubs: readonly string[];
  /** Returns a number of at least 0 and less than 1. */
  readonly random: () => number;
  /** Reports to people. */
  readonly tell: (news: UplinkNews) => void;
}

/** An uplink. */
export interface Uplink {
  /** Ends it, and all sessions that it has opened. */
  stop(): void;
}

/** Starts the uplink of a console. */
export function startUplink(console: Console, options: UplinkOptions): Uplink {
  const { hubs, timer, random, tell } = options;
  const digests = followDigests(console, options);
  const commands = commandsOf(console, options);
  let choice: HubChoice = FIRST_CHOICE;
  let epoch = 0;
  let stopped = false;
  /** The reports since the last connection. */
  const told = new Set<string>();
  let cancelWait = () => {};
  let control: Control | undefined;

  // The clock of the console may have been set back since its last start, but a hub's clock seldom
  // is.
  function epochAt(hubTime: number): number {
    epoch = Math.max(epoch + 1, Math.min(Math.floor(hubTime), LATEST));
    return epoch;
  }

  /** A hub that is unreachable for a long time is not reported each time that it is dialled. */
  function tellOnce(news: UplinkNews): void {
    const { type, hub, why } = news;
    const text = JSON.stringify([type, hub, why]);
    const isConnected = why === "";
    if (told.has(text) && (!isConnected || told.size === 1)) return;
    if (isConnected || told.size === REASONS) told.clear();
    told.add(text);
    tell(news);
  }

  function connect(): void {
    const hub = hubs[choice.index]!;
    control = openControl(console, hub, {
      ...options,
      digests,
      commands,
      epochAt,
      welcomed(quarantined) {
        tellOnce({ type: quarantined ? "quarantined" : "connected", hub, why: "" });
      },
      ended: (end) => ended(hub, end),
    });
  }

  function ended(hub: string, { lastedMs, code, why }: ControlEnd): void {
    if (stopped) return;
    const isFinal = FINAL.includes(code);
    const end = { lastedMs: lastedMs ?? 0, isFinal };
    const { next, waitMs } = afterEnd(choice, end, hubs.length, random());
    choice = next;
    if (isFinal) tellOnce({ type: "refused", hub, why });
    else if (lastedMs !== undefined) tellOnce({ type: "lost", hub, why });
    else if (waitMs > 0) tellOnce({ type: "unreachable", hub, why });
    cancelWait = after(timer, waitMs, connect);
  }

  connect();
  return {
    stop() {
      stopped = true;
      cancelWait();
      digests.stop();
      commands.stop();
      control?.stop();
    },
  };
}

function commandsOf(
  console: Console,
  { scheduler, sessions, device = noDevice, summary, timer, onFault }: UplinkOptions,
): CarriedOut {
  const world = { scheduler, device, clients: sessions.clients, history: sessions.history };
  const caller = createCommandCaller(console, world, summary.may);
  return createCarriedOut(console, { caller, timer, onFault });
}

/**
 * The latest time of a hub that counts, in ms since 1970: the end of the year 9999. Hubs read no
 * larger epochs.
 */
const LATEST = 253_402_300_799_999;

/** Maximum number of remembered reasons. */
const REASONS = 100;

const FINAL: readonly number[] = Object.values(UPLINK_CLOSE);
