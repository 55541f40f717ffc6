/**
 * The shares of the task `units`: the files `1.ts` and so on in this folder, which run in parallel.
 *
 * @module
 */
import project from "../../deno.json" with { type: "json" };
import { loadShare, testFiles } from "../load-share.ts";

const SHARES = 8;

const ignored = /--ignore=(\S+)/.exec(project.tasks.unit.command)![1]!.split(",");

/** Loads the tests of a share; shares are counted from 1. */
export function loadUnitShare(share: number): Promise<void> {
  return loadShare(testFiles("tests", ignored), share, SHARES);
}
