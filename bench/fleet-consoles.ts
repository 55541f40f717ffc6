/**
 * Many consoles of one hub in a process of their own, each with the real uplink and the real
 * service. Arguments: the URLs of the hub and of further hubs that the consoles dial when it is
 * lost, separated by commas; the token of its admin; and the number of consoles. The process enrols
 * the consoles, prints their ids as one line of JSON, and reads lines from its input. A number sets
 * the changes per second of all consoles together. At the line `begun` it prints the times of all
 * fader changes since the last such line, as a line of JSON in ms since 1970.
 *
 * @module
 */
import { readConfiguration } from "../core/configuration/configuration.ts";
import { type Console, createConsole } from "../core/console.ts";
import { hexOf } from "../core/hex.ts";
import { initialState } from "../core/state.ts";
import { set } from "../core/tree/set.ts";
import { DEVICE } from "../core/users/user.ts";
import { startUplink } from "../fleet/uplink/uplink.ts";
import { createDial } from "../program/dial.ts";
import { machine, machineScheduler, machineTimer, punctualTimer } from "../runtimes/clock.ts";
import { serveConsole } from "../transport/serve-console.ts";
import { print } from "./report.ts";

const [urls, token, count] = Deno.args as [string, string, string];
const hubs = urls.split(",");
const hub = hubs[0]!;

/** Number of consoles that are enrolled at a time. */
const AT_ONCE = 50;

const read = readConfiguration({
  device: { name: "studio", kind: "core", firmware: "10.3.0", serial: "BENCH" },
  engine: "none",
  // Commands of bench/fleet-faults.ts each save one.
  limits: { snapshots: 65_536 },
  mixers: [{
    id: 0,
    name: "On Air",
    faders: Array.from(
      { length: 8 },
      (_, fader) => ({ channel: fader + 1, label: `Fader ${fader}` }),
    ),
  }],
});
if ("faults" in read) throw new Error(JSON.stringify(read.faults));
const { configuration } = read;

interface Made {
  readonly id: string;
  readonly console: Console;
}

async function post(path: string, body: object): Promise<{ readonly [member: string]: never }> {
  const response = await fetch(`${hub}${path}`, { method: "POST", body: JSON.stringify(body) });
  return await response.json();
}

async function rpc(method: string, params: object = {}) {
  const answer = await post("/api/rest", { method: "rpc", token, payload: { method, params } });
  // deno-lint-ignore no-explicit-any
  return (answer as any).payload.result;
}

/** Enrols a console, and has it dial the hub. */
async function make(): Promise<Made> {
  const id = hexOf(machine.random.bytes(16));
  const { code } = await rpc("fleetenrolcode");
  const enrolled = await post("/uplink/enrol", {
    code,
    console: id,
    name: "studio",
    site: "bench",
  });
  await rpc("fleetapprove", { id });
  const console = createConsole({
    ...machine,
    state: initialState(configuration),
    store: { append: () => Promise.resolve() },
    connections: () => 0,
  });
  const { service, sessions } = serveConsole(console, {
    clock: machine.clock,
    timer: machineTimer,
    fadeTimer: punctualTimer,
    scheduler,
  });
  console.watch((event) => {
    if (event.type === "treechanged" && JSON.stringify(event.patch).includes('"fader"')) {
      begun.push(performance.timeOrigin + performance.now());
    }
  });
  const onFault = (fault: unknown) => {
    throw fault;
  };
  startUplink(console, {
    id,
    boot: id,
    hubs: hubs.map((url) => url.replace("http", "ws")),
    summary: { site: "bench", may: "admin", version: "bench" },
    service,
    sessions,
    clock: machine.clock,
    timer: machineTimer,
    scheduler,
    random: Math.random,
    dial: createDial({ token: enrolled.token!, ca: undefined, timer: machineTimer, onFault }),
    onFault,
    tell() {},
  });
  return { id, console };
}

const scheduler = machineScheduler();
let begun: number[] = [];
const consoles: Made[] = [];
while (consoles.length < Number(count)) {
  const more = Math.min(AT_ONCE, Number(count) - consoles.length);
  consoles.push(...await Promise.all(Array.from({ length: more }, make)));
}
print(JSON.stringify(consoles.map(({ id }) => id)));

let perSecond = 0;
let owed = 0;
let at = performance.now();
let next = 0;
setInterval(() => {
  const now = performance.now();
  owed += perSecond * (now - at) / 1000;
  at = now;
  for (; owed >= 1; owed--) {
    const { console } = consoles[next++ % consoles.length]!;
    console.dispatch(set("/audio/mixers/0/faders/0/on", next % 2 === 0), DEVICE);
  }
}, 5);

let said = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  said += text;
  for (let end = said.indexOf("\n"); end >= 0; end = said.indexOf("\n")) {
    const line = said.slice(0, end);
    if (line === "begun") {
      print(JSON.stringify(begun));
      begun = [];
    } else perSecond = Number(line);
    said = said.slice(end + 1);
  }
}
Deno.exit();
