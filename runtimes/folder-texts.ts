/**
 * The texts of a data folder beside its log: files of one line that only their owner may read. Each
 * is complete at any moment, the old one or the new one.
 *
 * @module
 */

/** The texts of one data folder, and how people are told of them. */
export interface FolderTexts {
  /** The path of the folder. */
  readonly folder: string;
  /** Reads a text, without the white space around it; undefined if there is no such file. */
  read(name: string): Promise<string | undefined>;
  /** Replaces a text by a line; resolves once it is on the medium. */
  replace(name: string, line: string): Promise<void>;
  /** Takes a line for people. */
  say(line: string): void;
  /** Makes the error of a start that must not go on. */
  failure(reason: string): Error;
}
