/**
 * The shares of the task `browse`: the files `1.ts` and so on in this folder, which run in
 * parallel, each with a browser of its own.
 *
 * @module
 */
import { loadShare, testFiles } from "../../load-share.ts";

const SHARES = 4;

/** Loads the tests of a share; shares are counted from 1. */
export function loadBrowserShare(share: number): Promise<void> {
  return loadShare(testFiles("tests/browser"), share, SHARES);
}
