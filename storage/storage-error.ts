/**
 * The errors of the storage engine. The message of each is one sentence that names the folder,
 * segment or size.
 *
 * @module
 */

/**
 * Why the log refused: `inUse` (another process has the folder), `otherFormat` (another version
 * wrote it), `notStored` (the medium failed or is full), `readOnly` (damage), `closed`.
 */
export type StorageFault = "inUse" | "otherFormat" | "notStored" | "readOnly" | "closed";

/** The words in the message of a refusal that is not certain; see {@link StorageError}. */
export const MAY_BE_FOUND = "it may be found after a restart";

/** The error with which {@link openLog} and `append` reject. */
export class StorageError extends Error {
  override readonly name = "StorageError";

  constructor(
    readonly fault: StorageFault,
    message: string,
    /**
     * False if a restart may find the record after all: the medium took neither the record nor the
     * note that it is refused, or a database took the record but did not confirm it.
     */
    readonly certain: boolean = true,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const meanings: Readonly<Record<string, string>> = {
  EACCES: "access to the medium is denied",
  EBADMSG: "data on the medium cannot be read",
  EDQUOT: "the quota of the medium is used up",
  EFBIG: "the file is larger than the medium allows",
  EIO: "the medium failed",
  EMFILE: "too many files are open in this process",
  ENFILE: "too many files are open on this machine",
  ENOMEM: "the machine has no memory left",
  ENOSPC: "no space left on the medium",
  EROFS: "the medium is read-only",
  ESTALE: "the medium is not the same one as before",
  ETIMEDOUT: "the medium does not answer",
  EUCLEAN: "data on the medium cannot be read",
};

/** The error numbers of Linux for which Deno gives no code. */
const codesByNumber: Readonly<Record<string, string>> = {
  23: "ENFILE",
  27: "EFBIG",
  74: "EBADMSG",
  116: "ESTALE",
  117: "EUCLEAN",
  122: "EDQUOT",
};

/** Returns the code of a system error; undefined for any other error. */
export function codeOf(fault: unknown): string | undefined {
  if (!(fault instanceof Error)) return undefined;
  if ("code" in fault && fault.code !== undefined) return String(fault.code);
  const [, number = ""] = /\(os error (\d+)\)/.exec(fault.message) ?? [];
  return codesByNumber[number];
}

/** Says whether a fault means that stored bytes cannot be read. */
export function isUnreadable(fault: unknown): boolean {
  return ["EIO", "EUCLEAN", "EBADMSG"].includes(codeOf(fault) ?? "");
}

/** Says whether a fault means that a file does not exist. */
export function isMissing(fault: unknown): boolean {
  return codeOf(fault) === "ENOENT";
}

/** Says whether a fault is one of the medium, not a wrong name of a folder or a file. */
export function isMediumFault(fault: unknown): boolean {
  return (codeOf(fault) ?? "") in meanings;
}

/** Describes a system error in words: `no space left on the medium`. */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  return meanings[codeOf(fault) ?? ""] ?? fault.message;
}

/** Returns the system error that is the cause of an error of the log. */
export function causeOf(fault: unknown): unknown {
  return fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
}

/** Says whether the medium failed only for lack of space. */
export function isFull(fault: unknown): boolean {
  const cause = causeOf(fault);
  // A Durable Object has the code of SQLite in the message alone.
  return ["ENOSPC", "EDQUOT", "EFBIG"].includes(codeOf(cause) ?? "") ||
    String(cause).includes("SQLITE_FULL");
}
