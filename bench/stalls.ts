/**
 * How long does a call block the event loop? The longest stall of each RPC, method and REST action
 * in a service with a mixer of 64 faders and 1,000 snapshots on a log. The calls come one at a time
 * from a thread of their own, so that a stall belongs to the call under way.
 *
 * A stall is the time between two beats of a loop that does nothing but beat. The row "nothing" has
 * the stalls that the machine and the garbage collector cause alone; the median of many calls is
 * the stall of the call itself.
 *
 * @module
 */
import { setImmediate } from "node:timers";
import { saveSnapshot } from "../core/snapshots/savesnapshot.ts";
import { openConsole } from "../program/open-console.ts";
import { machineScheduler } from "../runtimes/clock.ts";
import { benchOptions, median, print, table } from "./report.ts";
import { configured, listenFor, withUser } from "./service.ts";
import { FADERS, LABELS, type Said, SNAPSHOTS } from "./stalls-client.ts";

/** Maximum stall in ms; a longer one has to be cut in pieces or moved off the main thread. */
const MOST_MS = 2;

const options = benchOptions({ rounds: 15, seconds: 1 });
const data = await Deno.makeTempDir();
const configuration = configured({
  mixers: [{ faders: FADERS, automix: 8, cleanfeeds: 8, mutegroups: 8 }],
  processings: 2,
  globalLabels: Array.from({ length: LABELS }, (_, at) => ({ id: at + 1, label: `Studio ${at}` })),
  resources: [{ id: 1, name: "Logo" }],
  lists: [{ id: 1, name: "Lines" }],
  licenses: ["52-8577", "52-8583", "52-8546"],
  limits: {
    connectionsPerAddress: 1000,
    rest: { burst: 0 },
    writes: { perMinute: 0, bytesPerMinute: 0 },
    snapshots: 2 * SNAPSHOTS,
    stateBytes: 2 ** 30,
  },
});
const { console, log } = await openConsole(configuration, data, { scheduler: machineScheduler() });
const server = listenFor(console);
const token = await withUser(console, { name: "bench", admin: true });
const user = console.state.users.get("bench");
const save = { id: "", mixer: 0, fader: 0, type: 1, writegroups: 255, readgroups: 0 } as const;
for (let number = 0; number < SNAPSHOTS; number++) {
  await console.dispatch(saveSnapshot({ ...save, name: `Guest ${number}` }), { user });
}

const stalls = new Map<string, number[]>();
const over = Promise.withResolvers<void>();
let longest = 0;
let call = "";
let beating = true;
let last = performance.now();
setImmediate(function beat() {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
  if (beating) setImmediate(beat);
});
const client = new Worker(new URL("./stalls-client.ts", import.meta.url), { type: "module" });
client.onmessage = async ({ data }: MessageEvent<Said>) => {
  if ("begin" in data) call = data.begin;
  else if ("end" in data) stalls.set(call, [...stalls.get(call) ?? [], longest]);
  else if ("compact" in data) await log.compact();
  else return over.resolve();
  client.postMessage("go on");
  if (!("compact" in data)) longest = 0;
};
client.onerror = ({ message }) => over.reject(new Error(message));
client.postMessage({ port: server.port, token, rounds: options.rounds });
await over.promise;

beating = false;
client.terminate();
await server.stop();
await log.close();
await Deno.remove(data, { recursive: true });
print(`stalls: the longest of each call in ms, over ${options.rounds} calls`);
const rows = [...stalls].map(([name, ms]) => ({
  name,
  median: median(ms),
  least: Math.min(...ms),
  most: Math.max(...ms),
  reached: median(ms) <= MOST_MS,
})).toSorted((left, right) => right.median - left.median);
print(table([
  ["call", "median", "least", "most", ""],
  ...rows.map(({ name, median, least, most, reached }) => [
    name,
    ...[median, least, most].map((ms) => ms.toFixed(2)),
    reached ? "" : `over ${MOST_MS}`,
  ]),
]));
if (options.json) print(JSON.stringify({ bench: "stalls", calls: rows }));
