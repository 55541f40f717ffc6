/** Backups where several hubs are to make them (docs/fleet.md): one folder, one lease. */
import { assertEquals } from "@std/assert";
import { isRefusal } from "../../../core/errors.ts";
import { openBackups } from "../../../fleet/backups/backups.ts";
import { BACKUP_MS } from "../../../fleet/backups/make-backup.ts";
import { LEASE_MS } from "../../../fleet/backups/kept-backups.ts";
import { LOOK_MS } from "../../../fleet/backups/nightly-hub.ts";
import type { Ledger } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { HUB_LOST_MS } from "../../../fleet/several-hubs/peers.ts";
import { BEAT_MS } from "../../../fleet/wire.ts";
import { machineScheduler } from "../../../runtimes/clock.ts";
import { until } from "../../service.ts";
import { passingTime } from "../../timers.ts";
import { memoryFiles } from "../backup-files.ts";
import { entriesOf } from "../ledger-entries.ts";
import { memoryBus } from "../memory-bus.ts";
import { openHub } from "../open-hub.ts";
import { realConsole } from "../real-consoles.ts";

/** The time in ms until the nightly backups begin. */
const EVENING_MS = 10 * LOOK_MS;

/** Opens two hubs with a console, whose backups begin in ten minutes. */
async function openTwo() {
  const { timer, pass } = passingTime();
  const START = Date.UTC(2026, 0, 1);
  const clock = { now: () => START + timer.monotonic(), monotonic: timer.monotonic };
  const ledger = { ...await openMemoryLedger(), close: () => Promise.resolve() };
  const join = memoryBus(timer, () => 1);
  const console = await realConsole("1".padStart(32, "0"), {});
  const folder = memoryFiles();
  const at = new Date(START + EVENING_MS).toTimeString().slice(0, 5);

  async function open() {
    const place = join();
    const goesOn = Promise.withResolvers<void>();
    let isStill = false;
    let isUnmounted = false;
    const delays: Partial<Record<"lists" | "keep" | "archives", Promise<void>>> = {};
    const counts = { clears: 0, delayed: 0 };
    async function delayed(call: keyof typeof delays): Promise<void> {
      if (delays[call] === undefined) return;
      counts.delayed++;
      await delays[call];
    }
    const faults: unknown[] = [];
    const put: Ledger["put"] = async (...given) => {
      if (isStill) await goesOn.promise;
      return await ledger.put(...given);
    };
    const { hub } = await openHub({ ledger: { ...ledger, put }, clock, timer, bus: place.bus });
    hub.hold(console.held);
    const files = {
      ...folder.files,
      async lists() {
        await delayed("lists");
        if (isUnmounted) throw new Error("no such folder");
        return await folder.files.lists();
      },
      async keep(...given: Parameters<typeof folder.files.keep>) {
        await folder.files.keep(...given);
        await delayed("keep");
      },
      async archives() {
        await delayed("archives");
        return await folder.files.archives();
      },
      clear() {
        counts.clears++;
        return folder.files.clear();
      },
    };
    const onFault = (fault: unknown) => {
      if (!isUnmounted) throw fault;
      faults.push(fault);
    };
    const scheduler = machineScheduler();
    const backups = await openBackups(hub, {
      files,
      clock,
      timer,
      scheduler,
      at,
      keep: 3,
      onFault,
    });
    const by = { user: { name: "anna", may: "admin" }, from: "10.0.0.1" } as const;
    return {
      hub,
      now: () => backups.now(console.id, by),
      listed() {
        const list = backups.list(by);
        if (isRefusal(list)) throw new Error(list.message);
        return list[0]!;
      },
      close: () => backups.close(),
      faults,
      counts,
      /** Delays each further call to its folder of a kind until a promise is resolved. */
      delay: (call: keyof typeof delays, until: Promise<void>) => void (delays[call] = until),
      /** Makes each further read of its folder fail. */
      unmount: () => void (isUnmounted = true),
      /** Cuts this hub off from the other one, and delays its writes to the ledger. */
      stop() {
        isStill = true;
        place.cut(true);
      },
      goOn() {
        place.cut(false);
        goesOn.resolve();
      },
    };
  }

  /** Has a time in ms pass by minutes, and waits for the work of each minute. */
  async function passMinutes(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += LOOK_MS) {
      pass(LOOK_MS);
      await new Promise((resolve) => setTimeout(resolve));
    }
  }

  const hubs = [await open(), await open()] as const;
  pass(0);
  await passMinutes(LOOK_MS);
  /** Returns the jobs whose leases the ledger has. */
  const jobs = async () => (await entriesOf(ledger, "jobs")).map(({ key }) => key);
  return { hubs, console, folder, pass, passMinutes, jobs };
}

Deno.test("one of two hubs makes all backups, also those that a user requests at the other hub; once it stops, the other hub makes them", async () => {
  const { hubs: [one, two], console, pass, passMinutes } = await openTwo();
  await passMinutes(EVENING_MS);
  await until(() => one.listed().backups.length === 1);
  assertEquals(console.count.asked, 1);
  await passMinutes(LOOK_MS);
  assertEquals(two.listed().backups, one.listed().backups);
  let made: unknown;
  void two.now().then((outcome) => made = outcome);
  await until(() => {
    pass(1);
    return made !== undefined;
  });
  assertEquals([one.listed().backups.at(-1), two.listed().backups.at(-1)], [made, made]);
  assertEquals(console.count.asked, 2);
  await one.close();
  await passMinutes(LOOK_MS);
  void two.now().then((outcome) => made = outcome);
  await until(() => two.listed().backups.length === 3);
  await one.hub.close();
  await two.hub.close();
});

