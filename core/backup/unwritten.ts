/**
 * A restored configuration on its way to the configuration file.
 *
 * @module
 */
import type { WrittenConfiguration } from "../configuration/schema.ts";

/** A configuration that is in force, and may not be in its file yet. */
export interface Unwritten {
  readonly written: WrittenConfiguration;
  /**
   * The hashes of the documents in whose place it stands: of the one that was in force, and, where
   * that may not have come to the configuration file, of those that may stand there still.
   */
  readonly replaces: readonly string[];
}
