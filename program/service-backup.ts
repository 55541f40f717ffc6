/**
 * `faderd backup` and `faderd restore` with `--url`, for a running service.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { BackupOptions } from "./backup.ts";
import { openArchive, STANDARD_OUTPUT, writeArchive } from "./archive-file.ts";
import { Failure } from "./failure.ts";
import { print } from "./print.ts";
import { noFaderd, type RunningService, saidIn } from "./running-service.ts";

/** The path of the archive, the tags as text, and the keys that seal or open it. */
type Asked = Pick<BackupOptions, "file" | "tags" | "recipient" | "opener">;

/** Downloads a backup, and writes it as {@link writeArchive} does. */
export async function downloadBackup(
  service: RunningService,
  { file, tags, recipient }: Asked,
): Promise<void> {
  const answer = await service.request(`/action/backup?Tags=${encodeURIComponent(tags)}`);
  const isBackup = answer.headers.get("content-type") === "application/octet-stream";
  if (!isBackup || answer.body === null) throw await refusalIn(service, answer);
  await writeArchive(file, answer.body, recipient);
  if (file !== STANDARD_OUTPUT) print(`${file}: ${tags} of ${service.url}`);
}

/** Uploads a backup from a file and has its requested tags applied, all of them or nothing. */
export async function uploadBackup(
  service: RunningService,
  { file, tags, opener }: Asked,
): Promise<void> {
  const name = TAKEN_NAME.exec(file)?.[0] ?? "backup.tgz";
  const body = new FormData();
  body.append("file", await contentOf(await openArchive(file, opener), file), name);
  const path = `/action/restore?Tags=${encodeURIComponent(tags)}`;
  const answer = await service.request(path, { method: "POST", body });
  const { Restored, Error: why } = await saidIn(answer.clone());
  if (!Array.isArray(Restored)) throw await refusalIn(service, answer);
  print(`restored from ${file} to ${service.url}: ${Restored.join(", ")}`);
  if (typeof why === "string") throw new Failure(why);
}

/** Reads all of an archive; throws {@link Failure} if its encryption cannot be opened. */
async function contentOf(archive: ReadableStream<Uint8Array>, file: string): Promise<Blob> {
  try {
    return await new Response(archive as BodyInit).blob();
  } catch (fault) {
    throw new Failure(`${file} cannot be read: ${reasonOf(fault)}`);
  }
}

/** Matches the file name of a path if a restore accepts that name. */
const TAKEN_NAME = /[^/"\r\n]+\.(bin|tgz)$/;

/** Returns the reason of a refused action from the answer of the service. */
async function refusalIn({ url }: RunningService, answer: Response): Promise<Failure> {
  const said = await saidIn(answer);
  const why = said.Error ?? said.error?.message;
  return typeof why === "string" ? new Failure(why) : noFaderd(url, answer);
}
