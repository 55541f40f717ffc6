/// <reference lib="deno.worker" />
/**
 * The client of `stalls.ts`: a worker that makes every call, one at a time, and sends a message
 * before and after each. It goes on when it gets an answer.
 *
 * @module
 */
import { PICTURE_BYTES } from "../core/limits.ts";
import { largestPng, noiseOf } from "./largest-png.ts";
import { sleep } from "./report.ts";

/** Number of faders of the mixer. */
export const FADERS = 64;
/** Number of snapshots that exist. */
export const SNAPSHOTS = 1000;
/** Number of global labels; their ids begin at 1. */
export const LABELS = 64;
const ENTRIES = 1000;
/**
 * Number of snapshots of a whole mixer that a checkpoint holds, among all others and a picture of 4
 * MiB.
 */
const MIXER_SNAPSHOTS = 20;
const ARCHIVE_BYTES = 32 * 1024 * 1024;
/** Time in ms for which a call may still write, publish or compact after its answer. */
const AFTERMATH_MS = 30;

/** The task of the worker: `rounds` calls of each kind. */
export interface Wanted {
  readonly port: number;
  readonly token: string;
  readonly rounds: number;
}

/** The messages of the worker, one of which asks for a checkpoint. */
export type Said =
  | { readonly begin: string }
  | { readonly end: true }
  | { readonly compact: true }
  | { readonly over: true };

if (typeof WorkerGlobalScope !== "undefined" && self instanceof WorkerGlobalScope) {
  self.onmessage = ({ data }: MessageEvent<Wanted>) => runClient(data);
}

