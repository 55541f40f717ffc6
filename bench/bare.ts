/**
 * The peers of the benches: a bare `Deno.serve` that answers one kind of request and does nothing
 * else. Arguments: the kind, and the answer.
 *
 * @module
 */
import { print } from "./report.ts";

const [kind = "get", answer = "{}"] = Deno.args;
const headers = { "content-type": "application/json" };
const parsed = () => JSON.parse(answer);

const handlers: Readonly<Record<string, () => (request: Request) => Response | Promise<Response>>> =
  {
    /** Answers a constant. */
    get: () => () => new Response(answer, { headers }),
    /** Parses the body and answers an object. */
    post() {
      const value = parsed();
      return async (request) => {
        JSON.parse(await request.text());
        return new Response(JSON.stringify(value), { headers });
      };
    },
    /** Parses the query of an action and answers with its parameters. */
    action: () => (request) => {
      const { searchParams } = new URL(request.url);
      const ObjectID = Number(searchParams.get("ObjectID"));
      const Name = searchParams.get("Name");
      const Debug = { Firmware: "10.3.0", DurationMs: 0 };
      const value = { ObjectID, Name, Action: "setgloballabel", Debug };
      return new Response(JSON.stringify(value), { headers });
    },
    /** Parses each message of a WebSocket and answers an object. */
    socket() {
      const value = parsed();
      return (request) => {
        const { socket, response } = Deno.upgradeWebSocket(request);
        socket.onmessage = ({ data }) => {
          JSON.parse(data);
          socket.send(JSON.stringify(value));
        };
        return response;
      };
    },
  };

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => print(`http://127.0.0.1:${port}`),
}, handlers[kind]!());
