/**
 * Checks, on a small medium under uploads of pictures, whether the log stays within its bound and
 * goes on taking changes, and whether sets are answered meanwhile.
 *
 * The medium is the named folder, or a tmpfs whose size in MiB is `--megabytes`; mounting the tmpfs
 * needs root. With `--fill` another file fills the medium up and is removed again, repeatedly.
 *
 * @module
 */
import { statfsSync } from "node:fs";
import { parseArgs } from "@std/cli/parse-args";
import { defaultSegmentBytes } from "../storage/contract.ts";
import { largestPng, noiseOf } from "./largest-png.ts";
import { firstToken, startFaderd } from "./process.ts";
import { print, sleep } from "./report.ts";

const MIB = 1024 * 1024;
/** The number of pictures of 4 MiB, each of which is uploaded again and again. */
const PICTURES = 15;
const SAMPLE_MS = 20;
const SET_MS = 20;

const { minutes, megabytes, uploaders, fill, json, _: [place] } = parseArgs(Deno.args, {
  boolean: ["json", "fill"],
  string: ["minutes", "megabytes", "uploaders"],
  default: { minutes: "10", megabytes: "165", uploaders: "1" },
});
const folder = await Deno.makeTempDir({ prefix: "faderd-space-" });
const medium = place === undefined ? `${folder}/medium` : `${place}`;
if (place === undefined) {
  await Deno.mkdir(medium);
  await run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", medium);
}
try {
  await soak();
} catch (fault) {
  print(String(fault));
} finally {
  if (place === undefined) await run("umount", "--lazy", medium);
  await Deno.remove(folder, { recursive: true });
}

async function run(command: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(command, { args }).output();
  if (!success) throw new Error(`${command}: ${new TextDecoder().decode(stderr)}`);
}

async function soak(): Promise<void> {
  const config = `${folder}/config.json`;
  const resources = Array.from(
    { length: PICTURES },
    (_, at) => ({ id: at, name: `Picture ${at}` }),
  );
  const writes = { perMinute: 0, bytesPerMinute: 0 };
  const rest = { burst: 10_000, perSecond: 10_000 };
  const configuration = { mixers: [{ faders: 128 }], resources, limits: { writes, rest } };
  await Deno.writeTextFile(config, JSON.stringify(configuration));
  const service = await startFaderd(`${medium}/data`, config);
  const base = `http://127.0.0.1:${service.port}`;
  const token = firstToken(service);
  const picture = new Blob([largestPng()]);
  const counts = { uploads: 0, refused: 0, sets: 0, setsRefused: 0 };
  const slowest = { set: 0, upload: 0 };
  let peak = 0;
  let why = "";
  let over = false;

  async function upload(id: number): Promise<boolean> {
    const body = new FormData();
    for (
      const [name, value] of Object.entries({ Token: token, ObjectID: `${id}`, file: picture })
    ) {
      body.append(name, value);
    }
    const from = performance.now();
    const text = await (await fetch(`${base}/action/updatepic`, { method: "POST", body })).text();
    slowest.upload = Math.max(slowest.upload, performance.now() - from);
    const isStored = !text.includes('"Error"');
    if (!isStored) why = text.slice(0, 300);
    return isStored;
  }

  async function set(count: number): Promise<boolean> {
    const path = `audio/mixers/0/faders/${count % 128}/fader`;
    const body = JSON.stringify({ method: "set", token, path, payload: -(count % 900) / 10 });
    const from = performance.now();
    const { success } = await (await fetch(`${base}/api/rest`, { method: "POST", body })).json();
    slowest.set = Math.max(slowest.set, performance.now() - from);
    return success === true;
  }

  async function keepUploading(number: number): Promise<void> {
    for (let turn = 0; !over; turn++) {
      const isStored = await upload((number + turn * Number(uploaders)) % PICTURES);
      counts[isStored ? "uploads" : "refused"]++;
      if (!isStored) await sleep(100);
    }
  }

  async function keepSetting(): Promise<void> {
    for (let count = 0; !over; count++) {
      counts[await set(count) ? "sets" : "setsRefused"]++;
      await sleep(SET_MS);
    }
  }

  async function watch(): Promise<void> {
    while (!over) {
      const { blocks, bfree, bsize } = statfsSync(medium);
      const bytes = (blocks - bfree) * bsize;
      peak = Math.max(peak, bytes);
      await sleep(SAMPLE_MS);
    }
  }

  async function keepFilling(): Promise<void> {
    while (!over) {
      await sleep(10_000);
      using other = await Deno.open(`${medium}/other`, { write: true, create: true });
      try {
        while (!over) await other.write(noiseOf(65_536));
      } catch {
        // The medium is full.
      }
      await sleep(5000);
      await Deno.remove(`${medium}/other`);
    }
  }

  for (let id = 0; id < PICTURES; id++) {
    if (!await upload(id)) throw new Error(`picture ${id} of ${PICTURES} was refused: ${why}`);
  }
  const end = setTimeout(() => over = true, Number(minutes) * 60_000);
  const uploading = Array.from({ length: Number(uploaders) }, (_, at) => keepUploading(at));
  await Promise.all([...uploading, keepSetting(), watch(), ...(fill ? [keepFilling()] : [])]);
  clearTimeout(end);
  const acceptsAfterwards = await upload(0) && await set(1);
  const residentMB = service.residentMegabytes();
  await service.stop();
  // The service has to start again with the content that the medium has now.
  const again = await startFaderd(`${medium}/data`, config);
  await again.stop();
  const live = PICTURES * (await picture.arrayBuffer()).byteLength + MIB;
  const bound = 2.5 * live + defaultSegmentBytes + 2 * picture.size;
  const found = {
    ...counts,
    slowest,
    peakMiB: peak / MIB,
    boundMiB: bound / MIB,
    acceptsAfterwards,
    residentMB,
  };
  const conditions = `${uploaders} uploaders, ${minutes} minutes on ${megabytes} MiB`;
  print(`${conditions}${fill ? ", filled" : ""}`);
  const { slowest: _, ...figures } = found;
  const slowestSetMs = slowest.set.toFixed(0);
  for (const [what, figure] of Object.entries({ ...figures, slowestSetMs })) {
    print(`  ${what}: ${figure}`);
  }
  if (json) print(JSON.stringify(found));
  if (!acceptsAfterwards || !fill && peak > bound) Deno.exit(1);
}
