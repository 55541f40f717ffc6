/**
 * A WebSocket server that stands for a console: it answers as the test says.
 *
 * @module
 */
import type { Json } from "../service.ts";

/** A console that listens. */
export interface ScriptedConsole extends AsyncDisposable {
  readonly url: string;
  /** All messages that have come, without their `msgID`. */
  readonly asked: Json[];
  /** Sends a message to the client that connected last. */
  say(message: object): void;
  /** Ends all connections. */
  drop(): void;
}

/**
 * Starts a console. `reply` says what the answer to a message has beside `msgID`, `method`, `path`
 * and `success`; undefined for no answer.
 */
export function scriptedConsole(reply: (message: Json) => object | undefined): ScriptedConsole {
  const asked: Json[] = [];
  const sockets: WebSocket[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { socket, response } = Deno.upgradeWebSocket(request);
    sockets.push(socket);
    socket.onmessage = ({ data }) => {
      const { msgID, ...message } = JSON.parse(data);
      asked.push(message);
      const { method, path } = message;
      const answer = reply(message);
      if (answer === undefined || msgID === undefined) return;
      socket.send(JSON.stringify({ msgID, method, path, success: true, ...answer }));
    };
    return response;
  });
  const drop = () => sockets.forEach((socket) => socket.close());
  return {
    url: `ws://127.0.0.1:${server.addr.port}/api/ws`,
    asked,
    say: (message) => sockets.at(-1)!.send(JSON.stringify(message)),
    drop,
    async [Symbol.asyncDispose]() {
      drop();
      await server.shutdown();
    },
  };
}
