import { assertEquals, assertMatch } from "@std/assert";
import { createWriteBudget } from "../../core/write-budget.ts";
import { isRefusal, refuse } from "../../core/errors.ts";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { pressList } from "../../core/lists/pressextlist.ts";
import { closeConnection, registerList } from "../../core/lists/registerextlist.ts";
import { setList } from "../../core/lists/setextlist.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { set } from "../../core/tree/set.ts";
import { WRITERS, WRITES } from "../../core/limits.ts";
import type { Actor } from "../../core/users/user.ts";
import { demoWith, stillClock, testConsole } from "../service.ts";
import { actor, keptText, refusal, refusalOf, restoring, resultOf } from "./actors.ts";

const fader = "/audio/mixers/0/faders/0/fader";
const panel: Actor = { address: "192.0.2.7" };

async function consoleWith(writes: object) {
  const clock = stillClock();
  const console = await testConsole({ clock, configuration: demoWith({ limits: { writes } }) });
  let level = 0;
  const write = (by: Actor) => console.dispatch(set(fader, --level), by);
  const outcomes = async (by: Actor, count: number) => {
    const codes: number[] = [];
    for (let at = 0; at < count; at++) {
      const outcome = await write(by);
      codes.push("code" in outcome ? outcome.code : 0);
    }
    return codes;
  };
  return { clock, console, outcomes };
}

Deno.test("an address may write a burst, and then at the rate at which its budget fills again", async () => {
  const { clock, outcomes } = await consoleWith({ perMinute: 60, burstMinutes: 0.05 });
  assertEquals(await outcomes(panel, 5), [0, 0, 0, 11, 11]);
  clock.tick(1000);
  assertEquals(await outcomes(panel, 2), [0, 11]);
  clock.tick(60_000);
  assertEquals(await outcomes(panel, 4), [0, 0, 0, 11]);
});

Deno.test("the refusal says how long to wait, and nothing is changed", async () => {
  const { clock, console, outcomes } = await consoleWith({ perMinute: 6, burstMinutes: 0.5 });
  await outcomes(panel, 3);
  const before = keptText(console);
  const refusal = await refusalOf(console, set(fader, -50), panel);
  const message = "192.0.2.7 has written too much (limits.writes): wait 1 s";
  assertEquals(refusal, { code: 11, message });
  assertEquals(keptText(console), before);
  clock.tick(1000);
  await outcomes(panel, 1);
  assertMatch((await refusalOf(console, set(fader, -50), panel)).message, /: wait 10 s$/);
});

Deno.test("bytes are charged, and one write may be larger than the rest of the budget", async () => {
  const { clock, console, outcomes } = await consoleWith({
    perMinute: 0,
    bytesPerMinute: 1000,
    burstMinutes: 1,
  });
  const by = { ...actor(console, "admin"), ...panel };
  await resultOf(console, saveSnapshot({ type: 2, id: "", writegroups: 1, readgroups: 0 }), by);
  assertEquals(await outcomes(panel, 1), [11]);
  clock.tick(60 * 60_000);
  const [first, ...later] = await outcomes(panel, 20);
  assertEquals([first, later.at(-1)], [0, 11]);
});

Deno.test("each address and each user has a budget of its own", async () => {
  const { console, outcomes } = await consoleWith({ perMinute: 60, burstMinutes: 0.05 });
  const other = { address: "192.0.2.8" };
  assertEquals(await outcomes(panel, 4), [0, 0, 0, 11]);
  assertEquals(await outcomes(other, 2), [0, 0]);
  const user = actor(console, "one");
  for (const at of [1, 2, 3]) await outcomes({ ...user, address: `192.0.2.10${at}` }, 1);
  assertEquals(await outcomes({ ...user, address: "192.0.2.104" }, 1), [11]);
  assertEquals(await outcomes({ address: "192.0.2.104" }, 1), [0]);
});

Deno.test("nothing is charged to the device itself, for a set to the value in force, or with a rate of 0", async () => {
  const off = await consoleWith({ perMinute: 0, bytesPerMinute: 0, burstMinutes: 0.001 });
  assertEquals(await off.outcomes(panel, 20), Array(20).fill(0));
  const { console, outcomes } = await consoleWith({ perMinute: 1, burstMinutes: 1 });
  assertEquals(await outcomes({}, 5), [0, 0, 0, 0, 0]);
  await resultOf(console, set(fader, -20), {});
  for (let again = 0; again < 3; again++) await resultOf(console, set(fader, -20), panel);
  assertEquals(await outcomes(panel, 2), [0, 11]);
});

Deno.test("by default a panel may write 200 times a second, with bursts of 500 labels", async () => {
  const { clock, outcomes } = await consoleWith({});
  for (let second = 0; second < 3; second++) {
    assertEquals(await outcomes(panel, 200), Array(200).fill(0));
    clock.tick(1000);
  }
  const labels = await testConsole();
  for (let at = 0; at < 500; at++) {
    await resultOf(labels, setChannelLabel(1, `Guest ${at}`), panel);
  }
});

