/**
 * A demo fleet: a hub, and demo consoles that are enrolled and approved, each in a process of its
 * own, started as people start it: `deno task fleet-demo (--listen HOST:PORT, --consoles N)`.
 * Everything is in a temporary folder, which is removed at the end.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { demoConfiguration } from "../core/configuration/demo.ts";
import type { FleetRpcName, FleetRpcParams, FleetRpcResult } from "../fleet/api/rpc-methods.ts";
import type { SectionName } from "../fleet/drift/sections.ts";
import manifest from "../deno.json" with { type: "json" };

/** The names and the sites of the first consoles; further ones are named by their numbers. */
const CONSOLES = [
  ["on-air-1", "Berlin"],
  ["on-air-2", "Berlin"],
  ["production", "Berlin"],
  ["news", "Hamburg"],
  ["ob-van", "Hamburg"],
] as const;

const { listen, consoles: wanted } = parseArgs(Deno.args, {
  string: ["listen", "consoles"],
  default: { listen: "127.0.0.1:8090", consoles: String(CONSOLES.length) },
});

/** The arguments of Deno that stand before the command of faderd. */
const FADERD = manifest.tasks.faderd.command.split(" ").slice(1);

/** Interval in ms of the check whether all consoles are live. */
const LOOK_MS = 100;

const root = new URL("../", import.meta.url).pathname;
const folder = await Deno.makeTempDir({ prefix: "fleet-demo-" });
const children: Deno.ChildProcess[] = [];

const ended = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, ended.resolve);
}
try {
  await run();
} catch (fault) {
  // A process that did not start has said why.
  say(`the demo has ended: ${fault instanceof Error ? fault.message : fault}`);
  Deno.exitCode = 1;
} finally {
  await end();
}

async function run(): Promise<void> {
  const data = `${folder}/hub`;
  const configuration = { organisation: "Demo Radio", backup: { folder: `${folder}/backups` } };
  await Deno.writeTextFile(`${folder}/hub.json`, JSON.stringify(configuration));
  const options = ["--config", `${folder}/hub.json`, "--data", data];
  const url = await start(/hub on (\S+)/, "hub", "--listen", listen, ...options);
  const token = (await Deno.readTextFile(`${data}/admin-token`)).trim();
  for (let number = 0; number < Number(wanted); number++) {
    const [name, site] = CONSOLES[number] ?? [`studio-${number + 1}`, "Munich"];
    await join(url, token, name, site);
  }
  while ((await ask(url, token, "fleetlist", {})).some(({ state }) => state !== "live")) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  await differ(url, token);
  say(`The fleet is at ${url}/: log in with ${token}`);
  say(`or ask it: npx --yes deno@2.9.6 task faderd fleet list --url ${url} --token ${token}`);
  await ended.promise;
}

/** Makes a template from the first console, and changes the last console so that it differs. */
async function differ(url: string, token: string): Promise<void> {
  const consoles = await ask(url, token, "fleetlist", {});
  const [first, last] = [CONSOLES[0][0], "ob-van"].map((name) =>
    consoles.find((console) => console.name === name)?.id
  );
  if (first === undefined || last === undefined) return;
  const sections: SectionName[] = ["labels", "processing", "setup"];
  await ask(url, token, "fleettemplatesave", { name: "house", console: first, sections });
  const path = "/audio/mixers/0/faders/0/label";
  const request = { method: "set" as const, path, payload: "Guest" };
  await ask(url, token, "fleetdo", { select: { ids: [last] }, request });
}

/** Enrols a console, approves it and starts it. */
async function join(url: string, token: string, name: string, site: string): Promise<void> {
  const own = `${folder}/${name}`;
  const configuration = {
    ...demoConfiguration,
    siteKey: "a fleet to look at",
    device: { ...demoConfiguration.device, name },
    fleet: { site, may: "admin" },
  };
  await Deno.mkdir(own, { mode: 0o700 });
  await Deno.writeTextFile(`${own}.json`, JSON.stringify(configuration));
  const options = ["--data", own, "--config", `${own}.json`];
  const { code } = await ask(url, token, "fleetenrolcode", {});
  await finish("fleet", "enrol", url, code, ...options);
  const enrolled = await ask(url, token, "fleetlist", {});
  const { id } = enrolled.find((console) => console.name === name)!;
  await ask(url, token, "fleetapprove", { id });
  await start(/faderd \S+ on (http:[^\s,]+)/, "serve", "--listen", "127.0.0.1:0", ...options);
  say(`${name} at ${site} is there`);
}

/** Starts a process that keeps running; resolves with the address that it prints. */
async function start(said: RegExp, ...args: string[]): Promise<string> {
  const child = command(args).spawn();
  children.push(child);
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of child.stdout.values({ preventCancel: true })) {
    text += decoder.decode(bytes, { stream: true });
    if (said.test(text)) break;
  }
  const [, address] = said.exec(text) ?? [];
  if (address === undefined) throw new Error(`faderd ${args[0]} did not start`);
  // Nobody reads the rest of the output, and a full pipe would block the process.
  void child.stdout.pipeTo(new WritableStream());
  return address;
}

async function finish(...args: string[]): Promise<void> {
  const { success, stdout } = await command(args).output();
  if (!success) throw new Error(`faderd ${args.join(" ")}:\n${new TextDecoder().decode(stdout)}`);
}

function command(args: readonly string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [...FADERD, ...args],
    cwd: root,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  });
}

/** Calls an RPC method of the hub. */
async function ask<Name extends FleetRpcName>(
  url: string,
  token: string,
  method: Name,
  params: FleetRpcParams<Name>,
): Promise<FleetRpcResult<Name>> {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  const answer = await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
  if (!answer.success) throw new Error(`${method}: ${answer.error.message}`);
  return answer.payload.result;
}

/** Ends the processes that were started, the hub last, and removes the folder. */
async function end(): Promise<void> {
  for (const child of children.toReversed()) {
    try {
      child.kill("SIGTERM");
    } catch {
      // The process has ended already.
    }
    await child.status;
  }
  await Deno.remove(folder, { recursive: true });
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
