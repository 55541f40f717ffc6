/**
 * The kinds of request whose cost is measured: `rpc.ts` sends them to the service and to a bare
 * `Deno.serve` (`bare.ts`); `actions.ts` sends one kind, from 64 clients and from a single client.
 * Connections are kept alive, and each has one request at a time. No limit that counts requests
 * applies.
 *
 * @module
 */
import { demoConfiguration } from "../core/configuration/demo.ts";
import { type Connection, type LoadTargets, openHttp, openWebSocket, requestText } from "./load.ts";
import { firstToken, type ServerProcess, startFaderd } from "./process.ts";

const SNAPSHOTS = 10;
/** Number of clients for a request that only reads, and for a request that writes. */
const READERS = 16;
export const WRITERS = 64;
const STRIP = "/audio/mixers/0/faders/0";

/** A kind of request. */
export interface Kind {
  readonly name: string;
  /** The arguments of `bare.ts`, its peer: the kind and the answer. */
  readonly bare: readonly [kind: string, answer: string];
  readonly clients: number;
  readonly targets: LoadTargets;
  /** Connects the client of this number. */
  open(port: number, client: number): Promise<Connection>;
}

/**
 * Starts the service with its data in a folder; it has all objects that the kinds of request need.
 */
export async function startServiceForRequests(
  folder: string,
  deno?: readonly string[],
): Promise<{ readonly server: ServerProcess; readonly kinds: readonly Kind[] }> {
  const config = `${folder}/config.json`;
  const globalLabels = Array.from({ length: WRITERS }, (_, id) => ({ id, label: `Label ${id}` }));
  const limits = {
    connectionsPerAddress: 1000,
    rest: { burst: 0 },
    writes: { perMinute: 0, bytesPerMinute: 0 },
  };
  await Deno.writeTextFile(config, JSON.stringify({ ...demoConfiguration, globalLabels, limits }));
  const server = await startFaderd(`${folder}/data`, config, [], { deno });
  return { server, kinds: await kindsOf(server) };
}

async function kindsOf(server: ServerProcess): Promise<Kind[]> {
  const token = firstToken(server);
  const rpc = (method: string, params: object) =>
    JSON.stringify({ method: "rpc", token, payload: { method, params } });
  const list = rpc("getsnapshotlist", { type: 2 });
  for (let saved = 0; saved < SNAPSHOTS; saved++) {
    const snapshot = { type: 2, id: "", writegroups: 255, name: `Morning show ${saved}` };
    await answerTo(server, "/api/rest", rpc("savesnapshot", snapshot));
  }
  const listed = await answerTo(server, "/api/rest", list);
  const get = JSON.stringify({ msgID: "1", method: "get", path: `${STRIP}/fader`, token });
  const got = await answerTo(server, "/api/rest", get);
  return [
    {
      name: "POST getsnapshotlist",
      bare: ["post", listed],
      clients: READERS,
      targets: { cpu: 1.6, requests: 0.65 },
      open: (port) => openHttp(port, () => requestText("POST", "/api/rest", list), listed),
    },
    await reading(server, "GET of a fader", `/api/rest${STRIP}/fader`, 2.1),
    await reading(server, "GET of an equalizer", `/api/rest${STRIP}/params/eq1`),
    await reading(server, "GET getgloballabel", "/action/getgloballabel?ObjectID=0", 2.4),
    {
      name: `setgloballabel, ${WRITERS} clients`,
      bare: ["action", ""],
      clients: WRITERS,
      targets: { cpu: 5 },
      open: (port, client) => openWriter(port, client),
    },
    {
      name: "get over WebSocket",
      bare: ["socket", got],
      clients: READERS,
      targets: { cpu: 1.5, requests: 0.8 },
      open: (port) => openWebSocket(port, [get], 1, got),
    },
  ];
}

async function reading(
  server: ServerProcess,
  name: string,
  path: string,
  maxCpuRatio?: number,
): Promise<Kind> {
  const answer = await answerTo(server, path);
  const open = (port: number) => openHttp(port, () => requestText("GET", path), answer);
  return {
    name,
    bare: ["get", answer],
    clients: READERS,
    targets: maxCpuRatio === undefined ? {} : { cpu: maxCpuRatio },
    open,
  };
}

/** Opens a client of `setgloballabel` with a label of its own, and another text each time. */
export function openWriter(port: number, client: number): Promise<Connection> {
  let written = 0;
  const path = () => `/action/setgloballabel?ObjectID=${client}&Name=Take+${++written}`;
  return openHttp(port, () => requestText("GET", path()), '"Action":"setgloballabel"');
}

/**
 * Returns the answer to a POST of `body`, or without `body` to a GET; throws if it is a refusal.
 */
async function answerTo({ port }: ServerProcess, path: string, body?: string): Promise<string> {
  const init = body === undefined ? {} : { method: "POST", body };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  const text = await response.text();
  if (!response.ok || text.includes('"success":false')) throw new Error(`${path}: ${text}`);
  return text;
}
