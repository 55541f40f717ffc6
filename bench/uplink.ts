/**
 * The memory of an enrolled console, connected to its hub with and without TLS, compared with a
 * console in no fleet: `deno task bench uplink` (`--rounds N`). The consoles run the bundle, like
 * installed consoles.
 *
 * @module
 */
import { bundle } from "../tools/bundle.ts";
import { startFaderd, startProcess, V8_FLAGS } from "./process.ts";
import { benchOptions, figureOf, report, sleep } from "./report.ts";

/** Time in ms after which a console is connected, and idle. */
const SETTLE_MS = 6000;

const MIB = 1024 * 1024;

const ROOT = new URL("../", import.meta.url).pathname;
const CERTIFICATES = `${ROOT}tests/program/certificates`;
const RUN = ["run", V8_FLAGS, "--frozen", "--no-check", "--allow-all", "program/main.ts"];

/** The resident memory of a console, in MiB. */
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
  // The first start of a bundle compiles it, and takes more memory.
  await memoryOf("none", () => Promise.resolve());
  const found = { none: [] as Memory[], ws: [] as Memory[], wss: [] as Memory[] };
  for (let round = 0; round < options.rounds; round++) {
    for (const name of ["none", "ws", "wss"] as const) {
      found[name].push(await memoryOf(name, () => expectLive(ids[name])));
    }
  }
  await hub.stop();
  const all = (name: keyof typeof found) => found[name].map((memory) => memory.all);
  const own = (name: keyof typeof found) => found[name].map((memory) => memory.own);
  const figures = [
    figureOf("connected by ws:", "MiB", all("ws"), all("none"), "difference", { atMost: 1.5 }),
    figureOf("  without pages of Deno's executable", "MiB", own("ws"), own("none"), "difference"),
    figureOf("connected by wss:", "MiB", all("wss"), all("none"), "difference", { atMost: 4 }),
    figureOf("  without pages of Deno's executable", "MiB", own("wss"), own("none"), "difference"),
  ];
  report("uplink", [{ sides: ["enrolled", "in no fleet"], figures }], options);
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

async function memoryOf(name: string, settled: () => Promise<void>): Promise<Memory> {
  const service = await startFaderd(`${folder}/${name}`, undefined, ["--no-view"], {
    main: `${folder}/faderd.js`,
  });
  await sleep(SETTLE_MS);
  await settled();
  const memory = {
    all: service.residentMegabytes() * 1e6 / MIB,
    own: service.ownMegabytes() * 1e6 / MIB,
  };
  await service.stop();
  return memory;
}
