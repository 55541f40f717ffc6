/**
 * Mutants of the log, each without the syncs of one site, and after how many states the simulation
 * catches each.
 *
 * @module
 */
import { statesOf } from "./states.ts";
import { linesThatSync, type SyncSite, withSyncs } from "./syncs.ts";

/** One mutant, and what became of it. */
export interface Mutant {
  readonly site: SyncSite;
  /** The line of the log that asks for the sync. */
  readonly line: string;
  /** After so many states it was caught, and at what; undefined where it was not. */
  readonly caughtAfter?: number;
  readonly why?: string;
  /** Why the law holds without it, where that is so. */
  readonly needless?: string;
}

/** How mutants are looked for and tried. */
export interface MutantOptions {
  readonly seed: number;
  /** The most states for each. */
  readonly most: number;
  /** In so many states every site is to be found. */
  readonly survey: number;
}

/** Answers every site at which the log syncs something in the states, and lines that it never asks. */
async function survey(seed: number, to: number): Promise<{ sites: SyncSite[]; unseen: string[] }> {
  const sites = new Set<SyncSite>();
  const wrap: Parameters<typeof statesOf>[0]["wrap"] = (files) =>
    withSyncs(files, (site) => {
      sites.add(site);
      return true;
    });
  for await (const { fault } of statesOf({ seed, to, wrap })) if (fault !== undefined) throw fault;
  const seen = new Set(Array.from(sites, (site) => site.split(" ")[0]));
  const unseen = [...(await linesThatSync()).keys()].filter((line) => !seen.has(line));
  return { sites: [...sites].sort(), unseen };
}

/** Tries every mutant; a line that is never asked for its sync is one that is not caught. */
export async function* mutantsOf({ seed, most, survey: states }: MutantOptions): AsyncGenerator<Mutant> {
  const lines = await linesThatSync();
  const { sites, unseen } = await survey(seed, states);
  for (const site of unseen) yield { site, line: lines.get(site)!, why: "never asked for" };
  for (const site of sites) {
    const line = lines.get(site.split(" ")[0]!) ?? "";
    const caught = await catchMutant(site, seed, most);
    yield { site, line, ...caught };
  }
}

async function catchMutant(
  without: SyncSite,
  seed: number,
  most: number,
): Promise<{ caughtAfter?: number; why?: string }> {
  let count = 0;
  const wrap: Parameters<typeof statesOf>[0]["wrap"] = (files) =>
    withSyncs(files, (site) => site !== without);
  for await (const { fault } of statesOf({ seed, to: most, wrap })) {
    count += 1;
    if (fault === undefined) continue;
    return { caughtAfter: count, why: fault instanceof Error ? fault.message : String(fault) };
  }
  return {};
}
