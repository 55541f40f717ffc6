/**
 * Mutants of the log, each without the syncs of one site, and after how many states the simulation
 * catches each.
 *
 * @module
 */
import type { FileSystem } from "../../storage/file-system.ts";
import { statesOf } from "./states.ts";
import { linesThatSync, type SyncSite, withSyncs } from "./syncs.ts";

/** One mutant, and what became of it. */
export interface Mutant {
  /** The line of the log, and of which file it asks for a sync. */
  readonly site: SyncSite;
  /** The number of states after which it was caught, and at what; undefined where it was not. */
  readonly caughtAfter?: number;
  readonly why?: string;
}

/** How mutants are looked for and tried. */
export interface MutantOptions {
  readonly seed: number;
  /** Maximum number of states for each. */
  readonly most: number;
}

/**
 * Returns the sites at which the log syncs something in the states, and lines that it never asks.
 */
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
