/**
 * The engine of `engine.ts`, in a process of its own: reports the meters of every fader of mixer 1
 * 25 times a second. Arguments: the port, the token, the number of faders. It ends when its
 * standard input does, and prints the number of reports that it has sent.
 *
 * @module
 */
import { untilEnded } from "./process.ts";
import { print } from "./report.ts";

const REPORT_MS = 40;
/**
 * The number of different reports, which are sent in rotation, so that each meter changes with each
 * report.
 */
const REPORTS = 50;

const [port, token, faders] = Deno.args;
const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws?token=${token}`);
const reports = Array.from({ length: REPORTS }, reportText);
let sent = 0;
socket.onopen = () => {
  socket.send(JSON.stringify({ method: "engine", paths: ["/audio/mixers/1"] }));
};
socket.onclose = ({ code, reason }) => {
  throw new Error(`the server closed the WebSocket: ${code} ${reason}`);
};
const claimed = await new Promise<string>((resolve) =>
  socket.onmessage = ({ data }) => resolve(data)
);
if (JSON.parse(claimed).success !== true) throw new Error(claimed);
const start = performance.now();
const timer = setInterval(() => {
  while (start + sent * REPORT_MS <= performance.now()) socket.send(reports[sent++ % REPORTS]!);
}, REPORT_MS / 4);
await untilEnded();
clearInterval(timer);
print(JSON.stringify({ reports: sent, bytes: reports[0]!.length }));
socket.onclose = null;
socket.close();

/**
 * Makes a report like those of `engine/web-audio/`: levels in dB with two decimals, and empty
 * `params`, as for faders without dynamics.
 */
function reportText(): string {
  const level = () => Math.round(-6000 * Math.random()) / 100;
  const both = () => [level(), level()];
  const numbered = Array.from({ length: Number(faders) }, (_, fader) => {
    return [fader, { meter: { _input: both(), _pfl: both(), _afl: both() }, params: {} }];
  });
  const payload = { audio: { mixers: { 1: { faders: Object.fromEntries(numbered) } } } };
  return JSON.stringify({ method: "report", payload });
}
