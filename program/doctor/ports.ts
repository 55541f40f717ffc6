import { reasonOf } from "../../core/errors.ts";
import { readListenAddress } from "../../core/configuration/listen-address.ts";
import type { Address } from "../../transport/server.ts";
import { type Check, type Finding, well, wrong } from "./check.ts";
import { reachable } from "./reachable.ts";

/** Checks whether each address can be listened on, or the service does so already. */
export const ports: Check = async (
  { listen, listenTls, configuration: { ember, ecp }, health, isInUse },
): Promise<Finding> => {
  const wanted = [
    ["--listen", listen],
    ["--listen-tls", listenTls],
    ["ember.listen", ember && readListenAddress(ember.listen)],
    ["ecp.listen", ecp && readListenAddress(ecp.listen)],
  ] as const;
  const known = wanted.flatMap(([what, address]) =>
    address === undefined || address.port === 0 ? [] : [{ what, address }]
  );
  const names = known.map(({ address }) => nameOf(address)).join(", ") || "any port";
  const isServed = health !== undefined;
  if (isServed && isInUse) {
    for (const { address } of known) {
      if (await isListening(address)) continue;
      return wrong(
        `the service does not listen on ${nameOf(address)}`,
        "name its own address with --listen and --listen-tls; else restart it with these options",
      );
    }
    return well(`the service listens on ${names}`);
  }
  const [taken] = known.map((one) => ({ ...one, fault: bindFault(one.address) }))
    .filter(({ fault }) => fault !== undefined);
  if (taken === undefined) return well(`${names} can be listened on`);
  const { what, address, fault } = taken;
  const says = `${what} ${nameOf(address)} cannot be listened on: ` +
    (isServed ? "another faderd answers there" : reasonOf(fault));
  return fault instanceof Deno.errors.PermissionDenied
    ? wrong(says, "name a port of 1024 or more, or see docs/operating.md, Under systemd")
    : wrong(says, "find what listens there with ss -ltnp, and stop it; or name another address");
};

async function isListening(address: Address): Promise<boolean> {
  try {
    (await Deno.connect(reachable(address))).close();
    return true;
  } catch {
    return false;
  }
}

/** Returns the reason for which an address cannot be listened on. */
function bindFault({ hostname, port }: Address): unknown {
  try {
    Deno.listen({ hostname, port }).close();
    return undefined;
  } catch (fault) {
    return fault;
  }
}

function nameOf({ hostname, port }: Address): string {
  return `${hostname} port ${port}`;
}
