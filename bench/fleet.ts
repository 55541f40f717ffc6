/**
 * The cost and the speed of a hub, with many consoles that are connected by the real uplink:
 * `deno task bench fleet` (`--consoles N`, `--seconds S`). The hub runs the bundle, like an
 * installed hub.
 *
 * @module
 */
import { bundle } from "../tools/bundle.ts";
import { atMost, fleetOptions, startHub, untilLive } from "./fleet-parts.ts";
import { type Figure, figureOf, median, print, quantile, report, sleep } from "./report.ts";
import { startConsoles } from "./started-consoles.ts";

const { count: COUNT, seconds: SECONDS, changesPerSecond, json } = fleetOptions();

/** Number of consoles that are operated one command after the other. */
const WATCHED = 10;

/**
 * Number of consoles with open sessions: the API of the hub keeps about as many sessions open
 * (fleet/api/console-links.ts).
 */
const SESSIONS_KEPT = 250;

/** Number of batches; their median counts. */
const BATCHES = 5;

const FADER = "/audio/mixers/0/faders/0/fader";

const folder = await Deno.makeTempDir();
const data = `${folder}/data`;
const figures: Figure[] = [];

await bundle(new URL(`file://${folder}/`));
const main = `${folder}/faderd.js`;
// The first start of a bundle compiles it, and takes more memory.
await (await startHub(`${folder}/first`, "127.0.0.1:0", { main })).stop();
let hub = await startHub(data, "127.0.0.1:0", { main });
const listen = `127.0.0.1:${hub.port}`;
const token = (await Deno.readTextFile(`${data}/admin-token`)).trim();
const url = `http://${listen}`;
const idleMegabytes = hub.residentMegabytes();

const startedAt = performance.now();
const fleet = await startConsoles([url], token, COUNT);
const { ids } = fleet;
const enrolSeconds = Math.round((performance.now() - startedAt) / 1000);
print(`(${COUNT} consoles were enrolled and approved in ${enrolSeconds} s)`);

/** The answer to a request. */
interface Answer {
  readonly success: boolean;
  /** The payload of an answer about a batch. */
  readonly payload?: {
    readonly result: {
      readonly id: string;
      readonly state: string;
      readonly counts: { readonly done: number };
    };
  };
}

/** Opens a WebSocket on which requests have numbers, by which their answers are found. */
async function open(path: string) {
  const socket = new WebSocket(`${url.replace("http", "ws")}${path}?token=${token}`);
  const waiting = new Map<number, (answer: Answer) => void>();
  let number = 0;
  let updated = (_text: string) => {};
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(data);
    if (answer.msgID === undefined) return updated(data);
    waiting.get(answer.msgID)?.(answer);
    waiting.delete(answer.msgID);
  };
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  async function ask(request: object): Promise<Answer> {
    const msgID = ++number;
    const answered = new Promise<Answer>((resolve) => waiting.set(msgID, resolve));
    socket.send(JSON.stringify({ msgID, ...request }));
    const answer = await answered;
    if (!answer.success) throw new Error(JSON.stringify(answer));
    return answer;
  }

  return {
    ask,
    /** Resolves with the next update that has a text. */
    update: (text: string) =>
      new Promise<string>((resolve) => {
        updated = (update) => update.includes(text) && resolve(update);
      }),
    set: (path: string, payload: number) => ask({ method: "set", path, payload }),
    close: () => socket.close(),
  };
}

await untilLive(url, token, COUNT);
await fleet.change(changesPerSecond);
await sleep(1000);
const cpu = hub.cpuSeconds();
const began = performance.now();
await sleep(SECONDS * 1000);
const share = 100 * (hub.cpuSeconds() - cpu) / ((performance.now() - began) / 1000);
figures.push(atMost(`hub, ${changesPerSecond} changes/s`, "% of a core", share, 10));
figures.push(atMost(`hub, ${COUNT} consoles`, "MB", hub.residentMegabytes(), 130));
figures.push(figureOf("hub, no console yet", "MB", [idleMegabytes], [idleMegabytes], "difference"));

