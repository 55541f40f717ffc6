/** The backups of a fleet (docs/fleet.md): real consoles, a simulated clock, a folder in memory. */
import { assertEquals, assertMatch } from "@std/assert";
import { isRefusal, type Refusal } from "../../../core/errors.ts";
import { setViewDocument } from "../../../core/view-documents/setviewdocument.ts";
import {
  backupAlarm,
  type BackupList,
  isDue,
  lastTurn,
  OLD_MS,
  readList,
  WINDOW_MS,
  withBackup,
} from "../../../fleet/backups/backup-list.ts";
import { AGAIN_MS, createBackupTurns } from "../../../fleet/backups/backup-turns.ts";
import { openBackups } from "../../../fleet/backups/backups.ts";
import { BACKUP_MS } from "../../../fleet/backups/make-backup.ts";
import { LOOK_MS } from "../../../fleet/backups/nightly-hub.ts";
import { refusalIn } from "../../../fleet/drift/read-section.ts";
import { after, type Timer } from "../../../core/ports.ts";
import type { HeldConsole } from "../../../fleet/hub/hub-core.ts";
import { result, until } from "../../service.ts";
import { memoryFiles } from "../backup-files.ts";
import { summaryOf } from "../open-hub.ts";
import { hubWithConsoles, type RealConsole } from "../real-consoles.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const BACKUP_LIST = "../../../fleet/backups/backup-list.ts";

/** The local time twelve hours after an instant. */
function noon(now: number): string {
  return new Date(now + DAY / 2).toTimeString().slice(0, 5);
}

/**
 * Opens the backups of a hub with real consoles: they begin twelve hours later, and those of 3 days
 * are kept.
 */
async function backedUp(...consoles: readonly RealConsole[]) {
  const opened = await hubWithConsoles(...consoles);
  const folder = memoryFiles();
  const faults: unknown[] = [];
  const open = () =>
    openBackups(opened.hub, {
      files: folder.files,
      clock: opened.clock,
      timer: opened.timer,
      scheduler: opened.scheduler,
      at: noon(opened.clock.now()),
      keep: 3,
      onFault: (fault) => void faults.push(fault),
    });
  const backups = await open();
  const listed = () => {
    const list = backups.list(opened.by);
    if (isRefusal(list)) throw new Error(list.message);
    return list;
  };
  const count = (at: number) => listed()[at]!.backups.length;
  const alarms = (at: number) =>
    opened.hub.consoles().get(opened.consoles[at]!.id)!.summary.alarms.filter((alarm) =>
      /backup/.test(alarm)
    );
  return { ...opened, ...folder, faults, open, backups, listed, count, alarms };
}

Deno.test("each night each console is backed up once, and the same content is stored once", async () => {
  const { consoles: [one], pass, archives, count, listed, hub, unfinished } = await backedUp({}, {
    may: "admin",
  });
  const nights = async (expected: number) => {
    const newest = (at: number) => listed()[at]!.backups.at(-1)?.time;
    const before = [newest(0), newest(1)];
    const isMade = (at: number) => newest(at) !== before[at] && count(at) === expected;
    pass(DAY / 2 + LOOK_MS);
    await until(() => isMade(0) && isMade(1));
    pass(DAY / 2 - LOOK_MS);
  };
  await nights(1);
  assertEquals(archives.size, 2);
  await nights(2);
  assertEquals(archives.size, 2);
  await result(one!.console, setViewDocument({ name: "pages", document: { a: 1 } }));
  await nights(3);
  assertEquals(archives.size, 3);
  // By then, the backup of the first night is older than three nights.
  await nights(3);
  await nights(3);
  assertEquals([...new Set(listed()[0]!.backups.map(({ content }) => content))].length, 1);
  assertEquals([archives.size, unfinished.size], [2, 0]);
  await hub.close();
});