Deno.test("if a hub stalls during a backup, the other hub makes the backup, and the stalled hub adds none to the list when it goes on", async () => {
  const { hubs: [one, two], console, folder, passMinutes } = await openTwo();
  const held = Promise.withResolvers<void>();
  folder.state.waits = held.promise;
  await passMinutes(EVENING_MS);
  await until(() => folder.state.delayed === 1);
  one.stop();
  folder.state.waits = undefined;
  folder.unfinished.set("left", new Uint8Array());
  await passMinutes(LEASE_MS - LOOK_MS);
  assertEquals([console.count.asked, folder.unfinished.size], [1, 1]);
  await passMinutes(3 * LOOK_MS);
  await until(() => two.listed().backups.length === 1 && folder.unfinished.size === 0);
  assertEquals(console.count.asked, 2);
  one.goOn();
  held.resolve();
  await until(() => one.listed().failed !== undefined);
  assertEquals(one.listed().failed, "another hub has taken over the backups since this one began");
  await passMinutes(BACKUP_MS);
  assertEquals(one.listed().backups, two.listed().backups);
  assertEquals([folder.lists.size, folder.archives.size, two.listed().backups.length], [1, 1, 1]);
  void two.now();
  await until(() => two.listed().backups.length === 2);
  await passMinutes(LOOK_MS);
  assertEquals(one.listed(), two.listed(), "its failure is older than the newest backup");
  await one.hub.close();
  await two.hub.close();
});

Deno.test("a backup that a user requests at another hub is refused once the hub that makes it is lost, and at once after that", async () => {
  const { hubs: [one, two], folder, pass } = await openTwo();
  const held = Promise.withResolvers<void>();
  folder.state.waits = held.promise;
  const outcomes: unknown[] = [];
  void two.now().then((outcome) => outcomes.push(outcome));
  await until(() => {
    pass(1);
    return folder.state.delayed === 1;
  });
  one.stop();
  for (let ms = 0; ms <= HUB_LOST_MS; ms += BEAT_MS) pass(BEAT_MS);
  await until(() => outcomes.length === 1);
  void two.now().then((outcome) => outcomes.push(outcome));
  await until(() => outcomes.length === 2);
  const message = "the hub that makes the backups does not answer; another one takes over within " +
    "four minutes";
  assertEquals(outcomes, Array(2).fill({ code: 12, message }));
  one.goOn();
  held.resolve();
  await one.hub.close();
  await two.hub.close();
});

Deno.test("a hub that closes while it takes the lease releases it", async () => {
  const { hubs: [one, two], passMinutes, jobs } = await openTwo();
  two.stop();
  await one.close();
  await passMinutes(LOOK_MS);
  const closed = two.close();
  two.goOn();
  await closed;
  await passMinutes(LOOK_MS);
  assertEquals(await jobs(), []);
  await one.hub.close();
  await two.hub.close();
});

Deno.test("a hub whose folder is slow takes over the backups once, however long a read of it takes", async () => {
  const { hubs: [one, two], console, passMinutes } = await openTwo();
  const isRead = Promise.withResolvers<void>();
  two.delay("lists", isRead.promise);
  await one.close();
  await passMinutes(4 * LOOK_MS);
  isRead.resolve();
  await until(() => two.counts.clears > 0);
  await passMinutes(EVENING_MS);
  await until(() => two.listed().backups.length === 1);
  assertEquals([two.counts.clears, console.count.asked], [1, 1]);
  await two.close();
  await one.hub.close();
  await two.hub.close();
});

Deno.test("a hub that cannot read its folder leaves the backups to the other hub", async () => {
  const { hubs: [one, two], console, passMinutes } = await openTwo();
  one.unmount();
  await passMinutes(EVENING_MS);
  await until(() => two.listed().backups.length === 1);
  assertEquals([console.count.asked, one.faults.length > 0], [1, true]);
  await one.hub.close();
  await two.hub.close();
});

Deno.test("a hub whose folder hangs while it removes archives removes none that another hub has listed since", async () => {
  const { hubs: [one, two], folder, passMinutes } = await openTwo();
  const held = Promise.withResolvers<void>();
  two.delay("archives", held.promise);
  one.stop();
  await passMinutes(LEASE_MS + LOOK_MS);
  await until(() => two.counts.delayed === 1);
  one.goOn();
  await passMinutes(LEASE_MS + EVENING_MS);
  await until(() => one.listed().backups.length === 1);
  held.resolve();
  await until(async () => {
    await passMinutes(LOOK_MS);
    return two.listed().backups.length === 1;
  });
  const contents = one.listed().backups.map(({ content }) => content);
  assertEquals([...folder.archives.keys()], contents);
  await one.hub.close();
  await two.hub.close();
});

Deno.test("a hub whose folder hangs while it stores an archive keeps the backup that another hub has listed since", async () => {
  const { hubs: [one, two], passMinutes } = await openTwo();
  const held = Promise.withResolvers<void>();
  one.delay("keep", held.promise);
  await passMinutes(EVENING_MS);
  await until(() => one.counts.delayed === 1);
  await passMinutes(LEASE_MS + LOOK_MS);
  await until(() => two.listed().backups.length === 1);
  const { backups } = two.listed();
  held.resolve();
  await until(() => one.listed().failed !== undefined);
  assertEquals(one.listed().failed, "another hub has taken over the backups since this one began");
  await passMinutes(LOOK_MS);
  assertEquals([one.listed().backups, two.listed().backups], [backups, backups]);
  await one.hub.close();
  await two.hub.close();
});
