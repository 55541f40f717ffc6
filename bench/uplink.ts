/**
 * The memory of an enrolled console, connected to its hub with and without TLS, compared with a
 * console in no fleet: `deno task bench uplink` (`--rounds N`). The consoles run the bundle, like
 * installed consoles. Beside them stands what a single WebSocket costs a bare program: the runtime
 * takes it whoever dials.
 *
 * @module
 */
import { bundle } from "../tools/bundle.ts";
import { type ServerProcess, startFaderd, startProcess, startServer, V8_FLAGS } from "./process.ts";
import { benchOptions, figureOf, report, sleep } from "./report.ts";

/** Time in ms after which a console is connected, and idle. */
const SETTLE_MS = 6000;

const MIB = 1024 * 1024;

const ROOT = new URL("../", import.meta.url).pathname;
const CERTIFICATES = `${ROOT}tests/program/certificates`;
const RUN = ["run", V8_FLAGS, "--frozen", "--no-check", "--allow-all", "main.ts"];

/** The resident memory of a program, in MiB. */
interface Memory {
  readonly all: number;
  /** The part without pages of files. */
  readonly own: number;
}

const options = benchOptions({ rounds: 7, seconds: 1 });
const folder = await Deno.makeTempDir({ prefix: "bench-uplink-" });
try {
  await measure();
} finally {
  await Deno.remove(folder, { recursive: true });
}

async function measure(): Promise<void> {
  await bundle(new URL(`file://${folder}/`));
  const config = `${folder}/hub.json`;
  await Deno.writeTextFile(config, JSON.stringify({ tls: `${CERTIFICATES}/hub.pem` }));
  const listen = ["--listen", "127.0.0.1:0", "--listen-tls", "127.0.0.1:0"];
  const hub = await startProcess(
    [Deno.execPath(), ...RUN],
    ["hub", "--no-view", ...listen, "--config", config, "--data", `${folder}/hub`],
    /^hub on .*\n/m,
  );
  const [secure] = /https:\S+/.exec(hub.said)!;
  const url = `http://127.0.0.1:${hub.port}`;
  const ids = {
    none: undefined,
    ws: await enrol(url, url, "ws"),
    wss: await enrol(url, secure, "wss", "--ca", `${CERTIFICATES}/hub-ca.pem`),
  };
  const token = (await Deno.readTextFile(`${folder}/hub/admin-token`)).trim();
  const headers = { authorization: `Bearer ${token}` };
  /** Fails if the console is not connected: its memory would be too small. */
  async function expectLive(id: string | undefined): Promise<void> {
    if (id === undefined) return;
    const answer = await fetch(`${url}/api/rest/consoles/${id}/_state`, { headers });
    const state = await answer.json();
    if (state !== "live") throw new Error(`expected the console ${id} to be live, it is ${state}`);
  }
  const console = (name: keyof typeof ids) =>
    startFaderd(`${folder}/${name}`, undefined, ["--no-view"], { main: `${folder}/faderd.js` });
  const bare = (...args: string[]) => startServer("bare-uplink.ts", args);
  const api = `api/ws?token=${token}`;
  const starts = {
    none: () => console("none"),
    ws: () => console("ws"),
    wss: () => console("wss"),
    bareNone: () => bare(),
    bareWs: () => bare(`${url.replace("http", "ws")}/${api}`),
    bareWss: () => bare(`${secure.replace("http", "ws")}/${api}`, `${CERTIFICATES}/hub-ca.pem`),
  };
  type Name = keyof typeof starts;
  const names = Object.keys(starts) as Name[];
  // The first start of a bundle compiles it, and takes more memory.
  await memoryOf(await starts.none());
  const found = Object.fromEntries(names.map((name): [Name, Memory[]] => [name, []])) as Record<
    Name,
    Memory[]
  >;
  for (let round = 0; round < options.rounds; round++) {
    for (const name of names) {
      const settled = name in ids ? () => expectLive(ids[name as keyof typeof ids]) : undefined;
      found[name].push(await memoryOf(await starts[name](), settled));
    }
  }
  await hub.stop();
  const rows = (way: string, name: Name, without: Name, most?: number) =>
    (["all", "own"] as const).map((part) =>
      figureOf(
        part === "all" ? `${way}:` : "  without pages of Deno's executable",
        "MiB",
        found[name].map((memory) => memory[part]),
        found[without].map((memory) => memory[part]),
        "difference",
        ...(part === "all" && most !== undefined ? [{ atMost: most }] : []),
      )
    );
  report("uplink", [
    {
      sides: ["enrolled", "in no fleet"],
      figures: [
        ...rows("connected by ws", "ws", "none", 1.5),
        ...rows("connected by wss", "wss", "none", 4),
      ],
    },
    {
      sides: ["a bare program", "that dials nothing"],
      figures: [
        ...rows("one WebSocket by ws", "bareWs", "bareNone"),
        ...rows("one WebSocket by wss", "bareWss", "bareNone"),
      ],
    },
  ], options);
}

/** Makes the data folder of a console that a hub at `url` has approved; returns its id. */
async function enrol(url: string, hub: string, name: string, ...given: string[]): Promise<string> {
  const data = `${folder}/${name}`;
  await Deno.mkdir(data, { mode: 0o700 });
  const asAdmin = ["--url", url, "--token-file", `${folder}/hub/admin-token`];
  const code = await faderd("fleet", "code", ...asAdmin);
  await faderd("fleet", "enrol", hub, code.trim(), "--data", data, ...given);
  const { console: id } = JSON.parse(await Deno.readTextFile(`${data}/fleet.json`));
  await faderd("fleet", "approve", id, ...asAdmin);
  return id;
}

async function faderd(...args: string[]): Promise<string> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [...RUN, ...args],
    cwd: ROOT,
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`faderd ${args.slice(0, 2).join(" ")} failed`);
  return new TextDecoder().decode(stdout);
}

async function memoryOf(
  server: ServerProcess,
  settled = () => Promise.resolve(),
): Promise<Memory> {
  await sleep(SETTLE_MS);
  await settled();
  const memory = {
    all: server.residentMegabytes() * 1e6 / MIB,
    own: server.ownMegabytes() * 1e6 / MIB,
  };
  await server.stop();
  return memory;
}