Deno.test("a backup that breaks off, is incomplete or cannot be written is in no list, and the reason is shown", async () => {
  const { consoles: [one], backups, by, archives, unfinished, lists, state, listed, hub } =
    await backedUp({});
  for (
    const [breaks, expected] of [
      ["console", /could not be stored: the connection to the console ended/],
      ["disk", /could not be stored: no space left/],
      ["torn", /whole gzip-compressed tar/],
      ["list", /no space left/],
    ] as const
  ) {
    state.breaks = breaks;
    const refused = await backups.now(one!.id, by) as Refusal;
    assertMatch(refused.message, expected);
    assertEquals([lists.size, unfinished.size, listed()[0]!.backups], [0, 0, []]);
    assertMatch(listed()[0]!.failed!, expected);
  }
  state.breaks = undefined;
  const made = await backups.now(one!.id, by);
  if (isRefusal(made)) throw new Error(made.message);
  assertEquals([listed()[0]!.backups, listed()[0]!.failed, archives.size], [[made], undefined, 1]);
  const opened = await backups.open(one!.id, made.content, by);
  if (isRefusal(opened)) throw new Error(opened.message);
  assertEquals((await new Response(opened.body as BodyInit).bytes()).length, made.bytes);
  await hub.close();
});

/**
 * A console that sends a byte of its backup a minute; `state` says whether the backup is being
 * read, and whether it was cancelled.
 */
function drippingConsole(id: string, timer: Timer, type = "application/octet-stream") {
  const state = { isRead: false, ended: false };
  const body = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        const drip = () => {
          if (state.ended) return;
          controller.enqueue(new Uint8Array(1));
          after(timer, 60_000, drip);
        };
        drip();
      },
      pull: () => void (state.isRead = true),
      cancel: () => void (state.ended = true),
    }, { highWaterMark: 0 });
  const headers = { "content-type": type };
  const held = answering(id, () => new Response(body(), { headers }));
  return { id, held, state };
}

/** A console that answers a request for its backup. */
function answering(id: string, answer: () => Response): HeldConsole {
  const summary = summaryOf({ name: "Drip", may: "admin" });
  return {
    entry: () => ({ id, state: "live", since: 0, summary }),
    watch: () => () => {},
    session: () => Promise.reject(new Error("not asked for")),
    fetch: () => Promise.resolve(answer()),
    close() {},
  };
}

Deno.test("a console that sends its backup too slowly loses its place after ten minutes, and the next console takes it at once", async () => {
  const { timer, pass, hub, backups, by, count } = await backedUp({});
  const dripping = ["e", "f"].map((end) => drippingConsole(`${"0".repeat(31)}${end}`, timer));
  for (const { held } of dripping) hub.hold(held);
  pass(DAY / 2 - LOOK_MS);
  const made = dripping.map(({ id }) => backups.now(id, by));
  await until(() => dripping.every(({ state }) => state.isRead));
  for (let minute = 1; minute < BACKUP_MS / 60_000; minute++) pass(60_000);
  assertEquals([count(0), dripping.map(({ state }) => state.ended)], [0, [false, false]]);
  pass(60_000);
  for (const outcome of await Promise.all(made)) {
    assertMatch((outcome as Refusal).message, /"Drip" could not be stored: it did not come within/);
  }
  assertEquals(dripping.map(({ state }) => state.ended), [true, true]);
  await until(() => count(0) === 1);
  await hub.close();
});

Deno.test("a console that refuses its backup slowly, or without end, does not hold the place of another", async () => {
  const { timer, pass, hub, backups, by } = await backedUp();
  const { id, held, state } = drippingConsole("f".repeat(32), timer, "application/json");
  hub.hold(held);
  const made = backups.now(id, by) as Promise<Refusal>;
  await until(() => state.isRead);
  pass(BACKUP_MS);
  await until(() => state.ended);
  assertMatch((await made).message, /did not answer as a console does/);
  let read = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (++read > 100) controller.error(new Error("read without end"));
      controller.enqueue(new Uint8Array(16 * 1024).fill(32));
    },
  }, { highWaterMark: 0 });
  await refusalIn({ status: 403, body: endless });
  assertEquals(read, 5);
  await hub.close();
});

