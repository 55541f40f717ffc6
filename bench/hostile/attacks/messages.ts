/**
 * Attacks by what is sent over WebSockets.
 *
 * @module
 */
import { atOnce, noted, noteEnd, sleep, type Target } from "../target.ts";
import { CONTINUATION, openWire, TEXT } from "../wire.ts";

const MiB = 1024 * 1024;

/** 8 connections over TLS send 50 fragments of 1 MiB each, of messages that never end. */
export async function fragments(target: Target): Promise<void> {
  const piece = new Uint8Array(MiB).fill(0x20);
  await atOnce(8, async () => {
    const wire = await noted(target, { isTls: true });
    if (wire === undefined) return;
    await wire.send(piece, TEXT);
    for (let sent = 1; sent < 50 && !wire.socket.destroyed; sent++) {
      await wire.send(piece, CONTINUATION);
    }
    if (!wire.socket.destroyed) target.tell("all sent");
  });
}

/** A message of so many bytes that is mostly one part, again and again. */
function filled(start: string, part: string, end: string, bytes: number): string {
  return start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;
}

/** 20 connections send 4 messages of 900 KB each at once, of 300,000 objects. */
export async function parsing(target: Target): Promise<void> {
  const message = filled('{"method":"get","path":"/general","p":[', "{},", "{}]}", 900_000);
  await atOnce(20, async () => {
    const wire = await noted(target);
    if (wire !== undefined) await atOnce(4, () => wire.send(message));
  });
}

/** So many members of an object, by names that no console has. */
function members(count: number): string {
  return Array.from({ length: count }, (_, number) => `"unknown${number}":1`).join();
}

/** One connection sends the four costliest messages of 1 MiB, one after the other, in turns. */
export async function costly(target: Target): Promise<void> {
  const messages = [
    filled('{"method":"get","path":"/general","p":[', "{},", "{}]}", MiB),
    `{"method":"set","path":"/audio/mixers/0","payload":{${members(55_000)}}}`,
    filled('{"method":"get","path":"/general","p":', "[", "", MiB / 2) +
    filled("", "]", "}", MiB / 2),
    filled('{"method":"get","path":"', "/", '"}', 500_000),
  ];
  for (let turn = 0; !target.over; turn++) {
    let answer = Promise.withResolvers<void>();
    const wire = await noted(target, { answered: () => answer.resolve() });
    if (wire === undefined) {
      await sleep(100);
      continue;
    }
    while (!target.over && !wire.socket.destroyed) {
      answer = Promise.withResolvers();
      await wire.send(messages[turn++ % messages.length]!);
      await Promise.race([answer.promise, new Promise((end) => wire.socket.once("close", end))]);
    }
  }
}

/** 150 connections ask for the whole tree 20 times each, and read nothing. */
export async function unread(target: Target): Promise<void> {
  await atOnce(150, async () => {
    const wire = await openWire(target.port).catch(() => undefined);
    if (wire?.status !== 101) return target.tell(`HTTP ${wire?.status ?? "none"}`);
    noteEnd(target, wire.socket);
    for (let asked = 0; asked < 20; asked++) await wire.send('{"method":"get","path":"/"}');
    target.tell("asked");
  });
}
