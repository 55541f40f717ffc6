/**
 * The sites in the tree of a hub: `/sites/{name}`, the number of consoles of a site by their
 * states.
 *
 * @module
 */
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { CONSOLE_STATES, type ConsoleState } from "../hub/hub-core.ts";
import { type Person, seesAll } from "../hub/rights.ts";
import type { ConsoleId } from "../wire.ts";

/** Consoles as the tree has them, by their ids. */
export type ConsoleBranches = Readonly<Record<ConsoleId, Branch>>;

/** Consoles, and the counts of each of their sites. */
export interface CountedSites {
  readonly consoles: ConsoleBranches;
  readonly counts: ReadonlyMap<string, Counts>;
}

/** The consoles before and after a change that concerns the counts of sites. */
export interface Recounted {
  readonly before: CountedSites;
  readonly after: CountedSites;
  /**
   * A patch of every count of the sites whose counts may have changed for some user. It only names
   * the counts, for the search for subscribers: its values are 0.
   */
  readonly touched: Patch;
}

type Counts = Record<"_consoles" | `_${ConsoleState}` | "_alarms", number>;

const STATES = CONSOLE_STATES.map((state) => `_${state}` as const);
const NONE = Object.fromEntries(["_consoles", ...STATES, "_alarms"].map((name) => [name, 0]));

/** The name that a branch cannot have: it would be the prototype of the branch. */
const PROTOTYPE = "__proto__";

/** Counts the consoles of each site. */
export function countSites(consoles: ConsoleBranches): CountedSites {
  const counts = new Map<string, Counts>();
  for (const id in consoles) count(counts, consoles[id]!);
  return { consoles, counts };
}

/** Returns the counts of sites as the branch of the tree. */
export function sitesBranch({ counts }: CountedSites): Branch {
  return Object.fromEntries(counts) as unknown as Branch;
}

/**
 * Returns the counts that have changed for a user, as a patch; undefined if none has. A site of
 * which the user sees no console any more has zeros.
 */
export function sitesChange(
  { before, after }: Recounted,
  user: Person | undefined,
): Patch | undefined {
  const [old, now] = [countsFor(before, user), countsFor(after, user)];
  const sites: [string, Patch][] = [];
  for (const site of new Set([...old.keys(), ...now.keys()])) {
    const [one, other] = [old.get(site), now.get(site) ?? NONE as Counts];
    const changed = Object.entries(other).filter(([name, count]) =>
      one?.[name as keyof Counts] !== count
    );
    if (changed.length > 0) sites.push([site, Object.fromEntries(changed)]);
  }
  return sites.length === 0 ? undefined : { sites: Object.fromEntries(sites) };
}

/** Returns the sites whose counts a change of one console may concern. */
export function sitesTouched(before: Branch | undefined, after: Branch | undefined): string[] {
  const isSame = before?._site === after?._site && before?._state === after?._state &&
    hasAlarms(before) === hasAlarms(after);
  if (isSame) return [];
  return [before, after].flatMap((branch) => branch === undefined ? [] : [branch._site as string]);
}

/** Makes {@link Recounted}; undefined where no site is touched. */
export function recountedOf(
  before: CountedSites,
  after: CountedSites,
  touched: ReadonlySet<string>,
): Recounted | undefined {
  if (touched.size === 0) return undefined;
  const sites = Object.fromEntries([...touched].map((site) => [site, NONE]));
  return { before, after, touched: { sites } };
}

/**
 * Returns the counts that a user sees. They follow from the rights alone, without a look at each
 * console, because each change of a large fleet is counted for each subscribed user.
 */
function countsFor(
  { consoles, counts }: CountedSites,
  user: Person | undefined,
): ReadonlyMap<string, Counts> {
  if (user === undefined || seesAll(user)) return counts;
  const { rights = [] } = user;
  const whole = new Set(rights.flatMap((right) => "site" in right ? [right.site] : []));
  const seen = new Map<string, Counts>();
  for (const site of whole) if (counts.has(site)) seen.set(site, counts.get(site)!);
  for (const right of rights) {
    const branch = "console" in right ? consoles[right.console] : undefined;
    if (branch !== undefined && !whole.has(branch._site as string)) count(seen, branch);
  }
  return seen;
}

/** Adds a console to the counts of its site. */
function count(sites: Map<string, Counts>, branch: Branch): void {
  const site = branch._site as string;
  if (site === PROTOTYPE) return;
  const counts = sites.get(site) ?? { ...NONE } as Counts;
  sites.set(site, counts);
  counts._consoles++;
  counts[`_${branch._state as ConsoleState}`]++;
  if (hasAlarms(branch)) counts._alarms++;
}

function hasAlarms(branch: Branch | undefined): boolean {
  return (branch?._alarms as readonly string[] | undefined ?? []).length > 0;
}
