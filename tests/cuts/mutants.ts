/**
 * Mutants of the log, each without the syncs of one site, and the number of states after which the
 * simulation catches each.
 *
 * @module
 */
import type { FileSystem } from "../../storage/file-system.ts";
import { statesOf } from "./states.ts";
import { linesThatSync, type SyncSite, withSyncs } from "./syncs.ts";

/** One mutant, and whether it was caught. */
export interface Mutant {
  /** The line of the log that asks for the sync, and the file. */
  readonly site: SyncSite;
  /** The number of states after which it was caught, and the fault; undefined where it was not. */
  readonly caughtAfter?: number;
  readonly why?: string;
}

/** The options of a search for mutants. */
export interface MutantOptions {
  readonly seed: number;
  /** Maximum number of states for each mutant. */
  readonly most: number;
}

/** The sites of the syncs that the log makes in the states, and the lines of syncs never made. */
export async function survey(
  seed: number,
  to: number,
): Promise<{ sites: SyncSite[]; unseen: string[] }> {
  const sites = new Set<SyncSite>();
  const isMade = (site: SyncSite) => sites.add(site).size > 0;
  const wrap = (files: FileSystem) => withSyncs(files, isMade);
  const options = { seed, to, wrap, repairs: 0.5 };
  for await (const { fault } of statesOf(options)) if (fault !== undefined) throw fault;
  const seen = new Set(Array.from(sites, (site) => site.split(" ")[0]));
  return {
    sites: [...sites].sort(),
    unseen: (await linesThatSync()).filter((line) => !seen.has(line)),
  };
}

/** Tries the mutant without the syncs of a site. */
export async function tryMutant(without: SyncSite, { seed, most }: MutantOptions): Promise<Mutant> {
  let count = 0;
  const wrap = (files: FileSystem) => withSyncs(files, (site) => site !== without);
  const repairs = /^repair|checkpoint\.new$/.test(without) ? 1 : undefined;
  for await (const { fault } of statesOf({ seed, to: most, wrap, ...repairs && { repairs } })) {
    count += 1;
    if (fault === undefined) continue;
    const why = fault instanceof Error ? fault.message : String(fault);
    return { site: without, caughtAfter: count, why };
  }
  return { site: without };
}
