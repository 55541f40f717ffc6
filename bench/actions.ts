/**
 * Requests per second of the REST actions `getgloballabel` and `setgloballabel`, with the request
 * limiter off, beside a bare `Deno.serve` that parses the query and answers the same; and how much
 * 64 clients that write labels gain over one, since concurrent writes share one sync.
 * Connections are kept alive, each has one request at a time, and each client writes its own label,
 * another text each time, so that every request is a change and reaches the medium.
 *
 * The servers are processes of their own, this one is the client. The data is on the disk that
 * `--dir` is on, by default that of `/var/tmp`: on a memory file system a sync would cost nothing.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { demoConfiguration } from "../core/configuration/demo.ts";
import { connect, type Connection, loadFigures, measureLoads, readSome, writeAll } from "./load.ts";
import { type ServerProcess, startFaderd, startServer } from "./process.ts";
import { benchOptions, report } from "./report.ts";

const READERS = 16;
const WRITERS = 64;
const WARM_UP_S = 1;
const READING = { atLeast: 0.75 };
const SHARING = { atLeast: 8 };

const options = benchOptions({ rounds: 7, seconds: 2 });
const { dir } = parseArgs(Deno.args, { string: ["dir"], default: { dir: "/var/tmp" } });
const folder = await Deno.makeTempDir({ dir, prefix: "faderd-bench-" });
const globalLabels = Array.from({ length: WRITERS }, (_, id) => ({ id, label: `Label ${id}` }));
const label = globalLabels[0]!.label;
let servers: readonly ServerProcess[] = [];
try {
  const config = `${folder}/config.json`;
  const limits = {
    connectionsPerAddress: 1000,
    rest: { burst: 0 },
    writes: { perMinute: 0, bytesPerMinute: 0 },
  };
  await Deno.writeTextFile(config, JSON.stringify({ ...demoConfiguration, globalLabels, limits }));
  const faderd = await startFaderd(`${folder}/data`, config);
  servers = [faderd];
  const bare = await startServer("bare-action.ts", [label]);
  servers = [faderd, bare];

  const [ours, peer] = await measureLoads(
    [
      { server: faderd, connections: await readers(faderd) },
      { server: bare, connections: await readers(bare) },
    ],
    WARM_UP_S,
    options,
  );
  const [many, one, bareMany] = await measureLoads(
    [
      { server: faderd, connections: await writers(faderd, WRITERS) },
      { server: faderd, connections: await writers(faderd, 1) },
      { server: bare, connections: await writers(bare, WRITERS) },
    ],
    WARM_UP_S,
    options,
  );
  const beside = [
    ...loadFigures("getgloballabel", ours!, peer!, READING),
    ...loadFigures(`setgloballabel, ${WRITERS} clients`, many!, bareMany!),
  ];
  const shared = loadFigures("setgloballabel", many!, one!, SHARING);
  report("actions", [
    { sides: ["faderd", "bare"], figures: beside },
    { sides: [`${WRITERS} clients`, "1 client"], figures: shared },
  ], options);
} finally {
  for (const server of servers) await server.stop();
  await Deno.remove(folder, { recursive: true });
}

function readers({ port }: ServerProcess): Promise<Connection[]> {
  const path = "/action/getgloballabel?ObjectID=0";
  return Promise.all(
    Array.from({ length: READERS }, () => openAction(port, () => path, `\r\n\r\n${label}`)),
  );
}

function writers({ port }: ServerProcess, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, (_, id) => {
    let written = 0;
    const path = () => `/action/setgloballabel?ObjectID=${id}&Name=Take+${++written}`;
    return openAction(port, path, '"Action":"setgloballabel"');
  }));
}

/**
 * A keep-alive connection that GETs what `path` gives next. An answer may be as long as it says;
 * throws where one is not status 200, or the first does not hold `expected`.
 */
async function openAction(
  port: number,
  path: () => string,
  expected: string,
): Promise<Connection> {
  const socket = await connect(port);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("latin1");
  const buffer = new Uint8Array(16 * 1024);

  async function ask(): Promise<string> {
    await writeAll(socket, encoder.encode(`GET ${path()} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`));
    let text = "";
    while (!isWhole(text)) {
      text += decoder.decode(buffer.subarray(0, await readSome(socket, buffer)));
    }
    if (!text.startsWith("HTTP/1.1 200")) throw new Error(`an unexpected answer: ${text}`);
    return text;
  }

  const first = await ask();
  if (!first.includes(expected) || first.includes('"Error"')) {
    throw new Error(`an unexpected answer: ${first}`);
  }
  return {
    atOnce: 1,
    async ask() {
      await ask();
    },
    close: () => socket.close(),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end === -1) return false;
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${text}`);
  return text.length >= end + 4 + Number(length);
}