Deno.test("a backup is listed and told as made where an old archive cannot be removed", async () => {
  const { consoles: [one], pass, backups, by, files, archives, faults, hub, listed } =
    await backedUp({});
  const remove = files.remove;
  files.remove = (kind, name) =>
    kind === "archive" ? Promise.reject(new Error("permission denied")) : remove(kind, name);
  const made: unknown[] = [];
  for (let day = 0; day < 4; day++) {
    made.push(await backups.now(one!.id, by));
    await result(one!.console, setViewDocument({ name: "pages", document: { day } }));
    pass(DAY);
  }
  assertEquals([listed()[0]!.backups, listed()[0]!.failed], [made.slice(1), undefined]);
  assertEquals([archives.size, faults.map(String)], [4, ["Error: permission denied"]]);
  await hub.close();
});

Deno.test("a console without any backup has an alarm more than 26 h after the hub began to make backups", () => {
  const began = Date.UTC(2026, 0, 1);
  assertEquals(backupAlarm(undefined, undefined, began + 26 * HOUR, began), undefined);
  assertEquals(
    backupAlarm(undefined, undefined, began + 26 * HOUR + 1, began),
    "There is no backup",
  );
});

Deno.test("a console whose newest backup is older than 26 h has an alarm, which says why", async () => {
  const limited: RealConsole = { may: "operate" };
  const { consoles: [one, two], pass, backups, by, alarms, hub, state, listed } = await backedUp(
    {},
    limited,
  );
  pass(DAY / 2 + LOOK_MS);
  await until(() => alarms(1).length === 1);
  assertEquals(alarms(1), [
    'There is no backup: the fleet may only operate on "Studio-2" (its fleet.may), and a backup needs admin',
  ]);
  await until(() => listed()[0]!.backups.length === 1);
  const { time } = listed()[0]!.backups[0]!;
  state.breaks = "disk";
  pass(DAY);
  await until(() => listed()[0]!.failed !== undefined);
  assertEquals(alarms(0), []);
  pass(2 * HOUR + LOOK_MS);
  assertEquals(
    alarms(0).map((alarm) => alarm.slice(0, 60)),
    [
      `The newest backup is of ${time}: the backup `,
    ].map((alarm) => alarm.slice(0, 60)),
  );
  assertEquals(listed().map(({ alarm }) => alarm), [alarms(0)[0], alarms(1)[0]]);
  state.breaks = undefined;
  await backups.now(one!.id, by);
  assertEquals(alarms(0), []);
  assertEquals(listed()[0]!.backups.length, 2);
  const [newest, none] = backups.list(by, { newest: true }) as ReturnType<typeof listed>;
  assertEquals([newest!.backups, none!.backups], [listed()[0]!.backups.slice(1), []]);
  assertEquals(backups.list(by, { console: one!.id }), listed().slice(0, 1));
  assertEquals((backups.list(by, { console: "f".repeat(32) }) as Refusal).code, 6);
  const asked = new Request("http://hub/action/backup?Tags=ALL");
  assertMatch(
    await (await hub.fetch(two!.id, by.user, by.from, asked)).text(),
    /only an admin may do this, which user fleet:anna is not here: .* fleet\.may/,
  );
  limited.may = "admin";
  await result(two!.console, setViewDocument({ name: "pages", document: { a: 1 } }));
  await until(() => listed()[1]!.failed === undefined);
  await hub.close();
});

