/**
 * A console that serves Ember+ and ECP on free ports of this machine, by its configuration.
 *
 * @module
 */
import type { AuditEntry } from "../../core/audit.ts";
import { ownPartsOf, withoutOwnParts } from "../../core/backup/own-parts.ts";
import { applyBackup } from "../../core/backup/restore-backup.ts";
import type { WrittenConfiguration } from "../../core/configuration/schema.ts";
import type { Console } from "../../core/console.ts";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { isRefusal } from "../../core/errors.ts";
import type { CooperativeScheduler, Store, Timer } from "../../core/ports.ts";
import { DEVICE } from "../../core/users/user.ts";
import { createSimulatedEngine } from "../../engine/simulated/engine.ts";
import { machineScheduler, machineTimer, punctualTimer } from "../../runtimes/clock.ts";
import { listenTcp } from "../../runtimes/deno/tcp.ts";
import { createBudget } from "../../transport/budget.ts";
import { createProvider as createEcp } from "../../transport/ecp/provider.ts";
import { createProvider as createEmber } from "../../transport/ember/provider.ts";
import { forgetful, realClock, serviceOf, testConsole } from "../service.ts";

/** A console that listens. */
export interface ByteService extends AsyncDisposable {
  readonly console: Console;
  /** The port of the configured interface; with both that of Ember+. */
  readonly port: number;
  readonly audit: readonly AuditEntry[];
  /** Faults of the service itself. */
  readonly faults: readonly unknown[];
}

/** Starts a console with `ember` or `ecp` in its configuration. */
export async function startByteService(
  configuration: WrittenConfiguration,
  timer: Timer = machineTimer,
  scheduler: CooperativeScheduler = machineScheduler(),
  store: Store = forgetful,
): Promise<ByteService> {
  const audit: AuditEntry[] = [];
  const faults: unknown[] = [];
  const console = await testConsole({
    configuration,
    store,
    audit: (entry) => void audit.push(entry),
  });
  const { sessions, fadeDriver } = serviceOf(console, {
    clock: realClock,
    timer: machineTimer,
    fadeTimer: punctualTimer,
    scheduler,
    engine: (ports) => createSimulatedEngine({ ...ports, seed: 1, timer: machineTimer }),
  });
  const onFault = (fault: unknown) => void faults.push(fault);
  const budget = createBudget(() => console.state.configuration.limits.memory);
  const parts = { console, timer, scheduler, budget, sessions, onFault };
  const { ember, ecp } = console.state.configuration;
  const providers = [
    ...(ember === undefined ? [] : [createEmber({ ...parts, may: ember.may })]),
    ...(ecp === undefined ? [] : [createEcp({ ...parts, may: ecp.may })]),
  ];
  const servers = providers.map(({ open }) =>
    listenTcp({ hostname: "127.0.0.1", port: 0 }, { open, timer, onFault })
  );
  return {
    console,
    port: servers[0]!.address.port,
    audit,
    faults,
    async [Symbol.asyncDispose]() {
      for (const provider of providers) provider.close();
      for (const server of servers) await server.stop();
      await fadeDriver.stop();
    },
  };
}

/** Puts a configuration in force that differs in these parts, as a restore does. */
export async function reconfigure(
  { console }: Pick<ByteService, "console">,
  parts: Partial<WrittenConfiguration>,
): Promise<void> {
  const configuration = { ...console.state.configuration.written, ...parts };
  const contents = {
    configuration: withoutOwnParts(configuration),
    own: ownPartsOf(configuration),
    settings: {},
    snapshots: {},
  };
  const outcome = await applyBackup(console, contents, DEVICE, withoutPauses);
  if (isRefusal(outcome)) throw new Error(outcome.message);
}
