/**
 * One control socket of a console: from its dialling, over the welcome of a hub, beats, reports and
 * tickets, to its end.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { after, type Clock, type Timer } from "../../core/ports.ts";
import type { Service } from "../../transport/arrival.ts";
import { readFromHub } from "./frames-of-hub.ts";
import type { Dial, Line } from "./line.ts";
import type { Digests } from "./digests.ts";
import type { CarriedOut } from "./carried-out.ts";
import { createHubClock } from "./hub-clock.ts";
import { createReports, type Reports } from "./reports.ts";
import type { SummaryOptions } from "./summary.ts";
import { tellCalls, type WatchAudit } from "./told-calls.ts";
import { createTickets } from "./tickets.ts";
import {
  BEAT_MS,
  type ConsoleId,
  FRAME_BYTES,
  type FromConsole,
  type FromHub,
  MISSED_BEATS,
  UNSENT_BYTES,
  UPLINK_CLOSE,
  UPLINK_PATHS,
} from "../wire.ts";

/** Time in ms that a dialled hub has to welcome the console. */
export const WELCOME_MS = 10_000;

/** Close code of a socket that the console no longer needs. */
export const DONE = 1000;

/** Close code of a socket whose hub is silent. */
const SILENT = 4408;

/** Maximum number of bytes that wait for a hub; beyond it the console leaves the hub. */
const MOST_UNSENT = 4 * FRAME_BYTES;

/** The end of a connection. */
export interface ControlEnd {
  /** Time in ms from the welcome to the end; undefined without a welcome. */
  readonly lastedMs: number | undefined;
  readonly code: number;
  readonly why: string;
}

/** The ports and options of a connection. */
export interface ControlOptions {
  readonly id: ConsoleId;
  /** Random at each start of the program. */
  readonly boot: string;
  readonly summary: SummaryOptions;
  readonly digests: Pick<Digests, "current" | "watch">;
  /** The service of the console, which gets the sessions. */
  readonly service: Service;
  readonly commands: CarriedOut;
  /** The audit trail of the console; undefined for a console without one. */
  readonly watchAudit?: WatchAudit | undefined;
  readonly clock: Pick<Clock, "now">;
  readonly timer: Timer;
  readonly dial: Dial;
  /** Called when the service fails to answer. */
  readonly onFault: (fault: unknown) => void;
  /** Returns the epoch of a connection to a hub whose clock says `hubTime`. */
  epochAt(hubTime: number): number;
  /** Called with each welcome of the hub. */
  welcomed(quarantined: boolean): void;
  /** Called once, when the connection has ended or could not be made. */
  ended(end: ControlEnd): void;
}

/** One connection. */
export interface Control {
  /** Ends it, and all sessions that it has opened. */
  stop(code?: number, why?: string): void;
}

type Welcome = Extract<FromHub, { readonly type: "welcome" }>;

/** Dials a hub. */
export function openControl(console: Console, hub: string, options: ControlOptions): Control {
  const { id, boot, clock, timer, dial } = options;
  let welcomedAt: number | undefined;
  let hubBoot = "";
  let heardAt = timer.monotonic();
  let reports: Reports | undefined;
  let cancelBeat = () => {};
  let stopTelling = () => {};
  let beatAt = Infinity;
  let line: Line | undefined = undefined;
  const commandLine = { clock: createHubClock(timer), send };
  const cancelWelcome = after(
    timer,
    WELCOME_MS,
    () => stop(SILENT, `no welcome came in ${WELCOME_MS / 1000} s`),
  );
  const tickets = createTickets(hub, {
    ...options,
    unused: (ticket, why) => send({ type: "unused", ticket, why }),
  });

  function send(frame: FromConsole): void {
    if (line === undefined) return;
    if (line.bufferedAmount > MOST_UNSENT) return stop(SILENT, "the hub does not read");
    line.send(JSON.stringify(frame));
  }

  function beat(): void {
    cancelBeat = after(timer, BEAT_MS, beat);
    const now = timer.monotonic();
    // After a pause of the console itself, frames that the hub has sent meanwhile are still unread.
    if (now - beatAt > BEAT_MS) heardAt = now;
    beatAt = now + BEAT_MS;
    const silentMs = now - heardAt;
    if (silentMs > MISSED_BEATS * BEAT_MS) {
      return stop(SILENT, `the hub was silent for ${Math.round(silentMs / 1000)} s`);
    }
    if (line!.bufferedAmount <= UNSENT_BYTES) {
      const t = clock.now();
      commandLine.clock.beaten(t);
      send({ type: "beat", seq: reports!.seq, t });
    }
  }

  function take(frame: FromHub): void {
    switch (frame.type) {
      case "welcome":
        commandLine.clock.welcomed(frame.t);
        return welcome(frame);
      case "beat":
        commandLine.clock.heard(frame.t, frame.heard);
        if (frame.boot === hubBoot) return;
        // Another hub answers behind one address: it knows nothing of this console.
        hubBoot = frame.boot;
        return reports?.bear();
      case "rebirth":
        return reports?.bear();
      case "open":
        if (welcomedAt !== undefined) tickets.open(frame);
        return;
      case "do":
        return options.commands.take(frame, commandLine);
      case "preview":
        return options.commands.preview(frame, commandLine);
    }
  }

  function welcome({ boot: hubsBoot, t, quarantined, takesTold }: Welcome): void {
    hubBoot = hubsBoot;
    if (welcomedAt === undefined) {
      cancelWelcome();
      welcomedAt = timer.monotonic();
      const unsent = () => line!.bufferedAmount;
      const tells = takesTold === true && options.watchAudit !== undefined;
      if (tells) stopTelling = tellCalls(options.watchAudit!, { clock, timer, send, unsent });
      reports = createReports(console, { console: id, boot, epoch: options.epochAt(t) }, {
        ...options,
        summary: { ...options.summary, ...(tells ? { tells } : {}) },
        send: (text) => line!.send(text),
        unsent,
      });
      beat();
    }
    options.welcomed(quarantined);
  }

  function stop(code = DONE, why = "the console ends the connection"): void {
    line?.close(code, why);
  }

  line = dial(hub, UPLINK_PATHS.control, {
    opened() {},
    received(data) {
      heardAt = timer.monotonic();
      const frame = typeof data === "string" && data.length <= FRAME_BYTES
        ? readFromHub(data)
        : undefined;
      if (frame === undefined) {
        return stop(UPLINK_CLOSE.malformed, "a frame is not as the protocol has it");
      }
      // A frame of a newer hub that this version does not know is ignored.
      if (frame.type !== "unknown") take(frame);
    },
    closed(code, reason) {
      cancelWelcome();
      cancelBeat();
      reports?.stop();
      stopTelling();
      tickets.stop();
      const lastedMs = welcomedAt === undefined ? undefined : timer.monotonic() - welcomedAt;
      options.ended({ lastedMs, code, why: reason || `it ended with code ${code}` });
    },
  });
  return { stop };
}
