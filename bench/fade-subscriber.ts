/**
 * The subscriber of `fade.ts`: hears of every fader, in a process of its own. Argument: the port.
 * It ends when its standard input does, and prints how many updates have come.
 *
 * @module
 */
import { print } from "./report.ts";

const socket = new WebSocket(`ws://127.0.0.1:${Deno.args[0]}/api/ws`);
let messages = 0;
socket.onopen = () => socket.send(JSON.stringify({ method: "subscribe", path: "/audio/mixers" }));
socket.onmessage = () => {
  if (messages++ === 0) print("ready");
};
socket.onclose = ({ code, reason }) => {
  throw new Error(`the server closed the WebSocket: ${code} ${reason}`);
};
for await (const _ of Deno.stdin.readable);
print(JSON.stringify({ updates: messages - 1 }));
socket.onclose = null;
socket.close();
