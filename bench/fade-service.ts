/**
 * The service of `fade.ts`: the real one, on a log, with a timer that notes when each wake-up came.
 *
 * @module
 */
import type { Console } from "../core/console.ts";
import { fadeToValue } from "../core/fades/fadetovalue.ts";
import { movingCount } from "../core/fades/unsynced.ts";
import type { Timer } from "../core/ports.ts";
import { saveSnapshot } from "../core/snapshots/savesnapshot.ts";
import { DEVICE } from "../core/users/user.ts";
import { openConsole } from "../program/open-console.ts";
import { punctualTimer } from "../runtimes/clock.ts";
import { configured, listenFor, withUser } from "./service.ts";

const SNAPSHOTS = 10;

/** A measured tick. */
export interface Tick {
  /** Its lateness, in ms. */
  readonly late: number;
  /** The time at which it was due, in monotonic ms. */
  readonly due: number;
  /** The time in ms for which it blocked the event loop. */
  readonly took: number;
}

/**
 * A timer that notes each tick in `ticks`. A wake-up before its time is no tick: another follows.
 */
function notingTimer(ticks: Tick[]): Timer {
  return {
    ...punctualTimer,
    at: (due, wake) =>
      punctualTimer.at(due, () => {
        const came = performance.now();
        wake();
        if (came >= due) ticks.push({ late: came - due, due, took: performance.now() - came });
      }),
  };
}

/** A service whose ticks can be read. */
export interface FadeService {
  readonly port: number;
  readonly token: string;
  /** The token of a user who is an engine. */
  readonly engineToken: string;
  /** The ticks so far; the caller may empty it. */
  readonly ticks: Tick[];
  /** Fades the first `count` faders to one end, and back at the next call. */
  fade(count: number, seconds: number): void;
  /** The number of moving faders. */
  readonly moving: number;
  stop(): Promise<void>;
}

/** Starts the service, with some snapshots and a mixer of `faders`. */
export async function startFadeService(data: string, faders: number): Promise<FadeService> {
  const limits = { writes: { perMinute: 0, bytesPerMinute: 0 }, connectionsPerAddress: 1000 };
  const configuration = configured({ mixers: [{ faders: 8 }, { faders }], limits });
  const { console, log } = await openConsole(configuration, data);
  const ticks: Tick[] = [];
  const server = listenFor(console, { fadeTimer: notingTimer(ticks) });
  let up = false;
  return {
    port: server.port,
    token: await withSnapshots(console),
    engineToken: await withUser(console, { name: "dsp", admin: false, engine: true }),
    ticks,
    fade(count, seconds) {
      up = !up;
      for (let fader = 0; fader < count; fader++) {
        const outcome = console.dispatch(
          fadeToValue({ mixer: 1, fader, seconds, value: up ? 10 : -160 }),
          DEVICE,
        );
        if ("code" in outcome) throw new Error(outcome.message);
      }
    },
    get moving() {
      return movingCount(console.state.unsynced);
    },
    async stop() {
      await server.stop();
      await log.close();
    },
  };
}

/** Adds a user, who saves snapshots of mixer 0; resolves with the user's token. */
async function withSnapshots(console: Console): Promise<string> {
  const token = await withUser(console, { name: "bench", admin: true });
  const user = console.state.users.get("bench");
  for (let saved = 0; saved < SNAPSHOTS; saved++) {
    const name = `Morning show ${saved}`;
    const save = { type: 2, id: "", mixer: 0, name, writegroups: 255, readgroups: 0 } as const;
    await console.dispatch(saveSnapshot(save), { user });
  }
  return token;
}
