/** The outcomes of kept commands of a hub (docs/fleet.md). */
import { assertEquals } from "@std/assert";
import type { Command } from "../../../fleet/commands/command.ts";
import { keyOf } from "../../../fleet/commands/command-way.ts";
import { createKeptOutcomes } from "../../../fleet/commands/kept-outcomes.ts";
import { createKeptQueue } from "../../../fleet/commands/kept-queue.ts";
import { followKeptResults } from "../../../fleet/commands/kept-results.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { until } from "../../service.ts";
import { refusingLedger } from "../refusing-ledger.ts";

const EXPIRES = 1000;
const command: Command = {
  id: "a1",
  console: "c0",
  batch: "b1",
  kind: "kept",
  expires: EXPIRES,
  request: { method: "set", path: "/console/name", payload: "Studio 1" },
  by: { name: "anna", may: "operate" },
  from: "10.0.0.7",
};

Deno.test("an expiry that the ledger did not take is not stored over another hub's later claim", async () => {
  const ledger = await openMemoryLedger();
  let isFull = true;
  const results = await followKeptResults({
    ledger: refusingLedger(ledger, () => isFull),
    clock: { now: () => EXPIRES },
    isWaiting: () => true,
    forgetBatch: () => Promise.resolve(),
    changed() {},
  });
  const queue = createKeptQueue();
  const faults: unknown[] = [];
  const outcomes = createKeptOutcomes({
    queue,
    commands: { remove: () => Promise.resolve() },
    results,
    clock: { now: () => EXPIRES },
    tell() {},
    onFault: (fault) => void faults.push(fault),
  });
  const one = queue.add(command)!;
  outcomes.look(one);
  await until(() => !one.isStoring);

  const { id, console, batch } = command;
  const claim = { id, console, batch, outcome: "sent", time: EXPIRES - 1 };
  await ledger.put("results", keyOf(console, id), claim);
  await until(() => results.of(command)?.outcome === "sent");
  // As for a command whose user was removed meanwhile.
  outcomes.settleUnsent(one, { outcome: "refused", why: "anna is no user of the fleet any more" });
  isFull = false;
  outcomes.look(one);
  await until(() => !one.isStoring);

  assertEquals(results.of(command)?.outcome, "sent");
  assertEquals(queue.find(command), one);
  assertEquals(faults, []);
  await ledger.close();
});
