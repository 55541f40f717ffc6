/**
 * Starts a service that advertises itself, renames it, ends it, and prints the services that
 * another computer saw in the network: a line for each that came or went, and at last the addresses
 * from which they were announced. Meanwhile the computer gets another address, and a second service
 * of the same name starts, which listens on one address. It is a program of its own because it
 * needs a network of its own, which no packet leaves. Its arguments are a folder, the address of
 * the second service, and the later address and its interface.
 *
 * @module
 */
import { createSocket } from "node:dgram";
import { Bonjour, type Service } from "bonjour-service";
import { until } from "../service.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";
import { startFaderd } from "./faderd.ts";

const [folder, address, laterAddress, laterInterface] = Deno.args as [
  string,
  string,
  string,
  string,
];
const TYPES = ["faderd", "http"];
const seen: string[] = [];

const sources = new Set<string>();
const listener = createSocket({ type: "udp4", reuseAddr: true });
listener.on("message", (bytes, { address }) => {
  const isResponse = (bytes[2]! & 0x80) !== 0;
  if (isResponse) sources.add(address);
}).bind(5353, () => listener.addMembership("224.0.0.251", address));

// Without a default route it has to be told where to ask.
const browser = new Bonjour({ interface: address, bind: "0.0.0.0" } as never);
for (const type of TYPES) {
  const found = browser.find({ type });
  found.on("up", ({ name, host, txt, addresses }: Service) => {
    const { version, path } = txt as Record<string, string>;
    const where = `${host} ${addresses} ${path} ${/^\d/.test(version!)}`;
    seen.push(`up ${type} ${name} ${where}`);
  });
  found.on("down", ({ name }: Service) => seen.push(`down ${type} ${name}`));
}
const times = async (count: number) => {
  await until(() => seen.length >= count);
  for (const line of seen.splice(0).sort()) globalThis.console.log(line);
};

const config = `${folder}/console.json`;
const written = { device: { name: "studio-1" }, mixers: [{ faders: 1 }], advertise: true };
await Deno.writeTextFile(config, JSON.stringify(written));
const start = (data: string, listen: string) => {
  const options = ["--config", config, "--data", `${folder}/${data}`, "--listen", `${listen}:0`];
  return startFaderd(...options);
};
await using running = await start("data", "0.0.0.0");
await times(TYPES.length);

await new Deno.Command("ip", { args: ["addr", "add", `${laterAddress}/24`, "dev", laterInterface] })
  .output();
await times(2 * TYPES.length);

await using other = await start("other", address);
await times(TYPES.length);
other.kill("SIGTERM");
await other.ended();
await times(TYPES.length);

const { port } = new URL(running.url);
const renamed = await archiveOf({
  name: "network.json",
  content: '{"deviceName":"studio-2"}',
});
const local = { ...running, url: `http://127.0.0.1:${port}` };
const answer = await restoreTo(local, renamed, ["NETWORK"], adminOf(running));
if (answer.Error !== undefined) globalThis.console.log(answer.Error);
await times(2 * TYPES.length);

running.kill("SIGTERM");
globalThis.console.log(`code ${(await running.ended()).code}`);
await times(TYPES.length);
globalThis.console.log(`announced from ${[...sources].sort()}`);
Deno.exit(0);
