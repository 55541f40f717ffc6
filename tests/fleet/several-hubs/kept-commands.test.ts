/**
 * Kept commands of two hubs, of which one hears late what the other has stored, or cannot store
 * what it knows (docs/fleet.md, "Commands").
 */
import { assertEquals } from "@std/assert";
import type { CommandOutcome, CommandResult } from "../../../fleet/commands/command.ts";
import { type Ledger, LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { passingTime } from "../../timers.ts";
import { lateLedger } from "../late-ledger.ts";
import { entriesOf } from "../ledger-entries.ts";
import { memoryBus } from "../memory-bus.ts";
import { openHub } from "../open-hub.ts";

const ID = "c".repeat(32);

/** The way of the first hub to the ledger that it shares with the second. */
interface Way {
  /** The commands, the outcomes, and the removals of commands, of which the hub hears only later. */
  readonly late: Set<CommandOutcome | "removed">;
  /** The outcomes that the ledger does not take of the hub, and those that it takes later. */
  readonly refused: Set<CommandOutcome>;
  readonly slow: Set<CommandOutcome>;
  /** Takes everything from now on, and what waits. */
  mend(): void;
  /** Has the hub hear of what waits. */
  hear(): void;
}

function wayTo(ledger: Ledger): Way & { readonly ledger: Ledger } {
  const late: Way["late"] = new Set();
  const refused: Way["refused"] = new Set();
  const slow: Way["slow"] = new Set();
  const mended = Promise.withResolvers<void>();
  const way = lateLedger(ledger, (bucket, { value }) => {
    if (bucket !== "results" && bucket !== "commands") return false;
    if (value === undefined) return late.has("removed");
    return late.has(bucket === "commands" ? "queued" : (value as unknown as CommandResult).outcome);
  });
  return {
    ...{ late, refused, slow },
    hear() {
      late.clear();
      way.hear();
    },
    mend() {
      refused.clear();
      mended.resolve();
    },
    ledger: {
      ...way.late,
      async put(bucket, key, value, expect) {
        const { outcome } = value as unknown as CommandResult;
        if (bucket === "results" && refused.has(outcome)) {
          throw new LedgerError("unavailable", "no server is connected");
        }
        if (bucket === "results" && slow.has(outcome)) await mended.promise;
        return await ledger.put(bucket, key, value, expect);
      },
    },
  };
}

/** Opens two hubs, and a console that is connected to the second hub. */
async function openTwo() {
  const { timer, pass } = passingTime();
  const clock = { now: () => 1_700_000_000_000 + timer.monotonic(), monotonic: timer.monotonic };
  const ledger = { ...await openMemoryLedger(), close: () => Promise.resolve() };
  const way = wayTo(ledger);
  const join = memoryBus(timer, () => 1);
  const one = await openHub({ clock, timer, ledger: way.ledger, bus: join().bus });
  const two = await openHub({ clock, timer, ledger, bus: join().bus });
  const told: [CommandOutcome[], CommandOutcome[]] = [[], []];
  for (const [at, { hub }] of [one, two].entries()) {
    hub.commands.watch(({ outcome }) => void told[at]!.push(outcome));
  }

  /** Lets a time in ms pass, and all messages arrive. */
  async function settle(ms = 20): Promise<void> {
    for (let passed = 0; passed < ms; passed += 20) {
      pass(20);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function stored(): Promise<CommandOutcome | undefined> {
    const [entry] = await entriesOf(ledger, "results");
    return (entry?.value as unknown as CommandResult | undefined)?.outcome;
  }

  const console = await two.live();
  await settle();
  const submit = (ms = 60_000, id = ID, { hub } = two) =>
    hub.commands.submit([{
      id,
      console: console.id,
      batch: id,
      kind: "kept",
      expires: clock.now() + ms,
      request: { method: "rpc", payload: { method: "setchannellabel" } },
      by: { name: "anna", may: "admin" },
      from: "10.0.0.1",
    }]);
  /** Connects the console to a hub anew. */
  async function move(hub: typeof one, epoch: number) {
    const again = hub.dial(console.id);
    again.birth({ epoch });
    await settle(40);
    return again;
  }
  const close = () => Promise.all([one.hub.close(), two.hub.close()]);
  return { one, two, way, told, console, submit, move, settle, stored, close };
}

Deno.test("a kept command that a console has refused by way of one hub is not sent again by the other, which hears of it late", async () => {
  const { one, way, told, console, submit, move, settle, close } = await openTwo();
  way.late.add("refused").add("removed");
  await submit();
  await settle(40);
  console.say({ type: "did", id: ID, outcome: "refused", why: "no", code: 12 });
  await settle(40);
  assertEquals(told, [["queued", "sent"], ["queued", "sent", "refused"]]);
  console.end();
  const again = await move(one, 9);
  assertEquals(again.frames("do"), []);
  way.hear();
  await settle();
  assertEquals(told[0], ["queued", "sent", "refused"]);
  await close();
});

Deno.test("a console's refusal that a hub could not store does not count once the other hub has sent the command again", async () => {
  const { one, two, way, told, console, submit, move, settle, stored, close } = await openTwo();
  console.end();
  await submit();
  const refusing = await move(one, 8);
  assertEquals(refusing.frames("do").length, 1);
  way.refused.add("refused");
  refusing.say({ type: "did", id: ID, outcome: "refused", why: "no", code: 12 });
  refusing.end();
  const again = await move(two, 9);
  assertEquals(again.frames("do").length, 1);
  way.mend();
  await settle(2000);
  assertEquals(told[0], ["queued", "sent"]);
  again.say({ type: "did", id: ID, outcome: "done" });
  await settle(2000);
  assertEquals([await stored(), told], ["done", [
    ["queued", "sent", "done"],
    ["queued", "sent", "done"],
  ]]);
  await close();
});

Deno.test("a hub that could not store a refusal tells the outcome that the other hub has stored", async () => {
  const { one, two, way, told, console, submit, move, settle, stored, close } = await openTwo();
  console.end();
  await submit();
  const refusing = await move(one, 8);
  way.refused.add("refused");
  refusing.say({ type: "did", id: ID, outcome: "refused", why: "no", code: 12 });
  refusing.end();
  const again = await move(two, 9);
  again.say({ type: "did", id: ID, outcome: "done" });
  await settle(2000);
  way.mend();
  await settle(2000);
  assertEquals([await stored(), told[0]], ["done", ["queued", "sent", "done"]]);
  await close();
});

Deno.test("an expiry that a hub could not store does not count once the hub hears that the other has sent the command", async () => {
  const { two, way, told, console, submit, move, settle, stored, close } = await openTwo();
  console.end();
  way.late.add("sent");
  way.refused.add("expired");
  await submit(1000);
  await settle(900);
  const again = await move(two, 9);
  assertEquals(again.frames("do").length, 1);
  await settle(2000);
  assertEquals(told[0], ["queued"]);
  way.hear();
  await settle();
  way.mend();
  await settle(2000);
  assertEquals([await stored(), told[0]], ["sent", ["queued"]]);
  again.say({ type: "did", id: ID, outcome: "done" });
  await settle(2000);
  assertEquals([await stored(), told[0]], ["done", ["queued", "done"]]);
  await close();
});

Deno.test("a command that two hubs conclude to have expired at the same time stays expired", async () => {
  const { one, way, told, console, submit, move, settle, stored, close } = await openTwo();
  console.end();
  way.slow.add("expired");
  way.late.add("removed");
  await submit(1000);
  await settle(2500);
  assertEquals(told, [["queued", "expired"], ["queued", "expired"]]);
  way.mend();
  await settle();
  const again = await move(one, 9);
  assertEquals(again.frames("do"), []);
  way.hear();
  await settle(1100);
  assertEquals([await stored(), told[0]], ["expired", ["queued", "expired"]]);
  await close();
});

Deno.test("the expiry that a console tells is told once the ledger has it: until then another hub may send the command", async () => {
  const { one, way, told, console, submit, move, settle, stored, close } = await openTwo();
  console.end();
  await submit();
  const late = await move(one, 8);
  way.refused.add("expired");
  late.say({ type: "did", id: ID, outcome: "expired", why: "the console got it too late" });
  await settle();
  assertEquals(told[0], ["queued", "sent"]);
  way.mend();
  await settle(1100);
  assertEquals([await stored(), told[0]], ["expired", ["queued", "sent", "expired"]]);
  await close();
});

Deno.test("kept commands that two hubs have taken are sent in the order of the ledger, though the hub that sends them hears late of the other's", async () => {
  const { one, way, submit, move, settle, close } = await openTwo();
  const here = await move(one, 9);
  way.late.add("queued");
  await submit();
  const second = "d".repeat(32);
  await submit(60_000, second, one);
  await settle(40);
  assertEquals(here.frames("do"), []);
  way.hear();
  await settle(40);
  assertEquals(here.frames("do").map(({ id }) => id), [ID, second]);
  await close();
});
