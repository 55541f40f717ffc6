/**
 * The cost and the speed of several hubs, with many consoles that are connected by the real uplink,
 * and with three servers of NATS on this machine, which are killed: `deno task bench fleet-nats`
 * (`--consoles N`, `--seconds S`). It needs `nats-server`.
 *
 * @module
 */
import { startServers } from "../tests/fleet/nats/servers.ts";
import { atMost, fleetOptions, rpc, untilLive } from "./fleet-parts.ts";
import { startProcess, V8_FLAGS } from "./process.ts";
import { type Figure, print, quantile, report, sleep } from "./report.ts";
import { startConsoles } from "./started-consoles.ts";

const { count: COUNT, seconds: SECONDS, changesPerSecond, json } = fleetOptions();

/** Number of consoles to which `set` requests are sent in turn, one at a time. */
const OPERATED = 10;

/** Number of consoles that are requested through the other hub at a time. */
const ASKED_AT_ONCE = 8;

/**
 * Time in ms within which the hub that holds the consoles has to know a change that the other hub
 * made.
 */
const FOLLOWED_MS = 10_000;

const ON = "/audio/mixers/0/faders/1/on";

const folder = await Deno.makeTempDir();
await using servers = await startServers(3);
const figures: Figure[] = [];

/** Starts a hub with the servers of NATS. */
async function startHub(name: string, listen = "127.0.0.1:0") {
  const ledger = { kind: "nats", servers: servers.urls, allowOldServer: true };
  const config = `${folder}/${name}.json`;
  await Deno.writeTextFile(config, JSON.stringify({ organisation: "Bench", name, ledger }));
  const lock = ["--lock=fleet/nats/deno.lock", "--frozen"];
  const flags = ["run", V8_FLAGS, ...lock, "--no-check", "--allow-all", "main.ts"];
  const args = ["hub", "--no-view", "--listen", listen, "--data", `${folder}/${name}`];
  const started = await startProcess(
    [Deno.execPath(), ...flags],
    [...args, "--config", config],
    /^hub on .*\n/m,
  );
  return { ...started, url: `http://127.0.0.1:${started.port}` };
}

const holder = await startHub("a");
const other = await startHub("b");
const token = (await Deno.readTextFile(`${folder}/a/admin-token`)).trim();

const fleet = await startConsoles([holder.url, other.url], token, COUNT);
const { ids } = fleet;

const hubs = [
  ["hub that the consoles are connected to", holder],
  ["hub that shows consoles of the other hub", other],
] as const;

await untilLive(holder.url, token, COUNT);
await untilLive(other.url, token, COUNT);
await fleet.change(changesPerSecond);
await sleep(1000);
const before = hubs.map(([, hub]) => hub.cpuSeconds());
const began = performance.now();
await sleep(SECONDS * 1000);
const took = (performance.now() - began) / 1000;
for (const [at, [name, hub]] of hubs.entries()) {
  const share = 100 * (hub.cpuSeconds() - before[at]!) / took;
  figures.push(atMost(`${name}, ${changesPerSecond} changes/s`, "% of a core", share, 10));
  figures.push(atMost(name, "MB", hub.residentMegabytes(), 130));
}

const fresh = await startHub("c");
figures.push(
  atMost(
    "time until a newly started hub shows all consoles as live",
    "ms",
    await untilLive(fresh.url, token, COUNT),
    300,
  ),
);
await fresh.stop();

/**
 * Opens a session with a console through the hub that does not hold it; returns the function that
 * sends a `set`.
 */
async function open(id: string) {
  const socket = new WebSocket(
    `${other.url.replace("http", "ws")}/consoles/${id}/api/ws?token=${token}`,
  );
  let answered: (answer: { readonly success: boolean }) => void = () => {};
  socket.onmessage = ({ data }) => answered(JSON.parse(data));
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return async (payload: boolean) => {
    const done = new Promise<{ readonly success: boolean }>((resolve) => answered = resolve);
    socket.send(JSON.stringify({ msgID: 1, method: "set", path: ON, payload }));
    const answer = await done;
    if (!answer.success) throw new Error(JSON.stringify(answer));
  };
}

const sessions = await Promise.all(ids.slice(0, OPERATED).map(open));
for (const set of sessions) await set(true);
const ms: number[] = [];
for (let end = performance.now() + SECONDS * 1000, at = 0; performance.now() < end; at++) {
  const from = performance.now();
  await sessions[at % OPERATED]!(at % 2 === 0);
  ms.push(performance.now() - from);
  await sleep(2);
}
figures.push(
  atMost("set through the hub that does not hold the console, p50", "ms", quantile(ms, 0.5), 10),
);
figures.push(
  atMost("set through the hub that does not hold the console, p99", "ms", quantile(ms, 0.99), 10),
);

// Each server leads some of the buckets. A write that was refused is tried again.
let longest = 0;
let written = 0;
for (const at of [0, 1, 2]) {
  await servers.kill(at);
  for (let left = 10; left > 0; left--, written++) {
    const from = performance.now();
    const name = `user-${written}`;
    while (true) {
      const answer = await rpc(other.url, token, "fleetuseradd", { name, may: "view" });
      // The write was stored, but its acknowledgement was lost.
      if (answer.success || String(answer.error?.message).includes("there is a user")) break;
    }
    longest = Math.max(longest, performance.now() - from);
  }
  servers.start(at);
  await servers.ready();
}
figures.push(
  atMost("longest write while one server after the other is killed", "ms", longest, 10_000),
);
/**
 * Returns by how many the number of users at the hub that holds the consoles differs from the
 * number that were added.
 */
async function userDifference(): Promise<number> {
  const users = (await rpc(holder.url, token, "fleetuserlist")).payload.result as readonly object[];
  return Math.abs(users.length - 1 - written);
}

// A hub whose server was killed follows the ledger again after some 3 s.
for (const end = performance.now() + FOLLOWED_MS; performance.now() < end; await sleep(50)) {
  if (await userDifference() === 0) break;
}
figures.push(atMost("difference in the number of users", "", await userDifference(), 0));

/**
 * Requests each console through the other hub until the console answers; resolves with the time in
 * ms until all have answered. Only `ASKED_AT_ONCE` requests run at a time, because more would take
 * the CPU time that the hub needs.
 */
async function reachAll(): Promise<number> {
  const from = performance.now();
  const left = [...ids];
  const reach = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${other.url}/consoles/${id}/api/rest/general`, { headers });
      await answer.body?.cancel();
      if (answer.ok) continue;
      left.push(id);
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, reach));
  return performance.now() - from;
}

/** Returns the number of consoles that are connected to the other hub. */
async function connected(): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const metrics = await (await fetch(`${other.url}/metrics`, { headers })).text();
  return Number(/^faderd_fleet_uplinks (\d+)$/m.exec(metrics)?.[1]);
}

const killedAt = performance.now();
Deno.kill(holder.pid, "SIGKILL");
while (await connected() < COUNT) await sleep(10);
const name = "hub killed: all consoles connected to the other";
figures.push(atMost(name, "ms", performance.now() - killedAt, 2000));
print(
  `(all consoles answered through the other hub ${
    Math.round(await reachAll())
  } ms later; ${ASKED_AT_ONCE} requests at a time)`,
);
await holder.stop();
print(`(${COUNT} consoles, ${written} users were added)`);

await fleet.stop();
await other.stop();
await Deno.remove(folder, { recursive: true });
report("fleet-nats", [{ sides: ["hubs", "bound"], figures }], {
  json,
  rounds: 1,
  seconds: SECONDS,
});