Deno.test("a restarted hub goes on with the folder; while it cannot read a list, it neither replaces the list nor removes an archive", async () => {
  const { consoles: [one], backups, by, open, lists, archives, faults, hub, listed, state } =
    await backedUp({});
  await backups.now(one!.id, by);
  await backups.close();
  archives.set("f".repeat(64), new Uint8Array());
  const again = await open();
  assertEquals(
    (again.list(by) as ReturnType<typeof listed>)[0]!.backups.length,
    1,
  );
  assertEquals(archives.size, 1);
  await again.close();
  const whole = lists.get(one!.id)!;
  const damaged = whole.slice(0, 40);
  lists.set(one!.id, damaged);
  const last = await open();
  assertMatch(String(faults[0]), /cannot be read; no archive is removed/);
  await result(one!.console, setViewDocument({ name: "pages", document: { a: 1 } }));
  // A fetched archive would break off with another refusal, so this shows that none is fetched.
  state.breaks = "console";
  const refused = await last.now(one!.id, by) as Refusal;
  state.breaks = undefined;
  assertMatch(
    refused.message,
    new RegExp(`consoles/${one!.id}.json .* repair it, or move it away`),
  );
  assertEquals([archives.size, lists.get(one!.id), faults.length], [1, damaged, 1]);
  lists.set(one!.id, whole);
  await last.now(one!.id, by);
  assertEquals([archives.size, readList(lists.get(one!.id)!)!.backups.length], [2, 2]);
  await last.close();
  await hub.close();
});

Deno.test("a backup whose archive another hub has removed since is refused, also in the audit trail", async () => {
  const { consoles: [one], backups, by, files, hub } = await backedUp({});
  const made = await backups.now(one!.id, by);
  if (isRefusal(made)) throw new Error(made.message);
  files.open = () => Promise.reject(new Error("No such file or directory"));
  const refused = await backups.open(one!.id, made.content, by) as Refusal;
  assertEquals(refused.code, 6);
  assertMatch(refused.message, /cannot be read: No such file/);
  const [line] = await hub.audit(1, by) as readonly { readonly refused?: string }[];
  assertEquals(line!.refused, refused.message);
  await hub.close();
});

Deno.test("only admins of the fleet make, list and fetch backups", async () => {
  const { consoles: [one], backups, by, hub } = await backedUp({});
  await hub.addUser({ name: "ben", may: "configure" }, by);
  const ben = { user: { name: "ben", may: "configure" }, from: "10.0.0.2" } as const;
  assertEquals((backups.list(ben) as Refusal).code, 5);
  assertEquals((await backups.now(one!.id, ben) as Refusal).code, 5);
  assertEquals((await backups.open(one!.id, "0".repeat(64), ben) as Refusal).code, 5);
  assertEquals((await backups.now(one!.id, { user: undefined, from: "" }) as Refusal).code, 4);
  const refused = (await hub.audit(9, by) as readonly { readonly refused?: string }[])
    .filter((line) => line.refused !== undefined);
  assertEquals(refused.length, 3);
  await hub.close();
});

Deno.test("a console is due each night at its own time within two hours, until it has a backup or six hours have passed", () => {
  const now = new Date(2026, 5, 10, 12).getTime();
  const begin = new Date(2026, 5, 10, 2, 30).getTime();
  const turns = Array.from({ length: 16 }, (_, at) => {
    const id = (at * 16).toString(16).padStart(2, "0").padEnd(32, "0");
    const turn = lastTurn(id, "02:30", now);
    assertEquals(lastTurn(id, "02:30", turn), turn);
    assertEquals(lastTurn(id, "02:30", turn - 1), turn - DAY);
    return turn - begin;
  });
  assertEquals(turns, Array.from({ length: 16 }, (_, at) => at * WINDOW_MS / 16));
  const list = { console: "0".repeat(32), name: "", site: "", backups: [] };
  const made = (time: number) => ({
    time: new Date(time).toISOString(),
    content: "0".repeat(64),
    bytes: 1,
  });
  const due = (known: Parameters<typeof isDue>[1], at: number) =>
    isDue(list.console, known, "02:30", at);
  assertEquals([due(list, begin), due(list, begin + 7 * HOUR)], [true, false]);
  const after = withBackup(list, made(begin), 1);
  assertEquals([due(after, begin + HOUR), due(after, begin + DAY)], [false, true]);
  assertEquals(withBackup(after, made(begin + DAY), 1).backups.length, 1);
  assertEquals(readList(JSON.stringify(after)), after);
  assertEquals([AGAIN_MS < HOUR, OLD_MS > DAY], [true, true]);
});

