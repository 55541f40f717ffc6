/**
 * Loaded before tests, this lets them reach each of their services through a hub: a console dials
 * the hub, and the requests of the test go to that console through the hub.
 *
 * @module
 */
import { createTickets } from "../../fleet/uplink/tickets.ts";
import { createHubService } from "../../fleet/hub/serve-hub.ts";
import { createDial } from "../../program/dial.ts";
import { machine, machineScheduler, machineTimer } from "../../runtimes/clock.ts";
import { listen } from "../../runtimes/deno/server.ts";
import type { Address, Server, ServerParts } from "../../transport/server.ts";
import { ample } from "../budgets.ts";
import { openHub } from "./open-hub.ts";

/** Paths that the console answers directly, because a hub does not pass them on. */
const OWN = /^\/(health|metrics)$/;

/** Serves a console through a hub. */
async function listenBehindHub(address: Address, parts: ServerParts): Promise<Server> {
  const { timer, onFault } = parts;
  const opened = await openHub({
    clock: machine.clock,
    timer: machineTimer,
    anonymous: "console",
    staleAfter: 600_000,
    wrongTokens: { count: () => 0 },
  });
  const { hub } = opened;
  const id = await opened.approved();
  const service = createHubService({
    hub,
    timer: machineTimer,
    scheduler: machineScheduler(),
    budget: ample,
    trustProxy: false,
    onFault,
  });
  const ofHub = listen({ hostname: "127.0.0.1", port: 0 }, {
    timer: machineTimer,
    service,
    onFault,
  });
  const tickets = createTickets(`ws://127.0.0.1:${ofHub.address.port}`, {
    summary: { may: "admin" },
    service: parts.service,
    timer,
    dial: createDial({ token: "", ca: undefined, timer: machineTimer, onFault }),
    onFault,
    unused: (ticket, why) => control.receive(JSON.stringify({ type: "unused", ticket, why })),
  });
  const control = hub.dialled.open(id, "127.0.0.1", {
    send(text) {
      const frame = JSON.parse(text);
      if (frame.type === "open") tickets.open(frame);
    },
    close() {},
    bufferedAmount: 0,
  });
  control.receive(JSON.stringify({
    type: "birth",
    console: id,
    boot: "boot",
    epoch: 1,
    seq: 0,
    t: 0,
    summary: { name: "", site: "", may: "admin", version: "", tree: {}, alarms: [] },
    digests: {},
  }));
  const front = listen(address, {
    ...parts,
    service(arrival) {
      const url = new URL(arrival.request.url);
      if (OWN.test(url.pathname)) return parts.service(arrival);
      const request = new Request(
        `${url.origin}/consoles/${id}${url.pathname}${url.search}`,
        arrival.request,
      );
      return service({ ...arrival, request });
    },
  });
  return {
    address: front.address,
    async stop() {
      tickets.stop();
      control.closed();
      await front.stop();
      await hub.close();
      await ofHub.stop();
    },
  };
}

Object.assign(Deno, { listenHere: listenBehindHub });
