/**
 * The subscribers of `engine.ts`, in a process of its own: each hears of all meters of mixer 1.
 * Arguments: the port and how many. It ends when its standard input does, and prints how many
 * updates have come, and characters in them.
 *
 * @module
 */
import { print } from "./report.ts";

const [port, count] = Deno.args.map(Number);
const ask = JSON.stringify({ method: "subscribe", path: "/audio/mixers/1", meters: true });
let updates = 0;
let characters = 0;
const sockets = await Promise.all(
  Array.from({ length: count! }, async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`);
    await new Promise((resolve) => {
      socket.onopen = () => socket.send(ask);
      socket.onmessage = resolve;
    });
    socket.onmessage = ({ data }) => {
      updates++;
      characters += data.length;
    };
    socket.onclose = ({ code, reason }) => {
      throw new Error(`the server closed the WebSocket: ${code} ${reason}`);
    };
    return socket;
  }),
);
print("ready");
for await (const _ of Deno.stdin.readable);
print(JSON.stringify({ updates, characters }));
for (const socket of sockets) {
  socket.onclose = null;
  socket.close();
}