Deno.test("a turn that the clock skips in spring, up to midnight, is not in the future", async () => {
  // On 28 March 2026 the clocks in Nuuk went from 23:00 to midnight.
  const code = `
    import { lastTurn } from ${JSON.stringify(import.meta.resolve(BACKUP_LIST))};
    const begin = new Date(2026, 2, 28, 12).getTime();
    const turns = new Set();
    for (let now = begin; now < begin + 24 * 3_600_000; now += 60_000) {
      const turn = lastTurn("0".repeat(32), "23:30", now);
      turns.add(new Date(turn).toString().slice(0, 21) + (turn > now ? " in the future" : ""));
    }
    console.log([...turns].join("\\n"));`;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", "--ext=ts", code],
    env: { TZ: "America/Nuuk" },
  }).output();
  const turns = new TextDecoder().decode(stdout).trim().split("\n");
  assertEquals(turns, ["Fri Mar 27 2026 23:30", "Sun Mar 29 2026 00:30"]);
});

Deno.test("a console keeps the backups of the newest days with one, whatever the clock of the hub was", () => {
  const made = (time: string) => ({ time, content: "0".repeat(64), bytes: 1 });
  const days = (list: BackupList) => list.backups.map(({ time }) => time.slice(5, 13));
  const times = ["06-10T02:30", "06-10T09:00", "06-11T02:30", "06-12T02:30"]
    .map((time) => `2026-${time}:00Z`);
  const none = { console: "0".repeat(32), name: "", site: "", backups: [] };
  const list = times.map(made).reduce((list: BackupList, one) => withBackup(list, one, 3), none);
  assertEquals(days(list), ["06-10T02", "06-10T09", "06-11T02", "06-12T02"]);
  const ahead = withBackup(list, made("2026-08-01T00:00:00Z"), 3);
  assertEquals(days(ahead), ["06-11T02", "06-12T02", "08-01T00"]);
  const turn = lastTurn(none.console, "02:30", new Date(2026, 5, 13, 12).getTime());
  assertEquals(isDue(none.console, ahead, "02:30", turn + HOUR), true);
  const healed = withBackup(ahead, made(new Date(turn + HOUR).toISOString()), 3);
  assertEquals(isDue(none.console, healed, "02:30", turn + 2 * HOUR), false);
  assertEquals(
    backupAlarm(ahead, "it is away", turn + HOUR, 0),
    "The newest backup is of 2026-08-01T00:00:00Z: it is away",
  );
  assertEquals(backupAlarm(healed, undefined, turn + HOUR - 1000, 0), undefined);
});

Deno.test("of one day a console keeps the first backup and the newest ones, 24 in all", () => {
  const made = (day: number, at: number) => ({
    time: new Date(Date.UTC(2026, 0, day) + at * 60_000).toISOString(),
    content: "a".repeat(64),
    bytes: 1,
  });
  let list: BackupList = { console: "0".repeat(32), name: "", site: "", backups: [made(1, 0)] };
  for (let at = 0; at < 100; at++) list = withBackup(list, made(2, at), 3);
  list = withBackup(list, made(3, 0), 3);
  const ofDay = [0, ...Array.from({ length: 23 }, (_, at) => 77 + at)].map((at) => made(2, at));
  assertEquals(list.backups, [made(1, 0), ...ofDay, made(3, 0)]);
});

Deno.test("a backup that failed while the clock of the hub was ahead is tried again at the next turn", async () => {
  const id = "0".repeat(32);
  const turn = lastTurn(id, "02:30", new Date(2026, 5, 13, 12).getTime());
  let now = turn + 365 * 24 * HOUR;
  let tries = 0;
  const summary = summaryOf({ may: "view" });
  const turns = createBackupTurns({
    hub: {
      consoles: () => new Map([[id, { id, state: "live", since: 0, summary }]]),
      watch: () => () => {},
    },
    kept: { lists: new Map() },
    clock: { now: () => now },
    at: "02:30",
    isOurs: () => true,
    ended: () => tries++,
    onFault() {},
  } as never);
  assertEquals(isRefusal(await turns.make(id)), true);
  now = turn + HOUR;
  turns.begin();
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(tries, 2);
  turns.close();
});
