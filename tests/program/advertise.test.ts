/** What a service says of itself in the local network, by real multicast. */
import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { startFaderd, temporaryFolder } from "./faderd.ts";

const SEES = new URL("advertised.ts", import.meta.url).pathname;
const ADDRESS = "192.0.2.7";

/** A network of one computer, in which it has an address. */
const NETWORK = `ip link set lo up
ip link add v0 type veth peer name v1
ip addr add ${ADDRESS}/24 dev v0
ip link set v0 up
ip link set v1 up
ip route add default dev v0
`;

async function inNetwork(command: string): Promise<string> {
  const args = ["--net", "--map-root-user", "sh", "-e", "-c", NETWORK + command];
  const { stdout, stderr } = await new Deno.Command("unshare", { args }).output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout) + decoder.decode(stderr);
}

const hasNetworks = await inNetwork("echo there").then((said) => said === "there\n", () => false);

Deno.test({
  name: "with advertise a service says where it is, says its new name, and says goodbye",
  ignore: !hasNetworks,
  async fn() {
    await using folder = await temporaryFolder();
    const run = `exec "${Deno.execPath()}" run --no-prompt --allow-all ${SEES} ${folder.path}`;
    const where = (name: string) => `${name} ${name}.local true /api/rest true`;
    assertEquals((await inNetwork(`${run} ${ADDRESS}`)).trim().split("\n"), [
      `up faderd ${where("studio-1")}`,
      `up http ${where("studio-1")}`,
      "down faderd studio-1",
      "down http studio-1",
      `up faderd ${where("studio-2")}`,
      `up http ${where("studio-2")}`,
      "code 0",
      "down faderd studio-2",
      "down http studio-2",
    ]);
  },
});

Deno.test("with advertise a service that listens to its machine alone says so, and serves", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/console.json`;
  await Deno.writeTextFile(config, JSON.stringify({ mixers: [{ faders: 1 }], advertise: true }));
  await using running = await startFaderd("--config", config, "--data", `${folder.path}/data`);
  await until(() => running.stderr.includes("advertise"));
  assertMatch(running.stderr, /advertise: the service listens to this machine alone/);
  assertEquals((await (await fetch(`${running.url}/health`)).json()).ready, true);
});
