/**
 * The work of the service for a small request, counted, so that it is the same on every machine:
 * the promises that V8 makes beyond those of a bare `Deno.serve` for the same request, the timeouts
 * and immediates that are set, and the headers that are read. The figures are upper bounds; a
 * change that needs less lowers them.
 */
import { assert } from "@std/assert";
import { startService, tokens, unlimitedWith } from "../service.ts";

const list = JSON.stringify({
  method: "rpc",
  token: tokens.admin,
  payload: { method: "getsnapshotlist", params: { type: 2 } },
});

/** A request, and the maxima of its counts. */
const rows = [
  {
    asked: "A POST of getsnapshotlist",
    path: "/api/rest",
    body: list,
    promises: 2,
    timers: 1,
    headers: 8,
  },
  {
    asked: "A GET of a fader",
    path: "/api/rest/audio/mixers/0/faders/0/fader",
    promises: 0,
    timers: 1,
    headers: 8,
  },
  {
    asked: "A GET of getgloballabel",
    path: "/action/getgloballabel?ObjectID=1",
    promises: 0,
    timers: 1,
    headers: 8,
  },
];

for (const { asked, path, body, ...most } of rows) {
  const { promises, timers, headers } = most;
  Deno.test(`${asked} makes at most ${promises} promises more than a bare server, sets ${timers} timer and reads ${headers} headers`, async () => {
    await using service = await startService({ configuration: unlimitedWith() });
    await using bare = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        if (request.method === "POST") JSON.parse(await request.text());
        return Response.json({});
      },
    );
    const ours = await leastCounts(Number(new URL(service.url).port), path, body);
    const theirs = await leastCounts(bare.addr.port, path, body);
    const counted = { ...ours, promises: ours.promises - theirs.promises };
    assert(names.every((name) => counted[name] <= most[name]), JSON.stringify(counted));
  });
}

const names = ["promises", "timers", "headers"] as const;
type Counts = Record<typeof names[number], number>;

/** V8 calls these hooks for each new promise; nothing else counts those of async functions. */
interface Internals {
  readonly core: { setPromiseHooks(...hooks: ((() => void) | undefined)[]): void };
}
const { internal } = Deno as unknown as { readonly internal: symbol };
const { core } = (Deno as unknown as Record<symbol, Internals>)[internal]!;

/** The minima of the counts of some requests: other work can only add to them. */
async function leastCounts(port: number, path: string, body = ""): Promise<Counts> {
  const method = body === "" ? "GET" : "POST";
  const request = new TextEncoder().encode(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const answer = new Uint8Array(16 * 1024);
  const least: Counts = { promises: Infinity, timers: Infinity, headers: Infinity };
  for (let sent = 0; sent < 20; sent++) {
    const counts: Counts = { promises: 0, timers: 0, headers: 0 };
    const stop = count(counts);
    await connection.write(request);
    const length = await connection.read(answer);
    stop();
    assert(new TextDecoder().decode(answer.subarray(0, length!)).startsWith("HTTP/1.1 200"));
    for (const name of names) {
      least[name] = Math.min(least[name], counts[name]);
    }
  }
  return least;
}

/** Counts from now on, until the returned function is called. */
function count(counts: Counts): () => void {
  core.setPromiseHooks(() => void counts.promises++, undefined, undefined, undefined);
  const restores = [
    counting(globalThis, "setTimeout", () => counts.timers++),
    counting(globalThis, "setImmediate", () => counts.timers++),
    ...(["get", "has", "forEach", "entries"] as const).map((name) =>
      counting(Headers.prototype, name, () => counts.headers++)
    ),
  ];
  return () => {
    core.setPromiseHooks(undefined, undefined, undefined, undefined);
    for (const restore of restores) restore();
  };
}

/** Notes each call of a method, until the returned function is called. */
function counting<Of extends object>(of: Of, name: keyof Of, note: () => void): () => void {
  const method = of[name] as (...args: unknown[]) => unknown;
  const noted = function (this: unknown, ...args: unknown[]) {
    note();
    return method.apply(this, args);
  };
  of[name] = noted as Of[keyof Of];
  return () => void (of[name] = method as Of[keyof Of]);
}
