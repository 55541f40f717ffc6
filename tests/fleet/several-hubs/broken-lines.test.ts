/** Sockets between hubs that a pause or a cut has broken: both ends hear of it (docs/fleet.md). */
import { assertEquals } from "@std/assert";
import type { Timer } from "../../../core/ports.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { WAITING_BYTES } from "../../../fleet/hub/hub-limits.ts";
import { BROKEN, openBusLine } from "../../../fleet/several-hubs/bus-line.ts";
import { passingTime } from "../../timers.ts";
import { memoryBus } from "../memory-bus.ts";
import { expectDone, openHub } from "../open-hub.ts";

/** A program that can stand still: its timers and messages wait until it goes on. */
function pausable({ monotonic, at }: Timer) {
  let waiting: (() => void)[] | undefined;
  const run = (work: () => void) => void (waiting === undefined ? work() : waiting.push(work));
  const timer: Timer = {
    monotonic,
    at(due, wake) {
      let isCancelled = false;
      const cancel = at(due, () => run(() => isCancelled || wake()));
      return () => {
        isCancelled = true;
        cancel();
      };
    },
  };
  return {
    run,
    timer,
    pause: () => void (waiting = []),
    goOn() {
      const late = waiting ?? [];
      waiting = undefined;
      for (const work of late) work();
    },
  };
}

/** Opens a session that a client of one hub has with a console of the other hub. */
async function openSession() {
  const { timer, pass } = passingTime();
  const clock = { now: () => 1_700_000_000_000 + timer.monotonic(), monotonic: timer.monotonic };
  const ledger = { ...await openMemoryLedger(), close: () => Promise.resolve() };
  const join = memoryBus(timer, () => 1);
  const [at, from] = [pausable(timer), pausable(timer)];
  const [holderPlace, clientPlace] = [join(at.run), join(from.run)];
  const holder = await openHub({ ledger, clock, timer: at.timer, bus: holderPlace.bus });
  const asking = await openHub({ ledger, clock, timer: from.timer, bus: clientPlace.bus });

  async function settle(ms = 5): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    pass(ms);
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }

  const console = await holder.live();
  await settle();
  const heard: unknown[] = [];
  const codes: unknown[] = [];
  const opening = asking.hub.session(console.id, asking.admin.user, "10.0.0.2", {
    receive: (data) => void heard.push(data),
    closed: (code) => void codes.push(code),
  });
  await settle();
  const there = console.takeTicket();
  for (let turn = 0; turn < 3; turn++) await settle();
  const client = expectDone(await opening);

  async function seconds(count: number): Promise<void> {
    for (let second = 0; second < count; second++) {
      console.beat();
      await settle(1000);
    }
  }

  return {
    ...{ client, there, heard, codes, settle, seconds },
    holder: at,
    asking: from,
    async cut(during: () => void) {
      clientPlace.cut(true);
      await seconds(1);
      during();
      await seconds(1);
      clientPlace.cut(false);
    },
    close: () => Promise.all([holder.hub.close(), asking.hub.close()]),
  };
}

Deno.test("a session between hubs goes on for as long as both ends live, also without a frame", async () => {
  const { client, there, heard, codes, seconds, settle, close } = await openSession();
  await seconds(60);
  client.send("question");
  await settle();
  there.listener.receive("answer");
  await settle();
  assertEquals([there.sent, heard, codes], [["question"], ["answer"], []]);
  await close();
});

Deno.test("where the hub of the client stands still for 8 s, both ends of its sessions are closed", async () => {
  const { there, codes, asking, seconds, close } = await openSession();
  asking.pause();
  await seconds(8);
  asking.goOn();
  await seconds(20);
  assertEquals([typeof there.closedWith, codes], ["number", [BROKEN]]);
  await close();
});

Deno.test("where the hub of the console stands still for 8 s, both ends of its sessions are closed", async () => {
  const { there, codes, holder, settle, seconds, close } = await openSession();
  holder.pause();
  for (let second = 0; second < 8; second++) await settle(1000);
  holder.goOn();
  await seconds(20);
  assertEquals([typeof there.closedWith, codes], ["number", [BROKEN]]);
  await close();
});

Deno.test("a close of the client that was lost on the way closes the socket of the console soon", async () => {
  const { client, there, cut, seconds, close } = await openSession();
  await cut(() => client.close(1000, ""));
  await seconds(20);
  assertEquals(typeof there.closedWith, "number");
  await close();
});

Deno.test("a close of the console that was lost on the way reaches the client soon", async () => {
  const { there, codes, cut, seconds, close } = await openSession();
  await cut(() => there.listener.closed(4012, "restart"));
  await seconds(20);
  assertEquals(codes, [BROKEN]);
  await close();
});

Deno.test("a last update that was lost on the way closes the session, so that the client reads anew", async () => {
  const { there, heard, codes, cut, seconds, close } = await openSession();
  await cut(() => there.listener.receive('{"method":"update","payload":{"label":"new"}}'));
  await seconds(20);
  assertEquals([heard, codes], [[], [BROKEN]]);
  await close();
});

Deno.test("a console that sends more than the hub of a client takes is cut off at 16 MiB", async () => {
  const { there, asking, settle, close } = await openSession();
  asking.pause();
  const part = "x".repeat(1024 * 1024);
  let parts = 0;
  while (there.closedWith === undefined && parts < 64) {
    there.listener.receive(part);
    parts++;
  }
  assertEquals([there.closedWith, parts < 20], [BROKEN, true]);
  asking.goOn();
  await settle();
  await close();
});

Deno.test("empty messages that the other hub has not taken count, and 5,000 requests at once may wait", () => {
  const unreadAfter = (count: number, text: string) => {
    const { socket } = openBusLine({
      bus: {
        publish() {},
        subscribe: () => () => {},
        ask: () => Promise.reject(new Error("nobody answers")),
        serve: () => () => {},
      },
      timer: passingTime().timer,
      ...{ out: "out", in: "in" },
      listener: { receive() {}, closed() {} },
      ended() {},
    });
    for (let sent = 0; sent < count; sent++) socket.send(text);
    return socket.bufferedAmount;
  };
  const request = JSON.stringify({ msgID: 1, method: "get", path: "/audio/mixers/0/faders/0/on" });
  assertEquals(unreadAfter(300_000, "") > 16 * 1024 * 1024, true);
  assertEquals(unreadAfter(5000, request) < WAITING_BYTES, true);
});
