/**
 * The faults of the storage engine, each one sentence that names the folder, segment or size.
 *
 * @module
 */

/**
 * Why the log refused: `inUse` (another process has the folder), `otherFormat` (another version
 * wrote it), `notStored` (the medium failed or is full), `readOnly` (damage), `closed`.
 */
export type StorageFault = "inUse" | "otherFormat" | "notStored" | "readOnly" | "closed";

/** What {@link openLog} and `append` reject with. */
export class StorageError extends Error {
  override readonly name = "StorageError";

  constructor(
    readonly fault: StorageFault,
    message: string,
    /**
     * False in one case only: the medium took neither the record nor the note that it is refused,
     * so a restart may find the record after all.
     */
    readonly certain: boolean = true,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const meanings: Readonly<Record<string, string>> = {
  EDQUOT: "the quota of the medium is used up",
  EFBIG: "the file is larger than the medium allows",
  EIO: "the medium failed",
  ENOSPC: "no space left on the medium",
  EROFS: "the medium is read-only",
};

/** Says whether a fault means that the medium does not give back what is on it. */
export function isUnreadable(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && unreadableCodes.includes(String(fault.code));
}

/** Says whether a fault means that a file is not there. */
export function isMissing(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && fault.code === "ENOENT";
}

const unreadableCodes = ["EIO", "EUCLEAN", "EBADMSG"];

/** Whether a fault is one of the medium, not of whoever named a folder or a file. */
export function isMediumFault(fault: unknown): boolean {
  return fault instanceof Error && "code" in fault && String(fault.code) in meanings;
}

/** Describes a system fault for people: `no space left on the medium`. */
export function describeFault(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const code = "code" in fault ? String(fault.code) : "";
  return meanings[code] ?? fault.message;
}

const fullCodes = ["ENOSPC", "EDQUOT", "EFBIG"];

/** What the medium said, behind what the log made of it. */
export function causeOf(fault: unknown): unknown {
  return fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
}

/** Says whether the medium failed only because it has no room. */
export function isFull(fault: unknown): boolean {
  const cause = causeOf(fault);
  return cause instanceof Error && "code" in cause && fullCodes.includes(String(cause.code));
}
