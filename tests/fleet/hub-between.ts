/**
 * A server whose service is behind a hub: what a client asks for goes to the hub on this machine, and
 * from there by an uplink to the service.
 *
 * @module
 */
import { createHub } from "../../fleet/hub.ts";
import { openMemoryLedger } from "../../fleet/memory.ts";
import { createHubService } from "../../fleet/serve-hub.ts";
import { startUplink } from "../../fleet/uplink.ts";
import { createDial } from "../../program/dial.ts";
import { machine, machineScheduler, machineTimer } from "../../runtimes/clock.ts";
import { listen as listenInDeno } from "../../runtimes/deno/server.ts";
import type { Service } from "../../transport/arrival.ts";
import type { Address, Server, ServerParts } from "../../transport/server.ts";
import { createWrongTokens } from "../../transport/wrong-tokens.ts";
import { ample } from "../budgets.ts";
import { testConsole } from "../service.ts";
import { expectDone } from "./open-hub.ts";

const ID = "0123456789abcdef0123456789abcdef";

/** What a hub serves itself; everything else is the console's. */
const OF_THE_HUB = /^\/uplink\//;

function onFault(fault: unknown): void {
  throw fault;
}

/** Listens with a hub, which hands all on to the service. */
export async function listenThroughHub(address: Address, parts: ServerParts): Promise<Server> {
  const { clock, random } = machine;
  const hub = await createHub({
    ledger: await openMemoryLedger(),
    clock,
    random,
    timer: machineTimer,
    wrongTokens: createWrongTokens(() => {}),
    organisation: "Radio",
    name: "hub",
    anonymous: "console",
    staleAfter: 60_000,
    onFault,
  });
  const ofHub = createHubService({
    hub,
    timer: machineTimer,
    scheduler: machineScheduler(),
    budget: ample,
    trustProxy: false,
    onFault,
  });
  const service: Service = (arrival) => {
    const { request } = arrival;
    const url = new URL(request.url);
    if (OF_THE_HUB.test(url.pathname)) return ofHub(arrival);
    const path = request.url.slice(url.origin.length);
    return ofHub({
      ...arrival,
      request: new Request(`${url.origin}/consoles/${ID}${path}`, request),
    });
  };
  const server = await listenInDeno(address, { ...parts, service });
  const { code } = expectDone(
    await hub.makeCode({ user: await adminOf(hub), from: "test" }),
  );
  const enrolment = { code, console: ID, name: "demo", site: "" };
  const { token } = expectDone(await hub.enrolments.enrol(enrolment));
  await hub.enrolments.approve(ID);
  // Its summary is shown to nobody.
  const uplink = startUplink(await testConsole(), {
    id: ID,
    boot: "boot",
    hubs: [`ws://${server.address.hostname}:${server.address.port}`],
    summary: { site: "", may: "admin", version: "1" },
    service: parts.service,
    clock,
    timer: machineTimer,
    random: Math.random,
    dial: createDial({ token, ca: undefined, timer: machineTimer, onFault }),
    onFault,
    tell() {},
  });
  await new Promise<void>((resolve) => {
    const stop = hub.watch((_id, entry) => {
      if (entry?.state !== "live") return;
      stop();
      resolve();
    });
  });
  return {
    address: server.address,
    async stop() {
      uplink.stop();
      const stopping = server.stop();
      await hub.close();
      await stopping;
    },
  };
}

async function adminOf(hub: Awaited<ReturnType<typeof createHub>>) {
  await hub.people.add({ name: "anna", may: "admin" });
  return { name: "anna", may: "admin" } as const;
}
