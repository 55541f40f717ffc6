/**
 * The sites in the tree of a hub: `/sites/{name}`, the number of consoles of a site by their
 * states.
 *
 * @module
 */
import type { Branch, Patch } from "../../core/tree/tree.ts";
import { CONSOLE_STATES, type ConsoleState } from "../hub/hub-core.ts";
import { type Person, rightAt, seesAll } from "../hub/rights.ts";
import type { ConsoleId } from "../wire.ts";

/** Consoles as the tree has them, by their ids. */
export type ConsoleBranches = Readonly<Record<ConsoleId, Branch>>;

/** The consoles before and after a change that concerns the counts of sites. */
export interface Recounted {
  readonly before: ConsoleBranches;
  readonly after: ConsoleBranches;
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
export function sitesOf(consoles: ConsoleBranches): Branch {
  return Object.fromEntries(counted(consoles, undefined)) as unknown as Branch;
}

/**
 * Returns the counts that have changed for a user, as a patch; undefined if none has. A site of
 * which the user sees no console any more has zeros.
 */
export function sitesChange(
  { before, after }: Recounted,
  user: Person | undefined,
): Patch | undefined {
  const [old, now] = [counted(before, user), counted(after, user)];
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
  before: ConsoleBranches,
  after: ConsoleBranches,
  touched: ReadonlySet<string>,
): Recounted | undefined {
  if (touched.size === 0) return undefined;
  const sites = Object.fromEntries([...touched].map((site) => [site, NONE]));
  return { before, after, touched: { sites } };
}

function counted(consoles: ConsoleBranches, user: Person | undefined): Map<string, Counts> {
  const isWhole = user === undefined || seesAll(user);
  const sites = new Map<string, Counts>();
  for (const id in consoles) {
    const branch = consoles[id]!;
    const site = branch._site as string;
    if (site === PROTOTYPE || !(isWhole || rightAt(user, id, site) !== undefined)) continue;
    const counts = sites.get(site) ?? { ...NONE } as Counts;
    sites.set(site, counts);
    counts._consoles++;
    counts[`_${branch._state as ConsoleState}`]++;
    if (hasAlarms(branch)) counts._alarms++;
  }
  return sites;
}

function hasAlarms(branch: Branch | undefined): boolean {
  return (branch?._alarms as readonly string[] | undefined ?? []).length > 0;
}
