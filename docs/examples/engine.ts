/**
 * An audio engine, as a client of the console: claims mixer 0, follows its first fader, and reports
 * a level for it 25 times a second, until it is stopped (docs/engine.md).
 *
 * ```sh
 * npx --yes deno@2.9.6 run --allow-net docs/examples/engine.ts ws://127.0.0.1:8080/api/ws "$TOKEN"
 * ```
 *
 * @module
 */
import { connect } from "../../client/client.ts";

const REPORT_MS = 40;
const TICK_MS = 20;
const SWITCH_MS = 5;

const [url = "ws://127.0.0.1:8080/api/ws", token = ""] = Deno.args;
const encoder = new TextEncoder();
const print = (line: string) => Deno.stdout.writeSync(encoder.encode(`${line}\n`));

const desk = connect(url, { token });
desk.onState(({ state, reason }) => print(`${state}: ${reason}`));
await desk.ready();
await desk.engine(["/audio/mixers/0"]);

let gain = -160;
const fader = await desk.watch("/audio/mixers/0/faders/0/fader");
fader.listen(({ value, tick }) => {
  gain = value!;
  // The next step of a fade comes one tick later: a ramp that is as long ends just then.
  print(`to ${gain.toFixed(1)} dB in ${tick === undefined ? SWITCH_MS : TICK_MS} ms`);
});

// The faders of a lost engine are not ready, so each connection reports that they are.
const ready = () =>
  desk.report({ audio: { mixers: { 0: { faders: { 0: { _readystate: true } } } } } });
ready();
desk.onState(({ state }) => state === "open" && ready());
setInterval(() => {
  const level = -20 - Math.random();
  const meter = { _input: [level, level], _afl: [level + gain, level + gain] } as const;
  desk.report({ audio: { mixers: { 0: { faders: { 0: { meter } } } } } });
}, REPORT_MS);
