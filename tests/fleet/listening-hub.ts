/**
 * A hub in memory that listens on a free port of this machine, for tests.
 *
 * @module
 */
import { createHubService, type HubServiceParts } from "../../fleet/hub/serve-hub.ts";
import type { HubParts } from "../../fleet/hub/hub.ts";
import { machine, machineScheduler, machineTimer } from "../../runtimes/clock.ts";
import { listen } from "../../runtimes/deno/server.ts";
import { ample } from "../budgets.ts";
import { openHub } from "./open-hub.ts";

/** Starts a hub; `await using hub = await listeningHub()` stops it. */
export async function listeningHub(
  parts: Partial<HubParts> = {},
  served: Partial<HubServiceParts> = {},
) {
  const opened = await openHub({ clock: machine.clock, timer: machineTimer, ...parts });
  const { hub } = opened;
  const onFault = (fault: unknown) => {
    throw fault;
  };
  const service = createHubService({
    hub,
    timer: machineTimer,
    scheduler: machineScheduler(),
    budget: ample,
    trustProxy: false,
    onFault,
    ...served,
  });
  const address = { hostname: "127.0.0.1", port: 0 };
  const server = listen(address, { timer: machineTimer, service, onFault });
  const { port } = server.address;
  return {
    ...opened,
    port,
    url: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      await hub.close();
      await server.stop();
    },
  };
}
