/**
 * A client of the control API, that of the package dhd-control-api: reads every path that the
 * package knows by HTTP, whose answers it checks by schemas of its own, and sets some by WebSocket.
 * Arguments: the host and the token. Prints the outcome as JSON.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The packages come from the working folder, where the test has installed them.
globalThis.WebSocket ??= createRequire(`${process.cwd()}/package.json`)("ws");
const program = `${process.cwd()}/node_modules/dhd-control-api/dist/index.js`;
const { DHD } = await import(pathToFileURL(program));
const [host, token] = process.argv.slice(2);

/** The demo console has these numbers; all others are 1. */
const NUMBERS = { mixerID: 0, faderID: 0 };
const source = readFileSync(program, "utf8");
const paths = new Set([...source.matchAll(/\["(\/[^"]+)"\]: \{/g)].map(([, path]) => path));

const rest = new DHD({ host, token, connectionType: "rest" });
const refused = {};
for (const path of paths) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const params = Object.fromEntries(names.map((name) => [name, NUMBERS[name] ?? 1]));
  try {
    await rest.get(path, names.length === 0 ? undefined : { params });
  } catch (fault) {
    refused[path] = fault.issues?.map(({ path, message }) => `${path.join("/")}: ${message}`) ??
      fault.message;
  }
}

const socket = new DHD({ host, token, connectionType: "websocket" });
await new Promise((resolve) => socket.on("ready", resolve));
const fader = "/audio/mixers/{mixerID}/faders/{faderID}";
const route = "/audio/routing/routes/{routeID}";
const set = [
  await socket.set(fader, {
    params: { mixerID: 0, faderID: 1 },
    payload: { on: true, fader: -12.5 },
  }),
  await socket.set(route, { params: { routeID: 1 }, payload: "2" }),
];
process.stdout.write(JSON.stringify({ paths: paths.size, refused, set }), () => process.exit());
