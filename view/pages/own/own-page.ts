/**
 * The stored form of own pages: their possible content, and its reading. Any device may have
 * written anything, so an unreadable item is shown as such in its place, and the rest is shown.
 *
 * @module
 */
import { OWN_PAGE_ITEMS, OWN_PAGE_TEXT_LENGTH, OWN_PAGES } from "../../../core/limits.ts";
import { ICONS, type PageIcon } from "./page-icons.ts";

/** The content of a view document. */
type Content = Readonly<Record<string, unknown>>;

/** The syntax of the name of a page, which is a part of its address. */
const PAGE_NAME = /^[a-z0-9-]{1,32}$/;

/** The switches that a page may hold: the ones that belong to a programme. */
const KEY_PATH =
  /^\/(audio\/mixers\/\d{1,5}\/(faders\/\d{1,5}\/(on|pfl1|pfl2)|mutegroups\/\d{1,5})|control\/logics\/\d{1,9}\/value)$/;

/** Says whether a value has a type. */
type Check<Type> = (value: unknown) => value is Type;

const isNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= OWN_PAGE_TEXT_LENGTH;
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";
const isKeyPath = (value: unknown): value is string => isText(value) && KEY_PATH.test(value);
const isMeterKind = (value: unknown): value is "levels" | "loudness" =>
  value === "levels" || value === "loudness";

/** The members of each kind of item. */
const MEMBERS = {
  /** The strip of a fader. */
  strip: { mixer: isNumber, fader: isNumber },
  /** A switch of the control tree. */
  key: { path: isKeyPath },
  /** An external list. */
  list: { list: isNumber },
  /** A meter of the console. */
  meter: { of: isMeterKind, id: isNumber },
  /** A key that loads a mixer snapshot, after a confirmation if `asks`. */
  snapshot: { mixer: isNumber, id: isText, name: isText, asks: isFlag },
  /** A channel snapshot that is loaded to a fader. */
  channelsnapshot: { mixer: isNumber, fader: isNumber, id: isText, name: isText, asks: isFlag },
  /** A processing snapshot that is loaded to a flex processing. */
  processingsnapshot: { fp: isNumber, id: isText, name: isText, asks: isFlag },
  /** A line of text above the next items. */
  text: { text: isText },
} as const;

type Members = typeof MEMBERS;
type Checked<Of> = Of extends Check<infer Type> ? Type : never;

/** The items of an own page, by their kinds. */
export type Item = {
  [Kind in keyof Members]:
    & { readonly kind: Kind }
    & { readonly [Member in keyof Members[Kind]]: Checked<Members[Kind][Member]> };
}[keyof Members];

/** An item of a kind. */
export type ItemOf<Kind extends Item["kind"]> = Extract<Item, { readonly kind: Kind }>;

/** An item that loads a snapshot. */
export type SnapshotItemOf = ItemOf<"snapshot" | "channelsnapshot" | "processingsnapshot">;

/** An item that cannot be read; it is kept as it is until somebody removes it. */
export interface Unread {
  readonly kind: "unread";
  readonly content: unknown;
}

/** An own page. */
export interface OwnPage {
  /** Its name in the address. */
  readonly name: string;
  readonly title: string;
  readonly icon: PageIcon;
  readonly items: Items;
}

/** The items of an own page, in their order. */
export type Items = readonly (Item | Unread)[];

/**
 * Reads the own pages of a document as they are shown: up to the maximum numbers of pages and
 * items.
 */
export function readPages(content: Content | null | undefined): readonly OwnPage[] {
  return allPages(content).slice(0, OWN_PAGES)
    .map((page) => ({ ...page, items: page.items.slice(0, OWN_PAGE_ITEMS) }));
}

/** Whether a document holds the maximum number of own pages. */
export function isFull(content: Content | null | undefined): boolean {
  return allPages(content).length >= OWN_PAGES;
}

/** Returns the new state of a page; undefined for no page, as the argument and as the result. */
export type Change = (page: OwnPage | undefined) => OwnPage | undefined;

/**
 * Returns a document in which `change` has changed the page called `name`; `change` gets the page
 * with all of its items. Unchanged members, and unknown members of the document and of the page,
 * stay as they were written.
 */
export function withPage(content: Content | null, name: string, change: Change): Content {
  const raw = rawPages(content);
  const found = raw.findIndex((one) => readPage(one)?.name === name);
  const before = readPage(raw[found]);
  const after = change(before);
  const place = found < 0 ? raw.length : found;
  const written = after === undefined
    ? []
    : [{ ...raw[found] as Content, ...changes(before, after) }];
  return { ...content, pages: raw.toSpliced(place, 1, ...written) };
}

/**
 * Returns a document with one more page: the page called `name` of another document, as it was
 * written there, under the name `newName`. If the other document has no such page, nothing changes.
 */
