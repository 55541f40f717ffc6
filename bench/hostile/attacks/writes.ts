/**
 * Attacks on the medium: as much as can be is written.
 *
 * @module
 */
import { largestPng } from "../../largest-png.ts";
import { flood } from "../flood.ts";
import { atOnce, sleep, type Target } from "../target.ts";
import { attackerAt, dial, headOf, statusOf, write } from "../wire.ts";

/** So many requests of one connection are on their way. */
const ON_THE_WAY = 16;

/** Sends requests as a user of group 1. */
function floodAsUser(target: Target, next: (number: number) => object): Promise<void> {
  return flood(target, { token: target.user, onTheWay: ON_THE_WAY }, next);
}

/** A user of group 1 saves snapshots of a mixer, for ever. */
export function snapshots(target: Target): Promise<void> {
  return floodAsUser(target, (number) => ({
    method: "rpc",
    payload: {
      method: "savesnapshot",
      params: { type: 2, mixer: 0, id: "", name: `Mine ${number}`, writegroups: 1 },
    },
  }));
}

/** A user of group 1 saves snapshots of a channel, for ever: small ones, and many. */
export function smallSnapshots(target: Target): Promise<void> {
  return floodAsUser(target, (number) => ({
    method: "rpc",
    payload: {
      method: "savesnapshot",
      params: { type: 1, mixer: 0, fader: 0, id: "", name: `Mine ${number}`, writegroups: 1 },
    },
  }));
}

/** The labels of all faders are set, again and again. */
export function labels(target: Target): Promise<void> {
  return floodAsUser(target, (number) => ({
    method: "set",
    path: `/audio/mixers/0/faders/${number % 128}/label`,
    payload: `${number}`.padEnd(128, "x"),
  }));
}

/** A picture of 4 MiB is replaced from 10 addresses, as often as each may. */
export async function pictures(target: Target): Promise<void> {
  const boundary = "hostile";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="ObjectID"\r\n\r\n1\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n` +
    "content-type: image/png\r\n\r\n";
  const tail = `\r\n--${boundary}--\r\n`;
  const picture = largestPng();
  await atOnce(10, async (number) => {
    while (!target.over) {
      const socket = await dial(target.port, attackerAt(number)).catch(() => undefined);
      if (socket === undefined) {
        target.tell("no connection");
        await sleep(100);
        continue;
      }
      await write(
        socket,
        `POST /action/updatepic HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\n` +
          `content-type: multipart/form-data; boundary=${boundary}\r\n` +
          `content-length: ${head.length + picture.length + tail.length}\r\n` +
          `connection: close\r\n\r\n${head}`,
      );
      write(socket, picture).then(() => write(socket, tail));
      const status = statusOf(await headOf(socket));
      target.tell(status === 0 ? "cut off" : `HTTP ${status}`);
      socket.destroy();
      if (status !== 200) await sleep(100);
    }
  });
}
