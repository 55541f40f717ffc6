/**
 * `faderd backup` and `faderd restore` with `--url`: of a service that is running.
 *
 * @module
 */
import type { BackupOptions } from "./backup.ts";
import { after } from "../core/ports.ts";
import { openArchive, STANDARD_OUTPUT, writeArchive } from "./archive-file.ts";
import { machineTimer } from "../runtimes/clock.ts";
import { Failure } from "./failure.ts";
import { print, report } from "./print.ts";
import { shownOnTerminal } from "./progress.ts";
import { noFaderd, type RunningService, saidIn } from "./running-service.ts";

/** What is asked for: the archive, and the tags as they were written. */
type Asked = Pick<BackupOptions, "file" | "tags">;

/** Downloads a backup, and writes it as {@link writeArchive} does. */
export async function downloadBackup(
  service: RunningService,
  { file, tags }: Asked,
): Promise<void> {
  const path = `/action/backup?Tags=${encodeURIComponent(tags)}`;
  const answer = await onceTaken(service, () => service.request(path));
  const isBackup = answer.headers.get("content-type") === "application/octet-stream";
  if (!isBackup || answer.body === null) throw await refusalIn(service, answer);
  await writeArchive(file, shownOnTerminal(answer.body, file));
  if (file !== STANDARD_OUTPUT) print(`${file}: ${tags} of ${service.url}`);
}

/** Uploads a backup from a file and has it applied: all that the tags say or nothing. */
export async function uploadBackup(service: RunningService, { file, tags }: Asked): Promise<void> {
  const name = TAKEN_NAME.exec(file)?.[0] ?? "backup.tgz";
  const boundary = `faderd-${crypto.randomUUID()}`;
  const answer = await onceTaken(service, async () => {
    const archive = shownOnTerminal(await openArchive(file), file);
    return service.request(`/action/restore?Tags=${encodeURIComponent(tags)}`, {
      method: "POST",
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      body: ReadableStream.from(formOf(archive, name, boundary)),
    });
  });
  const { Restored, Error: why } = await saidIn(answer.clone());
  if (!Array.isArray(Restored)) throw await refusalIn(service, answer);
  print(`restored from ${file} to ${service.url}: ${Restored.join(", ")}`);
  if (typeof why === "string") throw new Failure(why);
}

/**
 * Asks, and asks again for as long as the service says to wait: it takes only so many actions
 * of one address (`limits.rest`).
 */
async function onceTaken(
  { url }: RunningService,
  ask: () => Promise<Response>,
): Promise<Response> {
  while (true) {
    const answer = await ask();
    const seconds = Number(answer.headers.get("retry-after"));
    if (answer.status !== LOCKED || !(seconds > 0)) return answer;
    await answer.body?.cancel();
    report(`${url} takes no action of this address for ${seconds} s; waiting`);
    await new Promise<void>((resolve) => after(machineTimer, 1000 * seconds, resolve));
  }
}

/** The status of an action that comes too early. */
const LOCKED = 423;

/** The end of a path, where a restore takes files of that name. */
const TAKEN_NAME = /[^/"\r\n]+\.(bin|tgz)$/;

/** A form with one file, which is never in memory as a whole. */
async function* formOf(
  file: ReadableStream<Uint8Array>,
  name: string,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const disposition = `form-data; name="file"; filename="${name}"`;
  yield encoder.encode(`--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n`);
  yield* file;
  yield encoder.encode(`\r\n--${boundary}--\r\n`);
}

/** Reads why an action was refused, in the service's own words. */
async function refusalIn({ url }: RunningService, answer: Response): Promise<Failure> {
  const said = await saidIn(answer);
  const why = said.Error ?? said.error?.message;
  return typeof why === "string" ? new Failure(why) : noFaderd(url, answer);
}
