/**
 * The peer of the benches: a bare `Deno.serve` that parses a request and answers JSON, and does
 * nothing else. Arguments: the answer over HTTP and that over a WebSocket, as JSON.
 *
 * @module
 */
import { print } from "./report.ts";

const [overHttp, overWebSocket] = [Deno.args[0] ?? "{}", Deno.args[1] ?? "{}"]
  .map((text) => JSON.parse(text));

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => print(`http://127.0.0.1:${port}`),
}, async (request) => {
  if (request.headers.get("upgrade") === "websocket") {
    const { socket, response } = Deno.upgradeWebSocket(request);
    socket.onmessage = ({ data }) => {
      JSON.parse(data);
      socket.send(JSON.stringify(overWebSocket));
    };
    return response;
  }
  JSON.parse(await request.text());
  return new Response(JSON.stringify(overHttp), {
    headers: { "content-type": "application/json" },
  });
});
