/**
 * The peer of `bench/uplink.ts`: a bare `Deno.serve` that dials a WebSocket and sends a message
 * every second, like a console, and does nothing else. Arguments: the URL to dial, none for a
 * program that dials nothing; and the file of the certificate that alone vouches for it.
 *
 * @module
 */
import { print } from "./report.ts";

const [url, ca] = Deno.args;
const WebSocketOfDeno = WebSocket as unknown as new (url: string, options: object) => WebSocket;

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => print(`http://127.0.0.1:${port}`),
}, () => new Response("{}"));

if (url !== undefined) {
  const client = ca === undefined
    ? undefined
    : Deno.createHttpClient({ caCerts: [Deno.readTextFileSync(ca)] });
  const socket = new WebSocketOfDeno(url, { ...(client && { client }) });
  const beat = JSON.stringify({ method: "get", path: "/sites" });
  socket.onopen = () => setInterval(() => socket.send(beat), 1000);
  socket.onmessage = ({ data }) => JSON.parse(data);
  socket.onclose = ({ code, reason }) => {
    throw new Error(`the socket was closed: ${code} ${reason}`);
  };
}
