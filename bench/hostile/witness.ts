/**
 * The honest client of `hostile.ts`, in a process of its own: it reads a mixer every 50 ms, keeps
 * 64 faders moving and hears of them, and once a second opens a connection as somebody new would.
 * Arguments: the port and a token. It ends when its standard input does, and prints what it saw;
 * times are in ms since 1970.
 *
 * @module
 */
import { print } from "../report.ts";
import { gone, type Hear, HONEST, openWire, TEXT, type Wire } from "./wire.ts";

/** What the honest client saw. */
export interface Seen {
  /** When each read was asked for, and how many ms it took. */
  readonly reads: readonly (readonly [at: number, took: number])[];
  /** The same of each connection opened anew, its first answer included. */
  readonly doors: readonly (readonly [at: number, took: number])[];
  /** When each update of the moving faders came. */
  readonly updates: readonly number[];
  /** What went wrong: connections lost, fades refused. */
  readonly faults: Readonly<Record<string, number>>;
}

const READ_MS = 50;
const FADES = 64;
const FADE_S = 30;
/** So often fades are renewed, in ms: long before they end, so that all keep to one grid. */
const RENEW_MS = 10_000;
const DOOR_MS = 1000;
/** How long to wait before another try, in ms. */
const AGAIN_MS = 20;

const port = Number(Deno.args[0]);
const token = Deno.args[1]!;
const reads: [number, number][] = [];
const doors: [number, number][] = [];
const updates: number[] = [];
const faults: Record<string, number> = {};
let over = false;
/** Since when the reader and the newcomer wait. */
let asked: number | undefined;
let came: number | undefined;

function fault(what: string): void {
  faults[what] = (faults[what] ?? 0) + 1;
}

const now = () => performance.timeOrigin + performance.now();
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const read = JSON.stringify({ method: "get", path: "/audio/mixers/0" });
const textOf = (payload: Uint8Array) => new TextDecoder().decode(payload);

/** A WebSocket, tried for until there is one. */
async function insist(hear: Hear, what: string): Promise<Wire> {
  while (true) {
    try {
      const wire = await openWire(port, { from: HONEST, hear, token });
      if (wire.status === 101) return wire;
      wire.socket.destroy();
      fault(`${what}: HTTP ${wire.status}`);
    } catch {
      fault(`${what}: no connection`);
    }
    await sleep(AGAIN_MS);
  }
}

/** Reads on one connection after the other; a read that is lost with its connection goes on. */
async function reader(): Promise<void> {
  let due = now();
  while (!over) {
    let answered = Promise.withResolvers<void>();
    const wire = await insist((opcode, payload) => {
      if (opcode !== TEXT) return;
      // The end of a large answer says whether it is one.
      const end = textOf(payload.subarray(-200));
      if (!end.includes('"success":true')) fault(`reader: ${end}`);
      answered.resolve();
    }, "reader");
    const closed = gone(wire.socket);
    let open = true;
    closed.then(() => open = false);
    while (open && !over) {
      await sleep(Math.max(0, due - now()));
      asked ??= now();
      answered = Promise.withResolvers();
      wire.send(read);
      await Promise.race([answered.promise, closed]);
      if (!open) break;
      const at = now();
      reads.push([asked, at - asked]);
      asked = undefined;
      due = Math.max(due + READ_MS, at);
    }
    if (!over) fault("reader: connection lost");
  }
}

/** Keeps the faders moving, and notes when it hears of them. */
async function listener(ready: () => void): Promise<void> {
  let up = false;
  while (!over) {
    const wire = await insist((opcode, payload) => {
      const at = now();
      if (opcode !== TEXT) return;
      const text = textOf(payload);
      if (text.startsWith('{"method":"update"')) {
        if (!text.includes('"fader":')) return;
        updates.push(at);
        ready();
      } else if (!text.includes('"success":true')) fault(`fades: ${text.slice(0, 200)}`);
    }, "fades");
    let open = true;
    const closed = gone(wire.socket).then(() => open = false);
    wire.send(JSON.stringify({ method: "subscribe", path: "/audio/mixers/0/faders" }));
    while (open && !over) {
      up = !up;
      for (let fader = 0; fader < FADES; fader++) {
        const value = (up ? 10 : -60) - fader / 8;
        const params = { mixer: 0, fader, time: FADE_S, value };
        wire.send(JSON.stringify({ method: "rpc", payload: { method: "fadetovalue", params } }));
      }
      await Promise.race([sleep(RENEW_MS), closed]);
    }
    if (!over) fault("fades: connection lost");
  }
}

/** Comes anew once a second. */
async function newcomer(): Promise<void> {
  while (!over) {
    const from = came = now();
    const answered = Promise.withResolvers<void>();
    const wire = await insist((opcode) => {
      if (opcode === TEXT) answered.resolve();
    }, "newcomer");
    wire.send(JSON.stringify({ method: "get", path: "/general/_api_version" }));
    await Promise.race([answered.promise, gone(wire.socket)]);
    doors.push([from, now() - from]);
    came = undefined;
    wire.socket.destroy();
    await sleep(Math.max(0, from + DOOR_MS - now()));
  }
}

const moving = Promise.withResolvers<void>();
reader();
listener(moving.resolve);
newcomer();
await moving.promise;
print("ready");
for await (const _ of Deno.stdin.readable);
over = true;
// Who still waits has waited so long at least.
if (asked !== undefined) reads.push([asked, now() - asked]);
if (came !== undefined) doors.push([came, now() - came]);
const seen: Seen = { reads, doors, updates, faults };
print(JSON.stringify(seen));
Deno.exit();
