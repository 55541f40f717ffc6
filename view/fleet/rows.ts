/**
 * The rows of the Fleet page: the shown consoles, their order, and the visible rows.
 *
 * @module
 */
import type { Consoles, FleetConsole } from "./console.ts";

/** The choices of shown consoles: `away` are the stale and gone consoles. */
export const SHOWS = ["all", "alarms", "live", "away", "quarantined"] as const;

/** One of {@link SHOWS}. */
export type Show = typeof SHOWS[number];

/** The search: only consoles that match all of it are shown. */
export interface Filter {
  /** Words, all of which a console has to contain. */
  readonly words: string;
  /** The site; undefined for all sites. */
  readonly site: string | undefined;
  readonly show: Show;
}

/** The empty search: all consoles are shown. */
export const EVERYTHING: Filter = { words: "", site: undefined, show: "all" };

/** A row: the heading of a site, or of the consoles to be approved, or a console. */
export type Row =
  | { readonly heading: { readonly site: string | undefined; readonly count: number } }
  | { readonly id: string };

/** Height of a row in pixels, as the styles have it. */
export const ROW_PX = 64;

/** Number of rows beyond each edge that the page already contains before they are scrolled to. */
const AHEAD = 4;

/** The predicate of each of {@link SHOWS}. */
const MEANINGS: Readonly<Record<Show, (console: FleetConsole) => boolean>> = {
  all: () => true,
  alarms: ({ _alarms }) => _alarms.length > 0,
  live: ({ _state }) => _state === "live",
  away: ({ _state }) => _state === "stale" || _state === "gone",
  quarantined: ({ _state }) => _state === "quarantined",
};

/** Returns the consoles that are in the fleet. */
export function consolesIn(consoles: Consoles): FleetConsole[] {
  return Object.values(consoles).filter(({ _state }) => _state !== "removed");
}

/** Returns the sites of consoles, in their order. */
export function sitesOf(
  consoles: readonly Pick<FleetConsole, "_site">[],
  collator: Intl.Collator,
): string[] {
  return [...new Set(consoles.map(({ _site }) => _site))].sort(collator.compare);
}

/** Returns the number of consoles that each of {@link SHOWS} would show. */
export function countsOf(consoles: readonly FleetConsole[]): Readonly<Record<Show, number>> {
  const counts = { all: 0, alarms: 0, live: 0, away: 0, quarantined: 0 };
  for (const console of consoles) {
    for (const show of SHOWS) if (MEANINGS[show](console)) counts[show]++;
  }
  return counts;
}

/**
 * Returns the rows: first the consoles to be approved, then the consoles of each site, by their
 * names.
 */
export function rowsOf(
  consoles: readonly FleetConsole[],
  { words, site, show }: Filter,
  collator: Intl.Collator,
): Row[] {
  const hasWords = searchFor(words);
  const shown = consoles.filter((console) => {
    const { _id, _name, _site, _version, _alarms } = console;
    return (site === undefined || _site === site) && MEANINGS[show](console) &&
      hasWords(_id, _name, _site, _version, ..._alarms);
  });
  const byName = (one: FleetConsole, other: FleetConsole) =>
    collator.compare(one._site, other._site) || collator.compare(one._name, other._name) ||
    (one._id < other._id ? -1 : 1);
  const isWaiting = ({ _state }: FleetConsole) => _state === "quarantined";
  const groups: { site: string | undefined; of: FleetConsole[] }[] = [];
  const waiting = shown.filter(isWaiting).sort(byName);
  if (waiting.length > 0) groups.push({ site: undefined, of: waiting });
  for (const console of shown.filter((console) => !isWaiting(console)).sort(byName)) {
    const last = groups.at(-1);
    if (last?.site === console._site) last.of.push(console);
    else groups.push({ site: console._site, of: [console] });
  }
  return groups.flatMap(({ site, of }) => [
    { heading: { site, count: of.length } },
    ...of.map(({ _id }) => ({ id: _id })),
  ]);
}

/** Returns the matching consoles, in the order of their rows. */
export function foundOf(
  consoles: readonly FleetConsole[],
  filter: Filter,
  collator: Intl.Collator,
): FleetConsole[] {
  const byId = new Map(consoles.map((console) => [console._id, console]));
  return rowsOf(consoles, filter, collator).flatMap((row) => "id" in row ? byId.get(row.id)! : []);
}

/** Makes the search for words; it says whether texts contain all of them. */
export function searchFor(words: string): (...texts: readonly string[]) => boolean {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter((word) => word !== "");
  if (wanted.length === 0) return () => true;
  return (...texts) => {
    const text = texts.join("\n").toLocaleLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}

/** Returns whether two lists of rows show the same, so that nothing has to be drawn again. */
export function isSame(some: readonly Row[], others: readonly Row[]): boolean {
  return some.length === others.length &&
    some.every((row, index) => keyOf(row) === keyOf(others[index]!));
}

/** Returns a text that is the same for the same row. */
export function keyOf(row: Row): string {
  if ("id" in row) return row.id;
  const { site, count } = row.heading;
  return `${count} ${site === undefined ? "" : `at ${site}`}`;
}

/**
 * Returns the index of the first row that the page has to contain, and the index behind the last.
 */
export function seenRows(
  top: number,
  height: number,
  rows: number,
): readonly [from: number, to: number] {
  const from = Math.max(0, Math.floor(top / ROW_PX) - AHEAD);
  return [Math.min(from, rows), Math.min(rows, Math.ceil((top + height) / ROW_PX) + AHEAD)];
}
