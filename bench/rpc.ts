/**
 * Requests per second of faderd beside a bare `Deno.serve` that parses and answers JSON of the same
 * size: `getsnapshotlist` of 10 snapshots over HTTP POST, `get` of one fader over WebSocket, each
 * on 16 connections. The servers are processes of their own, this one is the client.
 *
 * @module
 */
import { type Connection, loadFigures, measureLoads, openHttp, openWebSocket } from "./load.ts";
import { firstToken, type ServerProcess, startFaderd, startServer } from "./process.ts";
import { benchOptions, type Figure, report } from "./report.ts";

const CONNECTIONS = 16;
/** Requests of one WebSocket that are under way at once: enough to keep the server busy. */
const WEBSOCKET_DEPTH = 4;
const SNAPSHOTS = 10;
const WARM_UP_S = 2;

const options = benchOptions({ rounds: 7, seconds: 2 });
const data = await Deno.makeTempDir();
const faderd = await startFaderd(data);
let bare: ServerProcess | undefined;
try {
  const token = firstToken(faderd);
  const list = {
    method: "rpc",
    token,
    payload: { method: "getsnapshotlist", params: { type: 2 } },
  };
  const listAnswer = await listOfSnapshots(faderd.port, token, list);
  const get = { msgID: "1", method: "get", path: "/audio/mixers/0/faders/0/fader" };
  const getAnswer = await (await post(faderd.port, { ...get, token })).text();

  bare = await startServer("bare.ts", [listAnswer, getAnswer]);
  const servers = [faderd, bare] as const;
  const figures = [
    ...await compare(
      "getsnapshotlist over HTTP",
      0.70,
      servers,
      (port) => openHttp(port, JSON.stringify(list), listAnswer),
    ),
    ...await compare(
      "get over WebSocket",
      0.80,
      servers,
      (port) => openWebSocket(port, [JSON.stringify(get)], WEBSOCKET_DEPTH, getAnswer),
    ),
  ];
  report("rpc", [{ sides: ["faderd", "bare"], figures }], options);
} finally {
  await bare?.stop();
  await faderd.stop();
  await Deno.remove(data, { recursive: true });
}

/** Saves snapshots until there are enough; what `getsnapshotlist` answers then. */
async function listOfSnapshots(port: number, token: string, list: object): Promise<string> {
  const save = { type: 2, id: "", writegroups: 255 };
  for (let saved = 0; saved <= SNAPSHOTS; saved++) {
    const answer = await (await post(port, list)).text();
    if (JSON.parse(answer).payload.result.length === SNAPSHOTS) return answer;
    const params = { ...save, name: `Morning show ${saved}` };
    await (await post(port, { method: "rpc", token, payload: { method: "savesnapshot", params } }))
      .body?.cancel();
  }
  throw new Error(`there are not ${SNAPSHOTS} snapshots`);
}

function post(port: number, message: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}/api/rest`, {
    method: "POST",
    body: JSON.stringify(message),
  });
}

async function compare(
  name: string,
  atLeast: number,
  servers: readonly [ServerProcess, ServerProcess],
  open: (port: number) => Promise<Connection>,
): Promise<Figure[]> {
  const loaded = await Promise.all(servers.map(async (server) => ({
    server,
    connections: await Promise.all(Array.from({ length: CONNECTIONS }, () => open(server.port))),
  })));
  const [ours, peer] = await measureLoads(loaded, WARM_UP_S, options);
  return loadFigures(name, ours!, peer!, { atLeast });
}