export function withPageOf(
  content: Content | null,
  other: Content | null,
  name: string,
  newName: string,
): Content {
  const page = rawPages(other).find((one) => readPage(one)?.name === name);
  if (page === undefined) return { ...content };
  return { ...content, pages: [...rawPages(content), { ...page as Content, name: newName }] };
}

/** Returns the page called `name` of a document, with all of its items. */
export function pageOf(content: Content | null, name: string): OwnPage | undefined {
  return allPages(content).find((page) => page.name === name);
}

/** Returns the names of all own pages of a document, including those that are not shown. */
export function pageNames(content: Content | null | undefined): readonly string[] {
  return allPages(content).map(({ name }) => name);
}

/**
 * Returns a document in which the page called `name` is moved to the place of the page called
 * `there`. If either is missing nothing changes.
 */
export function withPageMoved(content: Content | null, name: string, there: string): Content {
  const raw = rawPages(content);
  const placeOf = (name: string) => raw.findIndex((one) => isObject(one) && one.name === name);
  const [from, to] = [placeOf(name), placeOf(there)];
  if (from < 0 || to < 0) return { ...content };
  return { ...content, pages: raw.toSpliced(from, 1).toSpliced(to, 0, raw[from]) };
}

/**
 * Returns the items of a page without the item that was at `at` in the `shown` items. Another
 * device may have changed the page since: if the item is gone nothing changes.
 */
export function withoutItem(items: Items, shown: Items, at: number): Items {
  const found = placeOf(items, shown, at);
  return found < 0 ? items : items.toSpliced(found, 1);
}

/**
 * Returns the items of a page with the item that was at `from` in the `shown` items moved to the
 * place of the item that was at `to`. If either is gone nothing changes.
 */
export function withItemMoved(items: Items, shown: Items, from: number, to: number): Items {
  const [at, there] = [placeOf(items, shown, from), placeOf(items, shown, to)];
  if (at < 0 || there < 0) return items;
  return items.toSpliced(at, 1).toSpliced(there, 0, items[at]!);
}

/**
 * Returns a key for each item: its content, and its number among equal items. So it stays the same
 * when another item is added, removed or moved.
 */
export function itemKeys(items: Items): readonly string[] {
  const counts = new Map<string, number>();
  return items.map((item) => {
    const content = JSON.stringify(item);
    const count = counts.get(content) ?? 0;
    counts.set(content, count + 1);
    return `${count} ${content}`;
  });
}

/** The place of a shown item in the items of the page; of equal items the one at the same place. */
function placeOf(items: Items, shown: Items, at: number): number {
  const wanted = JSON.stringify(shown[at]);
  const isIt = (item: unknown) => JSON.stringify(item) === wanted;
  return isIt(items[at]) ? at : items.findIndex(isIt);
}

/** Makes the name of a page from its title, different from the names that are `taken`. */
export function pageName(title: string, taken: readonly string[]): string {
  const plain = title.toLowerCase().replaceAll("ß", "ss").normalize("NFD")
    .replace(/\p{M}/gu, "").replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 28);
  const base = plain.replace(/-$/, "") || "page";
  let name = base;
  for (let count = 2; taken.includes(name); count++) name = `${base}-${count}`;
  return name;
}

function rawPages(content: Content | null | undefined): readonly unknown[] {
  return Array.isArray(content?.pages) ? content.pages : [];
}

/** All own pages with all of their items; of several pages with one name the first. */
function allPages(content: Content | null | undefined): readonly OwnPage[] {
  const names = new Set<string>();
  return rawPages(content).map(readPage).filter((page) => page !== undefined)
    .filter(({ name }) => !names.has(name) && names.add(name));
}

function readPage(page: unknown): OwnPage | undefined {
  if (!isObject(page)) return undefined;
  const { name, title, icon, items } = page;
  if (!isText(name) || !PAGE_NAME.test(name)) return undefined;
  return {
    name,
    title: isText(title) && title.trim() !== "" ? title : name,
    icon: ICONS.find((one) => one === icon) ?? "own",
    items: (Array.isArray(items) ? items : []).map(readItem),
  };
}

/**
 * Reads an item, which must have the members of its kind; its other members stay when the page is
 * written again.
 */
function readItem(item: unknown): Item | Unread {
  const unread = { kind: "unread", content: item } as const;
  if (!isObject(item) || typeof item.kind !== "string") return unread;
  if (!Object.hasOwn(MEMBERS, item.kind)) return unread;
  const members: Readonly<Record<string, Check<unknown>>> = MEMBERS[item.kind as Item["kind"]];
  const isRight = Object.entries(members).every(([member, check]) => check(item[member]));
  return isRight ? item as unknown as Item : unread;
}

/** The changed members of a page, in their written form. */
function changes(before: OwnPage | undefined, { name, title, icon, items }: OwnPage): Content {
  return {
    name,
    ...title !== before?.title && { title },
    ...icon !== before?.icon && { icon },
    ...items !== before?.items && { items: items.map(writtenItem) },
  };
}

function writtenItem(item: Item | Unread): unknown {
  return item.kind === "unread" ? item.content : item;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
