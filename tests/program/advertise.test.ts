/** The announcement of a service in the local network, by real multicast. */
import { assertEquals, assertMatch } from "@std/assert";
import { until } from "../service.ts";
import { temporaryFolder } from "./faderd.ts";
import { sceneOf } from "./scene.ts";

/**
 * The addresses of a computer in a network of its own, which no packet leaves, and which has no
 * default route.
 */
const ADDRESS = "192.0.2.7";
const OTHER_ADDRESS = "198.51.100.7";
/** An address that it gets later, in a second network. */
const LATER_ADDRESS = "203.0.113.7";

const NETWORK = `ip link set lo up
ip link add v0 type veth peer name v1
ip link add w0 type veth peer name w1
ip addr add ${ADDRESS}/24 dev v0
ip addr add ${OTHER_ADDRESS}/24 dev v0
ip link set v0 up
ip link set v1 up
ip link set w0 up
ip link set w1 up
`;

/** Runs a shell command in that network, and returns its output. */
async function inNetwork(command: string): Promise<string> {
  const args = ["--net", "--map-root-user", "sh", "-e", "-c", NETWORK + command];
  const { stdout, stderr } = await new Deno.Command("unshare", { args }).output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout) + decoder.decode(stderr);
}

/** The shell command that runs a program of this folder. */
function runOf(name: string, ...args: readonly string[]): string {
  const program = new URL(name, import.meta.url).pathname;
  // Quiet: on a machine that has just fetched the packages, Deno says that it asks for one again.
  return `exec "${Deno.execPath()}" run --quiet --no-prompt --allow-all ${program} ${
    args.join(" ")
  }`;
}

/** Whether this machine allows such a network. */
const hasNetworks = await inNetwork("echo there").then(
  (said) => said === "there\n",
  () => false,
);

Deno.test({
  name: "with advertise a service announces its addresses and its new name, and says goodbye",
  ignore: !hasNetworks,
  async fn() {
    await using folder = await temporaryFolder();
    const said = await inNetwork(runOf("advertised.ts", folder.path, ADDRESS, LATER_ADDRESS, "w0"));
    const all = [ADDRESS, OTHER_ADDRESS, LATER_ADDRESS].join();
    const where = (name: string, host = name, addresses = all) =>
      `${name} ${host}.local ${addresses} /api/rest true`;
    const first = where("studio-1", "studio-1", `${ADDRESS},${OTHER_ADDRESS}`);
    const second = where("studio-1 (2)", "studio-1-2", ADDRESS);
    assertEquals(said.trim().split("\n"), [
      `up faderd ${first}`,
      `up http ${first}`,
      "down faderd studio-1",
      "down http studio-1",
      `up faderd ${where("studio-1")}`,
      `up http ${where("studio-1")}`,
      `up faderd ${second}`,
      `up http ${second}`,
      "down faderd studio-1 (2)",
      "down http studio-1 (2)",
      "down faderd studio-1",
      "down http studio-1",
      `up faderd ${where("studio-2")}`,
      `up http ${where("studio-2")}`,
      "code 0",
      "down faderd studio-2",
      "down http studio-2",
      `announced from ${all}`,
    ]);
  },
});

Deno.test({
  name: "a name that is claimed anew is not taken by its own announcement",
  ignore: !hasNetworks,
  async fn() {
    assertEquals(await inNetwork(runOf("claimed-anew.ts", ADDRESS)), "announced\n");
  },
});

Deno.test("with advertise a service on loopback says that it is not announced, and serves", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 1 }], advertise: true });
  await using running = await scene.start();
  await until(() => running.stderr.includes("advertise"));
  assertMatch(running.stderr, /advertise: the service listens to this machine alone/);
  assertEquals((await (await fetch(`${running.url}/health`)).json()).ready, true);
});
