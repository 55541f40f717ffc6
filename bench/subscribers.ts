/**
 * Subscribers of a path, in a process of their own. Arguments: the port, the number of subscribers,
 * the path, and "meters" if they subscribe to meters, too. At its end the process prints the number
 * of updates that arrived, and the number of their characters.
 *
 * @module
 */
import { untilEnded } from "./process.ts";
import { print } from "./report.ts";

const [port, count, path, meters] = Deno.args;
const message = JSON.stringify({ method: "subscribe", path, meters: meters === "meters" });
let updates = 0;
let characters = 0;
const sockets = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`);
    await new Promise((resolve) => {
      socket.onopen = () => socket.send(message);
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
await untilEnded();
print(JSON.stringify({ updates, characters }));
for (const socket of sockets) {
  socket.onclose = null;
  socket.close();
}
