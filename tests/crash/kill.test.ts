/**
 * `kill -9` at any moment: after a restart every acknowledged change is there, and none in part.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openSocket, until } from "../service.ts";
import { chanceOf, seedOfRun } from "../storage/random.ts";
import { type Running, temporaryFolder } from "../program/faderd.ts";
import { services } from "./services.ts";

const ROUNDS = 4;
const IN_FLIGHT = 8;
/** Maximum number of changes of each writer that are acknowledged in a round before the kill. */
const LONGEST_ROUND = 200;

/** The last number that a writer has sent, and the last acknowledged, over all rounds, from 0. */
interface Writer {
  readonly mixer: number;
  sent: number;
  acknowledged: number;
}

/** Labels two faders of the writer's mixer at once with a counter, some always in flight. */
async function write(running: Running, writer: Writer): Promise<void> {
  const socket = await openSocket(`${running.url.replace("http", "ws")}/api/ws`);
  const send = () => {
    const label = `${writer.mixer}:${++writer.sent}`;
    const payload = { faders: { 0: { label }, 7: { label } } };
    socket.send({
      msgID: writer.sent,
      method: "set",
      path: `/audio/mixers/${writer.mixer}`,
      payload,
    });
  };
  for (let at = 0; at < IN_FLIGHT; at++) send();
  let open = true;
  const closed = socket.closed.then(() => open = false);
  while (open) {
    const answer = await Promise.race([socket.next(), closed]);
    if (answer === false) break;
    assertEquals(answer.success, true);
    writer.acknowledged = answer.msgID;
    if (socket.socket.readyState === WebSocket.OPEN) send();
  }
  for (const { msgID } of socket.untaken) writer.acknowledged = msgID;
}

async function labelOf(running: Running, mixer: number, fader: number): Promise<string> {
  const path = `/api/rest/audio/mixers/${mixer}/faders/${fader}/label`;
  return await (await fetch(running.url + path)).json();
}

async function lastLog(data: string): Promise<string> {
  const names = [];
  // A service that has run for a second has an audit.log, too.
  for await (const { name } of Deno.readDir(data)) if (/^\d+\.log$/.test(name)) names.push(name);
  return `${data}/${names.sort().at(-1)}`;
}

const seed = seedOfRun();

for (const [runtime, withService] of Object.entries(services)) {
  Deno.test(`kill -9 of the service in ${runtime} with two writers, ${ROUNDS} times, and a torn tail: exactly the acknowledged changes are there (FADERD_SEED=${seed})`, () =>
    withService(async (start) => {
      await using folder = await temporaryFolder();
      const chance = chanceOf(seed);
      const data = `${folder.path}/data`;
      const writers: Writer[] = [0, 1].map((mixer) => ({ mixer, sent: 0, acknowledged: 0 }));
      for (let round = 0; round < ROUNDS; round++) {
        await using running = await start(data);
        assert(!running.stderr.includes("damaged"), running.stderr);
        if (round > 0) await expectStored(running, writers);
        const wanted = chance.between(1, LONGEST_ROUND);
        const before = writers.map(({ acknowledged }) => acknowledged);
        const writing = Promise.all(writers.map((writer) => write(running, writer)));
        await until(() =>
          writers.every(({ acknowledged }, at) => acknowledged >= before[at]! + wanted)
        );
        running.kill("SIGKILL");
        await running.ended();
        await writing;
      }
      const log = await lastLog(data);
      await writeBehind(log, crypto.getRandomValues(new Uint8Array(37)).fill(0xa5, 0, 4));
      {
        await using running = await start(data);
        // It is another pipe than the one by which the start is told.
        await until(() => running.stderr.includes("cut off"));
        assertStringIncludes(running.stderr, log);
        await expectStored(running, writers);
        const url = `${running.url}/api/rest/audio/mixers/0/faders/3/label?set=written+since`;
        assertEquals(await (await fetch(url)).json(), "written since");
      }
      await using running = await start(data);
      assert(!running.stderr.includes("cut off"), "it is said once");
      await expectStored(running, writers);
      assertEquals(await labelOf(running, 0, 3), "written since");
    }));
}

/** Asserts that all acknowledged changes are there, whole, and none that was not sent. */
async function expectStored(running: Running, writers: readonly Writer[]): Promise<void> {
  for (const { mixer, sent, acknowledged } of writers) {
    const first = await labelOf(running, mixer, 0);
    const last = await labelOf(running, mixer, 7);
    assertEquals(first, last, "half of a change");
    const [by, count] = first.split(":").map(Number);
    assertEquals(by, mixer);
    assert(count! >= acknowledged, `${acknowledged} was acknowledged, ${count} is there`);
    assert(count! <= sent, `${count} is there, ${sent} was the last sent`);
  }
}

/** Writes bytes right behind the last record, where zeros stand in reserve. */
async function writeBehind(log: string, bytes: Uint8Array): Promise<void> {
  const end = (await Deno.readFile(log)).findLastIndex((byte) => byte !== 0) + 1;
  using file = await Deno.open(log, { write: true });
  await file.seek(end, Deno.SeekMode.Start);
  await file.write(bytes);
}
