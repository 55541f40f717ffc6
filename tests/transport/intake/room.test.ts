import { assertEquals } from "@std/assert";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { type BodyOutcome, readBody } from "../../../transport/intake/body.ts";
import { createRoom, type Room } from "../../../transport/intake/room.ts";
import { passingTime } from "../../timers.ts";

const chunk = (bytes: number) => new Uint8Array(bytes);

/** A body that is sent by hand to a room, and read. */
function sender(enter: Room) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const guest = enter();
  const request = new Request("http://a/", { method: "POST", body: readable });
  const ports = { timer: passingTime().timer, scheduler: withoutPauses, onSilence: () => () => {} };
  let body: BodyOutcome | undefined;
  const read = readBody(request, 100, ports, guest).then((ended) => body = ended);
  return {
    guest,
    read,
    send: (bytes: number) => writer.write(chunk(bytes)),
    end: () => writer.close(),
    get outcome() {
      return body?.outcome;
    },
  };
}

const room = () => createRoom(() => 100);

Deno.test("bodies that have room together come whole, in whatever order", async () => {
  const enter = room();
  const [one, two] = [sender(enter), sender(enter)];
  await one.send(40);
  await two.send(60);
  await Promise.all([two.end(), one.end()]);
  assertEquals(await one.read, { outcome: "read", bytes: chunk(40) });
  assertEquals(await two.read, { outcome: "read", bytes: chunk(60) });
});

Deno.test("where the room is full, the body that began first and is not whole is let go of", async () => {
  const enter = room();
  const [whole, first, second, last] = [0, 0, 0, 0].map(() => sender(enter));
  await whole!.send(10);
  await whole!.end();
  await first!.send(30);
  await second!.send(60);
  assertEquals([first, second].map((one) => one!.outcome), [undefined, undefined]);
  await last!.send(25);
  assertEquals(await first!.read, { outcome: "displaced" });
  assertEquals([whole, first, second, last].map((one) => one!.outcome), [
    "read",
    "displaced",
    undefined,
    undefined,
  ]);
  await last!.end();
  assertEquals(await last!.read, { outcome: "read", bytes: chunk(25) });
});

Deno.test("a body gives way to those that are whole, and to whom it has displaced no room goes back", async () => {
  const enter = room();
  const [whole, late] = [sender(enter), sender(enter)];
  await whole.send(90);
  await whole.end();
  await whole.read;
  await late.send(20).catch(() => {});
  assertEquals(await late.read, { outcome: "displaced" });
  late.guest.leave();
  whole.guest.leave();
  const next = sender(enter);
  await next.send(100);
  await next.end();
  assertEquals((await next.read).outcome, "read");
});

Deno.test("what comes of a body that is waited for no more takes no room", async () => {
  const enter = room();
  const left = sender(enter);
  await left.send(50);
  left.guest.leave();
  await left.send(50);
  const next = sender(enter);
  await next.send(100);
  await next.end();
  assertEquals((await next.read).outcome, "read");
});

Deno.test("one that has more than all room is too large, not one too many", async () => {
  const enter = room();
  const [other, large] = [sender(enter), sender(enter)];
  await other.send(10);
  await large.send(101);
  assertEquals(await large.read, { outcome: "tooLarge" });
  assertEquals(other.outcome, undefined);
  large.guest.leave();
  await other.end();
  assertEquals(await other.read, { outcome: "read", bytes: chunk(10) });
});