const sessions = await Promise.all(
  ids.slice(0, WATCHED).map((id) => open(`/consoles/${id}/api/ws`)),
);
for (const session of sessions) await session.set(FADER, -1);
const ms: number[] = [];
for (let end = performance.now() + SECONDS * 1000, index = 0; performance.now() < end; index++) {
  const from = performance.now();
  await sessions[index % WATCHED]!.set(FADER, -(index % 60));
  ms.push(performance.now() - from);
  await sleep(2);
}
figures.push(atMost("command p50", "ms", quantile(ms, 0.5), 8));
figures.push(atMost("command p99", "ms", quantile(ms, 0.99), 8));
for (const session of sessions) session.close();

const all = await open("/api/ws");
/** Sets a fader of each of these consoles at once, and notes the time that it takes. */
async function setAll(name: string, chosen: readonly string[], most: number): Promise<void> {
  const from = performance.now();
  await Promise.all(chosen.map((id) => all.set(`/consoles/${id}${FADER}`, -20)));
  figures.push(atMost(name, "ms", performance.now() - from, most));
}

await setAll(`all ${COUNT} at once, each by a new session`, ids, 2000);
const known = ids.slice(-SESSIONS_KEPT);
await setAll(`${known.length} at once, by sessions that are open`, known, 150);

/** Sets a fader of consoles by one batch; returns the time in ms until all have answered. */
async function setByBatch(chosen: readonly string[], payload: number, at?: number) {
  const request = { method: "set", path: FADER, payload };
  const params = { select: { ids: chosen }, request, force: true, ...(at && { at }) };
  const settled = all.update('"settled"');
  const from = performance.now();
  const answer = await all.ask({ method: "rpc", payload: { method: "fleetdo", params } });
  const { state, id } = answer.payload!.result;
  if (state !== "settled") await settled;
  const ms = performance.now() - from;
  const about = { method: "fleetbatch", params: { batch: id } };
  const { counts } = (await all.ask({ method: "rpc", payload: about })).payload!.result;
  if (counts.done < chosen.length) throw new Error(JSON.stringify(counts));
  return ms;
}

await all.ask({ method: "subscribe", path: "/batches" });
const batchMs: number[] = [];
const batchCpu = { hub: 0, consoles: 0 };
for (let batch = 0; batch < BATCHES; batch++) {
  // The reports of the consoles after one batch are no part of the next one.
  await sleep(500);
  const before = { hub: hub.cpuSeconds(), consoles: fleet.cpuSeconds() };
  batchMs.push(await setByBatch(ids, -batch));
  batchCpu.hub += hub.cpuSeconds() - before.hub;
  batchCpu.consoles += fleet.cpuSeconds() - before.consoles;
}
figures.push(atMost(`all ${COUNT} at once, by a batch`, "ms", median(batchMs), 150));
for (const [part, seconds] of Object.entries(batchCpu)) {
  const cpuMs = 1000 * seconds / BATCHES;
  figures.push(figureOf(`CPU of the ${part} meanwhile`, "ms", [cpuMs], [cpuMs], "difference"));
}

const spreads: number[] = [];
await fleet.begun();
for (let batch = 0; batch < BATCHES; batch++) {
  await setByBatch(
    [...ids.slice(0, WATCHED), ...ids.slice(-WATCHED)],
    -40 - batch,
    Date.now() + 500,
  );
  const begun = await fleet.begun();
  if (begun.length !== 2 * WATCHED) throw new Error(`${begun.length} faders were set`);
  spreads.push(Math.max(...begun) - Math.min(...begun));
}
figures.push(atMost(`${2 * WATCHED} at one tick, first to last`, "ms", median(spreads), 20));
all.close();

const killedAt = performance.now();
Deno.kill(hub.pid, "SIGKILL");
await hub.stop();
hub = await startHub(data, listen, { main });
const listensAt = performance.now();
const backMs = await untilLive(url, token, COUNT);
figures.push(atMost("hub killed: all live, of when it listens again", "ms", backMs, 2000));
print(`(it was away for ${Math.round(listensAt - killedAt)} ms)`);

await fleet.stop();
await hub.stop();
await Deno.remove(folder, { recursive: true });
report("fleet", [{ sides: ["hub", "bound"], figures }], { json, rounds: 1, seconds: SECONDS });
