/**
 * A network of one computer, in which it has two addresses: nobody else is there, and nothing gets out.
 *
 * @module
 */

/** The addresses of the computer. */
export const ADDRESS = "192.0.2.7";
export const OTHER_ADDRESS = "198.51.100.7";

const NETWORK = `ip link set lo up
ip link add v0 type veth peer name v1
ip addr add ${ADDRESS}/24 dev v0
ip addr add ${OTHER_ADDRESS}/24 dev v0
ip link set v0 up
ip link set v1 up
ip route add default dev v0
`;

/** Runs a command of the shell there, and answers what it said. */
export async function inNetwork(command: string): Promise<string> {
  const args = ["--net", "--map-root-user", "sh", "-e", "-c", NETWORK + command];
  const { stdout, stderr } = await new Deno.Command("unshare", { args }).output();
  const decoder = new TextDecoder();
  return decoder.decode(stdout) + decoder.decode(stderr);
}

/** Whether this machine lets us have such a network. */
export const hasNetworks = await inNetwork("echo there").then(
  (said) => said === "there\n",
  () => false,
);
