import { assertEquals } from "@std/assert";
import { type Body, readBody } from "../../../transport/intake/body.ts";
import { createBodyRoom } from "../../../transport/intake/room.ts";

const chunk = (bytes: number) => new Uint8Array(bytes);

/** A body that is sent by hand to a room, and read. */
function sender(enter: ReturnType<typeof createBodyRoom>) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>();
  const writer = writable.getWriter();
  const guest = enter(new Request("http://a/", { method: "POST", body: readable }));
  let body: Body | undefined;
  const read = readBody(guest.request, 100, () => () => {}).then((ended) => body = ended);
  return {
    guest,
    read,
    send: (bytes: number) => writer.write(chunk(bytes)),
    end: () => writer.close(),
    get body() {
      return body;
    },
  };
}

/** A room for 100 bytes; whoever is displaced is let go of at once. */
const room = () =>
  createBodyRoom(100, (_, wake) => {
    wake();
    return () => {};
  });

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
  assertEquals([first, second].map((one) => one!.guest.displaced), [false, false]);
  await last!.send(25);
  assertEquals(await first!.read, { outcome: "broken" });
  assertEquals([whole, first, second, last].map((one) => one!.guest.displaced), [
    false,
    true,
    false,
    false,
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
  assertEquals(await late.read, { outcome: "broken" });
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

Deno.test("a request without a body takes no room", () => {
  const request = new Request("http://a/", { method: "POST" });
  assertEquals(room()(request).request, request);
});

Deno.test("one that has more than all room is too large, not one too many", async () => {
  const enter = room();
  const [other, large] = [sender(enter), sender(enter)];
  await other.send(10);
  await large.send(101);
  assertEquals(await large.read, { outcome: "tooLarge" });
  assertEquals([large, other].map(({ guest }) => guest.displaced), [false, false]);
  large.guest.leave();
  await other.end();
  assertEquals(await other.read, { outcome: "read", bytes: chunk(10) });
});
