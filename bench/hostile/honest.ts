/**
 * The honest client of `hostile.ts`: it reads a mixer every 50 ms, on a new connection each second,
 * and keeps 64 faders moving. Arguments: the port and a token. It prints its measurements.
 *
 * @module
 */
import { TEXT } from "../frames.ts";
import { untilEnded } from "../process.ts";
import { print, sleep } from "../report.ts";
import { gone, openWire } from "./wire.ts";

/** The measurements of the honest client. */
export interface Seen {
  /** The duration of each read in ms, from the time at which it was due. */
  readonly reads: readonly number[];
  /**
   * The delay of each update of the faders beyond one tick (20 ms) after the update before, in ms.
   */
  readonly late: readonly number[];
  /** Connections lost or refused, and requests refused. */
  readonly faults: Readonly<Record<string, number>>;
}

const ADDRESS = "127.0.0.2";
const READ_MS = 50;
const READS = 20;
const TICK_MS = 20;
const FADES = 64;
const FADE_S = 30;
/** Interval in ms at which fades are renewed, long before they end. */
const RENEW_MS = 10_000;

const port = Number(Deno.args[0]);
const token = Deno.args[1]!;
const seen = { reads: [] as number[], late: [] as number[], faults: {} as Record<string, number> };
let over = false;

function fault(what: string): void {
  if (!over) seen.faults[what] = (seen.faults[what] ?? 0) + 1;
}

/** Opens a WebSocket, with any number of attempts; `hear` receives each text. */
async function insist(hear: (text: string) => void) {
  for (;;) {
    try {
      return await openWire(port, ADDRESS, (opcode, payload) => {
        if (opcode === TEXT) hear(new TextDecoder().decode(payload));
      }, token);
    } catch (error) {
      fault((error as Error).message);
      await sleep(READ_MS);
    }
  }
}

async function read(): Promise<void> {
  const message = JSON.stringify({ method: "get", path: "/audio/mixers/0" });
  for (let due = performance.now(); !over;) {
    let answered = () => {};
    const wire = await insist((text) => {
      if (!text.endsWith('"success":true}')) fault(text.slice(0, 200));
      answered();
    });
    const lost = gone(wire.socket).then(() => fault("connection lost"));
    for (let count = 0; count < READS && !over && !wire.socket.destroyed; count++) {
      await sleep(Math.max(0, due - performance.now()));
      const answer = new Promise<void>((resolve) => answered = resolve);
      wire.send(message);
      await Promise.race([answer, lost]);
      const now = performance.now();
      seen.reads.push(now - due);
      due = Math.max(due + READ_MS, now);
    }
    wire.socket.removeAllListeners("close");
    wire.socket.destroy();
  }
}

async function fade(): Promise<void> {
  let last: number | undefined;
  for (let up = true; !over; last = undefined) {
    const wire = await insist((text) => {
      if (!text.startsWith('{"method":"update"')) {
        if (!text.endsWith('"success":true}')) fault(text.slice(0, 200));
        return;
      }
      const now = performance.now();
      if (last !== undefined) seen.late.push(Math.max(0, now - last - TICK_MS));
      last = now;
    });
    const lost = gone(wire.socket).then(() => fault("connection lost"));
    wire.send(JSON.stringify({ method: "subscribe", path: "/audio/mixers/0/faders" }));
    for (; !over && !wire.socket.destroyed; up = !up) {
      for (let fader = 0; fader < FADES; fader++) {
        const params = { mixer: 0, fader, time: FADE_S, value: (up ? 10 : -60) - fader / 8 };
        wire.send(JSON.stringify({ method: "rpc", payload: { method: "fadetovalue", params } }));
      }
      await Promise.race([sleep(RENEW_MS), lost]);
    }
  }
}

read();
fade();
await untilEnded();
over = true;
print(JSON.stringify(seen));
Deno.exit();
