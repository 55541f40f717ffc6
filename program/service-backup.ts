/**
 * `faderd backup` and `faderd restore` with `--url`: of a service that is running.
 *
 * @module
 */
import type { BackupOptions } from "./backup.ts";
import { openArchive, writeArchive } from "./archive-file.ts";
import { Failure } from "./failure.ts";
import { print } from "./print.ts";
import { shownOnTerminal } from "./progress.ts";
import { noFaderd, type RunningService, saidIn } from "./running-service.ts";

/** What is asked for: the archive, and the tags as they were written. */
type Asked = Pick<BackupOptions, "file" | "tags">;

/** Downloads a backup to a file, which stays as it was until all of it is there. */
export async function downloadBackup(
  service: RunningService,
  { file, tags }: Asked,
): Promise<void> {
  const answer = await service.request(`/action/backup?Tags=${encodeURIComponent(tags)}`);
  const isBackup = answer.headers.get("content-type") === "application/octet-stream";
  if (!isBackup || answer.body === null) throw await refusalIn(service, answer);
  await writeArchive(file, shownOnTerminal(answer.body, file));
  print(`${file}: ${tags} of ${service.url}`);
}

/** Uploads a backup from a file and has it applied: all that the tags say or nothing. */
export async function uploadBackup(service: RunningService, { file, tags }: Asked): Promise<void> {
  const archive = shownOnTerminal(await openArchive(file), file);
  const name = TAKEN_NAME.exec(file)?.[0] ?? "backup.tgz";
  const boundary = `faderd-${crypto.randomUUID()}`;
  const answer = await service.request(`/action/restore?Tags=${encodeURIComponent(tags)}`, {
    method: "POST",
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: ReadableStream.from(formOf(archive, name, boundary)),
  });
  const { Restored, Error: why } = await saidIn(answer.clone());
  if (!Array.isArray(Restored)) throw await refusalIn(service, answer);
  print(`restored from ${file} to ${service.url}: ${Restored.join(", ")}`);
  if (typeof why === "string") throw new Failure(why);
}

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
