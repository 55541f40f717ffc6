/**
 * The engine of `engine.ts`, in a process of its own: reports the meters of every fader of mixer 1
 * 25 times a second. Arguments: the port, the token, how many faders. It ends when its standard
 * input does, and prints how many reports it has sent.
 *
 * @module
 */
import { print } from "./report.ts";

const REPORT_MS = 40;
/** So many different reports are sent in turns: each value differs from the one before. */
const REPORTS = 50;

const [port, token, faders] = Deno.args;
const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws?token=${token}`);
const reports = Array.from({ length: REPORTS }, reportText);
let sent = 0;
let timer: ReturnType<typeof setInterval> | undefined;
socket.onopen = () => {
  socket.send(JSON.stringify({ method: "engine", paths: ["/audio/mixers/1"] }));
};
socket.onmessage = ({ data }) => {
  if (JSON.parse(data).success !== true) throw new Error(data);
  const start = performance.now();
  timer = setInterval(() => {
    while (start + sent * REPORT_MS <= performance.now()) {
      socket.send(reports[sent++ % REPORTS]!);
    }
  }, REPORT_MS / 4);
  print("ready");
};
socket.onclose = ({ code, reason }) => {
  throw new Error(`the server closed the WebSocket: ${code} ${reason}`);
};
for await (const _ of Deno.stdin.readable);
clearInterval(timer);
print(JSON.stringify({ reports: sent, bytes: reports[0]!.length }));
socket.onclose = null;
socket.close();

/** What `engine/web-audio/` sends: levels in hundredths of a dB, and `params` of faders without dynamics. */
function reportText(): string {
  const level = () => Math.round(-6000 * Math.random()) / 100;
  const both = () => [level(), level()];
  const numbered = Array.from({ length: Number(faders) }, (_, fader) => {
    return [fader, { meter: { _input: both(), _pfl: both(), _afl: both() }, params: {} }];
  });
  const payload = { audio: { mixers: { 1: { faders: Object.fromEntries(numbered) } } } };
  return JSON.stringify({ method: "report", payload });
}
