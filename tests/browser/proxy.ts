/**
 * A reverse proxy in front of a service, under a path prefix.
 *
 * @module
 */

/** A running proxy. */
export interface Proxy extends AsyncDisposable {
  /** The URL of the service, with the prefix. */
  readonly url: string;
}

/** Starts a proxy that passes on requests below `prefix` to the service at `target`. */
export function startProxy(target: string, prefix: string): Proxy {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith(`${prefix}/`)) return new Response(null, { status: 404 });
    const address = `${target}${pathname.slice(prefix.length)}${search}`;
    if (request.headers.get("upgrade") === "websocket") return joined(request, address);
    const { method, headers } = request;
    return fetch(address, { method, headers })
      .catch(() => new Response(null, { status: 502 }));
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}${prefix}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Joins the two ends of a WebSocket. */
function joined(request: Request, address: string): Response {
  const { socket, response } = Deno.upgradeWebSocket(request);
  const behind = new WebSocket(address.replace("http", "ws"));
  const waiting: string[] = [];
  socket.onmessage = ({ data }) => {
    if (behind.readyState === WebSocket.OPEN) behind.send(data);
    else waiting.push(data);
  };
  behind.onopen = () => {
    for (const data of waiting) behind.send(data);
  };
  behind.onmessage = ({ data }) => socket.send(data);
  socket.onclose = () => behind.close();
  behind.onclose = () => socket.close();
  return response;
}