Deno.test("the debt of an address is kept, whatever the number of other addresses that write", () => {
  const clock = stillClock();
  const { charge } = createWriteBudget(clock);
  const limits = { perMinute: 2, bytesPerMinute: 0, burstMinutes: 1 };
  const write = (address: string) => charge({ address }, 1, limits)?.code;
  for (const address of ["in debt", "in debt", "no more"]) write(address);
  clock.tick(30_000);
  write("in debt");
  for (let at = 2; at < WRITERS; at++) write(`address ${at}`);
  write("one more");
  assertEquals(write("in debt"), 11);
});

Deno.test("after the restore of a configuration the debt of an address is at most some seconds", () => {
  const { charge } = createWriteBudget(stillClock());
  const { perMinute, bytesPerMinute, burstMinutes } = WRITES;
  const noRateOfWrites = { perMinute: 0, bytesPerMinute: 1024 ** 3, burstMinutes };
  for (let write = 0; write < 20_000; write++) charge(panel, 100, noRateOfWrites);
  assertEquals(charge(panel, 100, WRITES), undefined);
  const noRateOfBytes = { perMinute: 1e9, bytesPerMinute: 0, burstMinutes };
  for (let write = 0; write < 1000; write++) charge(panel, bytesPerMinute, noRateOfBytes);
  assertEquals(charge(panel, 100, WRITES), undefined);
  const fast = { perMinute: perMinute * 10, bytesPerMinute: 0, burstMinutes };
  while (charge(panel, 100, fast) === undefined);
  assertMatch(charge(panel, 100, WRITES)!.message, /: wait 1 s$/);
});

Deno.test("a restore is not charged", async () => {
  const { console, outcomes } = await consoleWith({ perMinute: 1, burstMinutes: 1 });
  const contents = { settings: { TIMEZONE: { zone: "Europe/Berlin" } }, snapshots: {} };
  const by = { ...actor(console, "admin"), ...panel };
  for (const _ of "123") await resultOf(console, restoring(console.state, contents), by);
  assertEquals(await outcomes(panel, 2), [0, 11]);
});

Deno.test("a fade is charged as one change, and refused with the seconds to wait", async () => {
  const { clock, console, outcomes } = await consoleWith({ perMinute: 60, burstMinutes: 0.05 });
  const by = { ...panel, call: "fadetovalue" };
  const fade = fadeToValue({ mixer: 0, fader: 1, value: -20, seconds: 5 });
  for (let count = 0; count < 3; count++) await resultOf(console, fade, by);
  const message = "192.0.2.7 has written too much (limits.writes): wait 1 s";
  assertEquals(await refusalOf(console, fade, by), { code: 11, message });
  clock.tick(1000);
  assertEquals(await outcomes(panel, 2), [0, 11]);
});

Deno.test("the release of a button is not refused to the connection that holds it, whatever its address has written", async () => {
  const { console, outcomes } = await consoleWith({ perMinute: 6, burstMinutes: 0.5 });
  const by = { ...panel, call: "pressextlist", connection: 1 };
  const press = (on: 0 | 1) => console.dispatch(pressList({ list: 1, entry: 0, on }), by);
  await resultOf(console, registerList(1), { connection: 1 });
  await resultOf(console, setList({ list: 1, entries: [{ label: "A" }] }), { connection: 1 });
  await press(1);
  await outcomes(panel, 3);
  assertEquals(await press(0), { result: {} });
  assertEquals(refusal(await press(1)).code, 11);
});

Deno.test("64 fades and 50 sets a second are never refused beside a flood of fades, which is", async () => {
  const burstMinutes = 0.05;
  const { clock, console, outcomes } = await consoleWith({ burstMinutes });
  const fades = async (by: Actor, count: number) => {
    let refused = 0;
    for (let at = 0; at < count; at++) {
      const fade = fadeToValue({ mixer: 0, fader: at % 8, value: -at % 100, seconds: 5 });
      if (isRefusal(await console.dispatch(fade, { ...by, call: "fadetovalue" }))) refused++;
    }
    return refused;
  };
  const flood = { address: "192.0.2.66" };
  assertEquals(await fades(flood, WRITES.perMinute * burstMinutes + 100), 100);
  for (let second = 0; second < 20; second++) {
    clock.tick(1000);
    assertEquals(await fades(flood, 210), 10);
    assertEquals(await fades(panel, 64), 0);
    assertEquals(await outcomes(panel, 50), Array(50).fill(0));
  }
});

Deno.test("lines of the audit trail are charged to the caller, also those of refused commands", async () => {
  const configuration = demoWith({ limits: { writes: { perMinute: 0, bytesPerMinute: 6000 } } });
  const clock = stillClock();
  const console = await testConsole({ clock, configuration, audit: () => 10_000 });
  const by = { ...panel, call: "fadetovalue" };
  const fade = fadeToValue({ mixer: 0, fader: 1, value: -20, seconds: 5 });
  await resultOf(console, fade, by);
  console.tellRefused(by, refuse("noSuchObject", "no"));
  await resultOf(console, fade, by);
  console.tellRefused(by, refuse("noSuchObject", "no"));
  assertMatch((await refusalOf(console, fade, by)).message, /: wait 101 s$/);
  await resultOf(console, fade, { ...by, address: "192.0.2.8" });
  // A connection that closes leaves its lists, whatever the debt of its address.
  const on = { ...panel, connection: 1 };
  await resultOf(console, registerList(1), on);
  await resultOf(console, closeConnection(1), { ...panel, call: "connection closed" });
  assertEquals(console.state.lists.size, 0);
});
