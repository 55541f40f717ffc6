/**
 * Which files of a folder make up the log, without reading their records.
 *
 * @module
 */
import { StorageError } from "./errors.ts";
import { type File, type FileSystem, readFully } from "./file-system.ts";
import { decodeHeader, formatVersion, type Header, headerBytes, parseFileName } from "./format.ts";

/** One file of the log, open. */
export interface SurveyedFile extends Pick<Header, "kind" | "sequence"> {
  readonly name: string;
  readonly file: File;
  /** Its length in bytes. */
  readonly size: number;
  /** Nothing when the header is not whole, not right, or not that of a file of this name. */
  readonly header: Header | undefined;
}

/** The files of a folder, by what they are to the log. */
export interface Survey {
  /** In order: the newest checkpoint, if there is one, and the segments after it. */
  readonly used: readonly SurveyedFile[];
  /** The number that the first segment must have. */
  readonly first: number;
  /** The last segment, when power failed while it was made: it never held a record. */
  readonly unborn: SurveyedFile | undefined;
  /** Names of files that serve no more, left over when power failed before they were removed. */
  readonly stale: readonly string[];
}

async function openFile(files: FileSystem, folder: string, name: string): Promise<SurveyedFile> {
  const { kind, sequence } = parseFileName(name)!;
  const file = await files.open(`${folder}/${name}`);
  const decoded = decodeHeader(await readFully(file, new Uint8Array(headerBytes), 0));
  if (decoded.is === "newer") {
    await file.close();
    throw new StorageError(
      "newerFormat",
      `${folder}/${name} has format version ${decoded.version}: ` +
        `this program knows versions up to ${formatVersion}`,
    );
  }
  const own = decoded.is === "header" && decoded.header.kind === kind &&
    decoded.header.sequence === sequence;
  return {
    name,
    kind,
    sequence,
    file,
    size: await file.size(),
    header: own ? decoded.header : undefined,
  };
}

async function findUnborn(used: readonly SurveyedFile[]): Promise<SurveyedFile | undefined> {
  // A checkpoint is begun only after the segment that follows it was made: that one was born.
  const born = used[0]?.kind === "checkpoint" ? 2 : 0;
  const last = used[used.length - 1];
  if (last === undefined || used.length <= born || last.header !== undefined) return undefined;
  const rest = new Uint8Array(Math.max(0, last.size - headerBytes));
  const empty = (await readFully(last.file, rest, headerBytes)).every((byte) => byte === 0);
  return empty ? last : undefined;
}

function arrange(opened: readonly SurveyedFile[]): Pick<Survey, "used" | "first"> {
  const checkpoint = opened.findLast(({ kind }) => kind === "checkpoint");
  const first = checkpoint?.sequence ?? 1;
  const segments = opened.filter(({ kind, sequence }) => kind === "segment" && sequence >= first);
  return { used: checkpoint === undefined ? segments : [checkpoint, ...segments], first };
}

/**
 * Opens every file of the log in `folder`, hands them to `read`, and closes them.
 * Rejects, with nothing changed, when a newer version of the format is among them.
 */
export async function survey<T>(
  files: FileSystem,
  folder: string,
  read: (survey: Survey) => Promise<T>,
): Promise<T> {
  const names = (await files.list(folder)).sort();
  const opened: SurveyedFile[] = [];
  try {
    for (const name of names) {
      if (parseFileName(name) !== undefined) opened.push(await openFile(files, folder, name));
    }
    const { used, first } = arrange(opened);
    const unborn = await findUnborn(used);
    const stale = [
      ...names.filter((name) => name.endsWith(".checkpoint.new")),
      ...opened.filter((one) => !used.includes(one) || one === unborn).map(({ name }) => name),
    ];
    return await read({ used: used.filter((one) => one !== unborn), first, unborn, stale });
  } finally {
    for (const { file } of opened) await file.close();
  }
}
