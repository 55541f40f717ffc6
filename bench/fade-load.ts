/**
 * The load of `fade.ts`: asks for a list of snapshots over HTTP on 16 connections, in a process of
 * its own. Arguments: the port, the request and its answer as JSON, and the number of requests a
 * second, 0 for the maximum. It ends when its standard input does, and prints the number of
 * answered requests a second.
 *
 * @module
 */
import { openHttp, requestText } from "./load.ts";
import { untilEnded } from "./process.ts";
import { print, sleep } from "./report.ts";

const CONNECTIONS = 16;

const [port, request, answer, perSecond] = Deno.args;
const interval = Number(perSecond) > 0 ? CONNECTIONS * 1000 / Number(perSecond) : 0;

const connections = await Promise.all(
  Array.from(
    { length: CONNECTIONS },
    () => openHttp(Number(port), () => requestText("POST", "/api/rest", request!), answer!),
  ),
);
let ended = false;
const end = untilEnded().then(() => ended = true);

const start = performance.now();
let requests = 0;
await Promise.all(connections.map(async (connection, number) => {
  let due = start + interval * number / CONNECTIONS;
  while (!ended) {
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    await connection.ask();
    requests++;
    due += interval;
  }
}));
const took = (performance.now() - start) / 1000;
for (const connection of connections) connection.close();
await end;
print(JSON.stringify({ perSecond: requests / took }));
