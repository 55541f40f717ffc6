/**
 * A hub in memory with real consoles: its requests go to their services without a network.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { createConsoleLinks } from "../../fleet/api/console-links.ts";
import { followDigests } from "../../fleet/uplink/digests.ts";
import { createDrift } from "../../fleet/drift/comparison.ts";
import type { ConsoleEntry, FleetActor, HeldConsole } from "../../fleet/hub/hub-core.ts";
import { summaryOf } from "../../fleet/uplink/summary.ts";
import { vouchedOf } from "../../fleet/vouched-user.ts";
import type { FleetMay, FleetUser } from "../../fleet/wire.ts";
import { machineScheduler, machineTimer } from "../../runtimes/clock.ts";
import type { Listener } from "../../transport/arrival.ts";
import type { Socket } from "../../transport/websocket/send-buffer.ts";
import { demoWith, realClock, serviceOf, testConsole, until } from "../service.ts";
import { openHub } from "./open-hub.ts";

const scheduler = machineScheduler();
const HANDSHAKE = { connection: "upgrade", upgrade: "websocket" };

/** The options of a console of the hub. */
export interface RealConsole {
  /** The right of its fleet, by default admin; a test may change it. */
  may?: FleetMay;
  readonly configuration?: Parameters<typeof demoWith>[0];
}

/** Makes a console that a hub can hold, with its digests; `asked` counts the requests to it. */
export async function realConsole(id: string, given: RealConsole) {
  const { configuration = {} } = given;
  const most = () => given.may ?? "admin";
  const limits = { rest: { burst: 0 } };
  const console: Console = await testConsole({
    configuration: demoWith({ device: { name: `Studio-${Number(id)}` }, limits, ...configuration }),
  });
  const parts = { clock: realClock, timer: machineTimer, fadeTimer: machineTimer, scheduler };
  const { service } = serviceOf(console, parts);
  const count = { asked: 0 };
  const digests = followDigests(console, {
    // Each change is told at once.
    timer: { monotonic: () => Infinity, at: (_due, wake) => machineTimer.at(0, wake) },
    scheduler,
    onFault(fault) {
      throw fault;
    },
  });

  function entry(): ConsoleEntry {
    const summary = summaryOf(
      console.state,
      { site: "berlin", may: most(), version: "1" },
      "whole",
    );
    return { id, state: "live", since: 0, summary, digests: digests.current };
  }

  async function session(
    _id: string,
    as: FleetUser | undefined,
    from: string,
    listener: Listener,
  ): Promise<Socket> {
    count.asked++;
    const opened = Promise.withResolvers<Socket>();
    const request = new Request("http://localhost/api/ws", { headers: HANDSHAKE });
    await service({
      request,
      client: from,
      vouched: vouchedOf(as, most()),
      upgrade(open) {
        const end = open({
          send: (text) => listener.receive(text),
          close: () => listener.closed(),
          bufferedAmount: 0,
        });
        opened.resolve({
          send: (text) => end.receive(text),
          close: () => end.closed(),
          bufferedAmount: 0,
        });
        return new Response(null);
      },
    });
    return await opened.promise;
  }

  const held: HeldConsole = {
    entry,
    watch: (listener) => digests.watch(() => listener(entry())),
    session,
    async fetch(_id, as, from, request) {
      count.asked++;
      const { pathname, search } = new URL(request.url);
      return await service({
        request: new Request(`http://localhost${pathname}${search}`, request),
        client: from,
        vouched: vouchedOf(as, most()),
        upgrade: () => new Response(null, { status: 400 }),
      });
    },
    close: () => digests.stop(),
  };
  await until(() => Object.keys(digests.current).length > 0);
  return { id, console, held, digests, count };
}

/** Opens a hub that holds real consoles, numbered from 1. */
export async function hubWithConsoles(...given: readonly RealConsole[]) {
  const opened = await openHub();
  const { hub } = opened;
  const consoles = await Promise.all(
    given.map((one, at) => realConsole((at + 1).toString().padStart(32, "0"), one)),
  );
  for (const { held } of consoles) hub.hold(held);
  const links = createConsoleLinks(hub, machineTimer);
  const drift = createDrift({ ...opened, core: hub, links, scheduler });
  const by: FleetActor = { user: { name: "anna", may: "admin" }, from: "10.0.0.1" };
  return {
    ...opened,
    consoles,
    links,
    drift,
    by,
    scheduler,
    async [Symbol.asyncDispose]() {
      links.close();
      await hub.close();
    },
  };
}
