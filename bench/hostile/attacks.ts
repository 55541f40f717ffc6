/**
 * The attacks of `hostile.ts`. Each goes on until its process ends.
 *
 * @module
 */
import { CLOSE, TEXT } from "../frames.ts";
import { largestPng } from "../largest-png.ts";
import { sleep } from "../report.ts";
import { dial, gone, openWire, statusFrom, write } from "./wire.ts";

/** The target of an attack. */
export interface Target {
  readonly port: number;
  /** The token of a user of group 1. */
  readonly user: string;
  /** Notes an answer to the attacker. */
  tell(what: string): void;
}

/** An attack. */
export interface Attack {
  readonly what: string;
  /** Its duration in s. */
  readonly seconds: number;
  /** Whether it keeps the service busy; then another client's read may take longer. */
  readonly works?: true;
  run(target: Target): Promise<unknown>;
}

const MiB = 1024 * 1024;
const ADDRESS = "127.0.0.66";

const atOnce = (count: number, act: (number: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, number) => act(number)));

/** Opens a WebSocket that notes all answers; undefined if it is refused. */
async function open({ port, tell }: Target, token?: string, answered = () => {}) {
  try {
    const wire = await openWire(port, ADDRESS, (opcode, payload) => {
      if (opcode === CLOSE) tell(`close ${payload[0]! << 8 | payload[1]!}`);
      if (opcode !== TEXT) return;
      const end = new TextDecoder().decode(payload.subarray(-2000));
      const code = /"error":\{"code":(\d+)/.exec(end)?.[1];
      if (code === undefined && !end.endsWith('"success":true}')) return;
      tell(code === undefined ? "answered" : `error ${code}`);
      answered();
    }, token);
    gone(wire.socket).then(() => tell("cut off"));
    return wire;
  } catch (error) {
    tell((error as Error).message);
  }
}

/** Sends the messages that `next` makes, `underWay` at a time, as fast as they are answered. */
async function flood(
  target: Target,
  token: string | undefined,
  underWay: number,
  next: (number: number) => string,
): Promise<void> {
  for (let number = 0;;) {
    let waiting = 0;
    const wire = await open(target, token, () => waiting--);
    while (wire !== undefined && !wire.socket.destroyed) {
      for (; waiting < underWay; waiting++) wire.send(next(number++));
      await sleep(1);
    }
    await sleep(100);
  }
}

/** Returns a message of a number of bytes that mostly repeats one part. */
function filled(start: string, part: string, end: string, bytes: number): string {
  return start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;
}

const objects = filled('{"method":"get","path":"/general","p":[', "{},", "{}]}", MiB);
const members = Array.from({ length: 55_000 }, (_, number) => `"unknown${number}":1`).join();
const costly = [
  objects,
  `{"method":"set","path":"/audio/mixers/0","payload":{${members}}}`,
  filled('{"method":"get","path":"/general","p":', "[", "", MiB / 2) +
  filled("", "]", "}", MiB / 2),
  filled('{"method":"get","path":"', "/", '"}', 500_000),
];

/** All attacks, by name. */
export const attacks: Readonly<Record<string, Attack>> = {
  parsing: {
    what: "20 WebSockets send 4 messages of 1 MiB each that are costly to parse",
    seconds: 10,
    works: true,
    run: (target) =>
      atOnce(20, async () => {
        const wire = await open(target);
        await atOnce(4, async () => await wire?.send(objects));
      }),
  },
  costly: {
    what: "one WebSocket sends objects, unknown members, brackets and slashes, 1 MiB each",
    seconds: 10,
    works: true,
    run: (target) => flood(target, undefined, 1, (number) => costly[number % costly.length]!),
  },
  "stopped-bodies": {
    what: "200 POST bodies of 1 MiB stop before their end",
    seconds: 15,
    run: ({ port, tell }) =>
      atOnce(200, async () => {
        const socket = await dial(port, ADDRESS);
        statusFrom(socket).then((status) => tell(status === 0 ? "cut off" : `HTTP ${status}`));
        const head = `host: 127.0.0.1:${port}\r\ncontent-length: ${MiB}\r\n\r\n`;
        await write(socket, `POST /api/rest HTTP/1.1\r\n${head}`);
        await write(socket, new Uint8Array(MiB - 1).fill(0x20));
      }),
  },
  unread: {
    what: "150 WebSockets ask for the whole tree 20 times each, and do not read",
    seconds: 15,
    run: ({ port, tell }) =>
      atOnce(150, async () => {
        const wire = await openWire(port, ADDRESS).catch(({ message }) => tell(message));
        if (!wire) return;
        gone(wire.socket).then(() => tell("cut off"));
        for (let asked = 0; asked < 20; asked++) await wire.send('{"method":"get","path":"/"}');
      }),
  },
  idle: {
    what: "1,000 WebSockets, and 300 connections with half a header, of one address",
    seconds: 60,
    async run(target) {
      for (let opened = 0; opened < 1000; opened += 50) await atOnce(50, () => open(target));
      await atOnce(300, async () => {
        const socket = await dial(target.port, ADDRESS).catch(() => target.tell("no connection"));
        if (socket) await write(socket, "GET /api/rest/general HTTP/1.1\r\nhost: 127");
      });
    },
  },
  snapshots: {
    what: "a user of group 1 saves snapshots of the mixer, for ever",
    seconds: 10,
    works: true,
    run: (target) =>
      flood(target, target.user, 16, (number) => {
        const params = { type: 2, mixer: 0, id: "", name: `Mine ${number}`, writegroups: 1 };
        return JSON.stringify({ method: "rpc", payload: { method: "savesnapshot", params } });
      }),
  },
  pictures: {
    what: "10 clients replace a picture of 4 MiB, for ever",
    seconds: 10,
    async run({ port, tell }) {
      const file = new Blob([largestPng()]);
      await atOnce(10, async () => {
        for (;;) {
          const body = new FormData();
          body.append("ObjectID", "1");
          body.append("file", file);
          const answer = await fetch(`http://127.0.0.1:${port}/action/updatepic`, {
            method: "POST",
            body,
          });
          tell(`HTTP ${answer.status}`);
          await answer.body?.cancel();
          if (answer.status !== 200) await sleep(100);
        }
      });
    },
  },
  normal: {
    what: "no attack: a Stream Deck with 200 subscriptions sets 20 values a second",
    seconds: 15,
    async run(target) {
      const deck = await open(target, target.user);
      for (let number = 0; number < 200; number++) {
        const path = `/audio/mixers/0/faders/${number % 128}/${number < 128 ? "on" : "label"}`;
        deck?.send(JSON.stringify({ method: "subscribe", path }));
      }
      for (let number = 0;; number++) {
        const path = `/audio/mixers/0/faders/${64 + number % 64}/on`;
        deck?.send(JSON.stringify({ method: "set", path, payload: number % 128 < 64 }));
        await sleep(50);
      }
    },
  },
};
