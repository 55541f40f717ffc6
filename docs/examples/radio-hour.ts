/**
 * An automation that plays an hour of radio: news, music with an announcement over it, and a
 * fade-out. It uses web standards alone: a browser plays it, too.
 *
 * @module
 */
import { type Client, RequestError } from "../../client/client.ts"; // "faderd-client"

/** One thing to be done, at a time in ms from the full hour. */
interface Cue {
  readonly at: number;
  readonly what: string;
  /** May be done twice: where a connection is lost, nobody knows whether it was done. */
  readonly act: (desk: Client) => Promise<unknown>;
}

const MINUTE = 60_000;
const HOST = 0;
const MUSIC = 1;
const CLOSED = -160;

const turnOn = (desk: Client, fader: number) => desk.mixer(0).fader(fader).on(true);
const fade = (desk: Client, fader: number, dB: number, seconds: number) =>
  desk.mixer(0).fader(fader).fadeTo(dB, seconds);

/** The hour. */
const cues: readonly Cue[] = [
  {
    at: 0,
    what: "the news: the host is open, the music closed",
    async act(desk) {
      await fade(desk, MUSIC, CLOSED, 0.5);
      await turnOn(desk, HOST);
      await desk.mixer(0).fader(HOST).set(0);
    },
  },
  {
    at: 5 * MINUTE,
    what: "music, and the host is gone",
    async act(desk) {
      await turnOn(desk, MUSIC);
      await fade(desk, MUSIC, 0, 1);
      await fade(desk, HOST, CLOSED, 2);
    },
  },
  {
    at: 30 * MINUTE,
    what: "an announcement over the music",
    async act(desk) {
      await fade(desk, MUSIC, -18, 1);
      await desk.mixer(0).fader(HOST).set(0);
    },
  },
  {
    at: 31 * MINUTE,
    what: "music",
    async act(desk) {
      await fade(desk, HOST, CLOSED, 1);
      await fade(desk, MUSIC, 0, 2);
    },
  },
  { at: 59 * MINUTE, what: "the music fades", act: (desk) => fade(desk, MUSIC, CLOSED, 4) },
];

/** How an hour is played. */
export interface HourOptions {
  /** The speed, for a rehearsal: how many times as fast as real time; by default 1. */
  readonly speed?: number;
  /** Called with each cue once it is done. */
  readonly done?: (what: string) => void;
  /** Ends the hour before the next cue. */
  readonly signal?: AbortSignal;
}

/**
 * Plays the hour from now on. A cue that meets a lost connection is done when the console is back,
 * unless the next one is due: an automation catches up, and does not play what is over.
 */
export async function playHour(desk: Client, options: HourOptions = {}): Promise<void> {
  const { speed = 1, done = () => {}, signal } = options;
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) * speed;
  for (const [index, { at, what, act }] of cues.entries()) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - elapsed()) / speed));
    if (signal?.aborted) return;
    const over = cues[index + 1]?.at ?? Infinity;
    do {
      try {
        await act(desk);
        done(what);
        break;
      } catch (fault) {
        if (!(fault instanceof RequestError) || fault.code !== "lost") throw fault;
        await desk.ready().catch(() => {});
      }
    } while (!signal?.aborted && elapsed() < over);
  }
}