/** Makes every call, one at a time. */
async function runClient({ port, token, rounds }: Wanted): Promise<void> {
  const base = `http://127.0.0.1:${port}`;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws`);
  await new Promise((resolve) => socket.onopen = resolve);
  let lastId = 0;
  // Anything else that comes (updates, events) is not waited for.
  const answers = new Map<number, (text: string) => void>();
  socket.onmessage = ({ data }) => {
    const id = /^\{"msgID":(\d+),/.exec(data)?.[1];
    if (id !== undefined) answers.get(Number(id))?.(data);
  };
  socket.onclose = ({ code, reason }) => {
    throw new Error(`the server closed the WebSocket: ${code} ${reason}`);
  };

  function ask(message: object): Promise<string> {
    const msgID = ++lastId;
    const { promise, resolve } = Promise.withResolvers<string>();
    answers.set(msgID, resolve);
    socket.send(JSON.stringify({ msgID, ...message }));
    return promise;
  }
  async function succeed(message: object): Promise<string> {
    const text = await ask(message);
    if (!text.endsWith('"success":true}')) throw new Error(text.slice(-300));
    return text;
  }
  const rpc = (method: string, params: object) =>
    succeed({ method: "rpc", payload: { method, params } });
  const method = (name: string, path: string, payload?: unknown) =>
    succeed({ method: name, path, payload });
  const result = async (method: string, params: object) =>
    JSON.parse(await rpc(method, params)).payload.result;

  /**
   * Calls an action; throws if it fails, or, with `refusedFor`, if it is not refused for that
   * reason.
   */
  async function act(
    name: string,
    fields: Record<string, string | Blob>,
    refusedFor?: string,
  ): Promise<string> {
    const body = new FormData();
    for (const [field, value] of Object.entries({ Token: token, ...fields })) {
      body.append(field, value);
    }
    const text = await (await fetch(`${base}/action/${name}`, { method: "POST", body })).text();
    const isRefused = text.includes('"Error"');
    const isExpected = refusedFor === undefined
      ? !isRefused
      : isRefused && text.includes(refusedFor);
    if (!isExpected) throw new Error(text.slice(-300));
    return text;
  }

  async function tell(message: Said): Promise<void> {
    const answer = new Promise((resolve) => self.onmessage = resolve);
    self.postMessage(message);
    await answer;
  }
  async function measure(name: string, call: (round: number) => unknown): Promise<void> {
    for (let round = -1; round < rounds; round++) {
      if (round >= 0) await tell({ begin: name });
      await call(round);
      await sleep(AFTERMATH_MS);
      if (round >= 0) await tell({ end: true });
    }
  }

  await succeed({ method: "auth", token });
  const groups = { writegroups: 255, readgroups: 0 };
  const named = { type: 2, mixer: 0, ...groups };
  const mixer = "/audio/mixers/0";
  await measure("nothing", () => sleep(5));
  await measure("auth", () => succeed({ method: "auth", token }));
  await measure("get of one fader's level", () => method("get", `${mixer}/faders/0/fader`));
  await measure(`get /audio/mixers (${FADERS} faders)`, () => method("get", "/audio/mixers"));
  await measure("get / (all, with range)", () => method("get", "/"));
  await measure("GET /api/rest/audio/mixers", async () => {
    await (await fetch(`${base}/api/rest/audio/mixers?token=${token}`)).text();
  });
  await measure("subscribe to /, unsubscribe", async () => {
    await method("subscribe", "/");
    await method("unsubscribe", "/");
  });
  await method("subscribe", "/");

  await rpc("savesnapshot", { ...named, id: "", name: "Bench" });
  const [, { id }] = await result("getsnapshotlist", { type: 2 });
  const snapshot = await result("getsnapshot", { id });
  const content = snapshot.snapshotdata.content;
  const moved = structuredClone(content);
  for (const fader of Object.values<{ fader: number }>(moved.faders)) fader.fader = -20;
  await measure(
    "set of a whole mixer, subscriber to /",
    (round) => method("set", mixer, round % 2 === 0 ? moved : content),
  );
  await measure("savesnapshot of a mixer", () => rpc("savesnapshot", { ...named, id }));
  await measure("getsnapshot of a mixer", () => rpc("getsnapshot", { id }));
  await measure("setsnapshot of a mixer", () => rpc("setsnapshot", snapshot));
  await measure("loadsnapshot of a mixer, subscriber to /", async (round) => {
    if (round % 2 === 0) await method("set", mixer, moved);
    await rpc("loadsnapshot", { id });
  });
  await measure("modifysnapshot", (round) => rpc("modifysnapshot", { id, name: `Bench ${round}` }));
  await measure("savesnapshot and removesnapshot of a channel", async (round) => {
    const name = `To go ${round}`;
    await rpc("savesnapshot", { ...groups, type: 1, id: "", fader: 1, name });
    const all = await result("getsnapshotlist", { type: 1 });
    await rpc("removesnapshot", { id: all.at(-1).id });
  });
  await measure(`getsnapshotlist of ${SNAPSHOTS}`, () => rpc("getsnapshotlist", { type: 1 }));
  await measure(
    "setchannellabel",
    (round) => rpc("setchannellabel", { sourceid: 1, label: `Guest ${round}` }),
  );
  await measure(`fadetovalue of ${FADERS} faders at once, 0.2 s`, async (round) => {
    const value = round % 2 === 0 ? -160 : 10;
    await Promise.all(
      Array.from({ length: FADERS }, (_, fader) => rpc("fadetovalue", { fader, time: 0.2, value })),
    );
    await sleep(260);
  });

  await rpc("registerextlist", { list: 1 });
  const entries = Array.from({ length: ENTRIES }, (_, entry) => ({
    label: `Line ${entry}`,
    background: true,
    color: "ff8800",
    pagination: false,
  }));
  await measure(`setextlist of ${ENTRIES} entries`, () => rpc("setextlist", { list: 1, entries }));
  await measure("pressextlist", async () => {
    for (const on of [1, 0]) await rpc("pressextlist", { list: 1, entry: 7, on });
  });

  await measure(
    "setgloballabel",
    (round) => act("setgloballabel", { ObjectID: "1", Name: `Studio ${round}` }),
  );
  await measure(
    `setgloballabel, ${LABELS} at once`,
    (round) =>
      Promise.all(
        Array.from({ length: LABELS }, (_, label) =>
          act("setgloballabel", { ObjectID: String(label + 1), Name: `Storm ${round}` })),
      ),
  );
  await measure(
    `set of a label over WebSocket, ${LABELS * 4} at once`,
    (round) =>
      Promise.all(
        Array.from({ length: LABELS * 4 }, (_, label) =>
          method("set", `/control/labels/${label % LABELS + 1}/label`, `Storm ${round} ${label}`)),
      ),
  );
  await measure("getgloballabel", () => act("getgloballabel", { ObjectID: "1" }));
  await measure(
    "action setchannellabel",
    (round) => act("setchannellabel", { ObjectID: "1", Name: `Host ${round}` }),
  );
  await measure("login, logout", async () => {
    await act("login", { ObjectID: "0" });
    await act("logout", { ObjectID: "0" });
  });
  for (
    const [name, object] of [["savemx", "0"], ["loadmx", "0"], ["savech", "1"], ["loadch", "1"]]
  ) {
    await measure(name!, () => act(name!, { ObjectID: object!, SnapshotID: "7" }));
  }
  for (const kind of ["mxsnap", "chsnap"]) {
    const file = new File([await act(`download${kind}`, { SnapshotID: "7" })], "7.sfp");
    await measure(`download${kind}`, () => act(`download${kind}`, { SnapshotID: "7" }));
    await measure(`upload${kind}`, () => act(`upload${kind}`, { SnapshotID: "7", file }));
  }
  const picture = new File([largestPng()], "largest.png");
  await measure("updatepic of 4 MiB", () => act("updatepic", { ObjectID: "1", file: picture }));
  await measure("GET /pictures/1 of 4 MiB", async () => {
    await (await fetch(`${base}/pictures/1`)).arrayBuffer();
  });
  const text = "x".repeat(PICTURE_BYTES);
  await measure(
    "updatepic of 4 MiB of text, refused",
    () => act("updatepic", { ObjectID: "1", file: text }, "file"),
  );
  // Data that begins like an archive and is not one.
  const noise = new File([Uint8Array.of(0x1f, 0x8b), noiseOf(ARCHIVE_BYTES)], "backup.bin");
  await measure(
    "restore of 32 MiB, refused",
    () => act("restore", { Tags: "MXSNAPS", file: noise }, "file"),
  );
  for (let number = 1; number <= MIXER_SNAPSHOTS; number++) {
    await rpc("savesnapshot", { ...named, id: "", name: `Show ${number}` });
  }
  await measure(
    `a checkpoint with ${SNAPSHOTS + MIXER_SNAPSHOTS} snapshots and a picture`,
    () => tell({ compact: true }),
  );
  await measure(
    "a message of 1 MiB that is not a request",
    () => ask({ method: "none", payload: long }),
  );

  socket.onclose = null;
  socket.close();
  const over: Said = { over: true };
  self.postMessage(over);
}

/** Nearly the maximum number of values of one message. */
const long = Array.from(
  { length: 6 },
  () => Array.from({ length: 4000 }, (_, number) => `${number}`.padStart(38)),
);
