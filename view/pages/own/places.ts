/**
 * The places of own pages: on this device, or in the console for all devices.
 *
 * @module
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { keep, kept } from "../../state/kept.ts";
import { ownLinks } from "../../parts/own-links.ts";
import { notice } from "../../state/notices.ts";
import { changeViewDocument, type ViewContent, viewDocument } from "../../state/view-document.ts";
import { ownTexts } from "../../texts/own.ts";
import { textsOf } from "../../texts/texts.ts";
import {
  type Change,
  isFull,
  type OwnPage,
  pageName,
  pageNames,
  pageOf,
  readPages,
  withPage,
  withPageMoved,
  withPageOf,
} from "./own-page.ts";

/** The name of the document, both on the device and in the console. */
const DOCUMENT = "pages";

/** The places, in the order in which they are searched. */
export const PLACES = ["device", "console"] as const;

/** A place where own pages are kept. */
export type OwnPlace = typeof PLACES[number];

/** An own page, and its place. */
export interface KeptPage extends OwnPage {
  readonly place: OwnPlace;
}

const onDevice = signal<ViewContent>(parsed(kept("localStorage", DOCUMENT)));
const inConsole = viewDocument(DOCUMENT);

// Another window of this device may change them.
addEventListener("storage", () => onDevice.value = parsed(kept("localStorage", DOCUMENT)));

/** Whether this console keeps own pages; undefined until it has answered. */
export const consoleKeeps: ReadonlySignal<boolean | undefined> = computed(() =>
  inConsole.value === undefined ? undefined : inConsole.value !== null
);

/** All own pages: the pages of the device, then the pages of the console with other names. */
export const ownPages: ReadonlySignal<readonly KeptPage[]> = computed(() => {
  const device = pagesIn("device", onDevice.value);
  const names = new Set(device.map(({ name }) => name));
  const others = pagesIn("console", inConsole.value?.document)
    .filter(({ name }) => !names.has(name));
  return [...device, ...others];
});

effect(() => {
  ownLinks.value = ownPages.value;
});

/**
 * Applies `change` to the present state of the page called `name`, and keeps the result. Resolves
 * with whether it is kept; the message of a refusal is shown.
 */
export async function keepPage(place: OwnPlace, name: string, change: Change): Promise<boolean> {
  return await keepDocument(place, (content) => withPage(content, name, change));
}

/** Whether a place holds the maximum number of own pages. */
export function isFullAt(place: OwnPlace): boolean {
  return isFull(contentAt(place));
}

/**
 * Moves a page to another place: it is first kept there, and then removed here. If its name is
 * taken there, it gets another name. What other devices change in it meanwhile moves with it.
 * Resolves with its new name; undefined if it stays where it was.
 */
export async function movePage(page: KeptPage, place: OwnPlace): Promise<string | undefined> {
  const here = contentAt(page.place);
  let name = page.name;
  const isThere = await keepDocument(place, (there) => {
    const others = pageNames(here).filter((other) => other !== page.name);
    const isTaken = pageNames(there).includes(page.name);
    name = isTaken ? pageName(page.name, [...pageNames(there), ...others]) : page.name;
    return withPageOf(there, here, page.name, name);
  });
  if (!isThere) return undefined;
  let copied = pageOf(here, page.name);
  for (;;) {
    let found = copied;
    const isSame = () => JSON.stringify(found) === JSON.stringify(copied);
    const isRemoved = await keepPage(page.place, page.name, (now) => {
      found = now;
      return isSame() ? undefined : now;
    });
    if (!isRemoved || found === undefined || isSame()) return name;
    const changed = { ...found, name };
    if (!await keepPage(place, name, () => changed)) {
      await keepPage(place, name, () => undefined);
      return undefined;
    }
    copied = found;
  }
}

async function keepDocument(
  place: OwnPlace,
  changed: (content: ViewContent) => ViewContent,
): Promise<boolean> {
  if (place === "console") return await changeViewDocument(DOCUMENT, changed);
  const content = changed(onDevice.value);
  const isKept = keep("localStorage", DOCUMENT, JSON.stringify(content));
  if (isKept) onDevice.value = content;
  else notice(textsOf(ownTexts).notStored);
  return isKept;
}

/**
 * Moves a page to the position of another page of its place; the pages between make room. Resolves
 * with whether the order is kept; the message of a refusal is shown.
 */
export async function putPage(place: OwnPlace, name: string, there: string): Promise<boolean> {
  return await keepDocument(place, (content) => withPageMoved(content, name, there));
}

function contentAt(place: OwnPlace): ViewContent {
  return place === "device" ? onDevice.peek() : inConsole.peek()?.document ?? null;
}

function pagesIn(place: OwnPlace, content: ViewContent | undefined): readonly KeptPage[] {
  return readPages(content).map((page) => ({ ...page, place }));
}

function parsed(text: string | undefined): ViewContent {
  try {
    const content = JSON.parse(text ?? "null");
    return typeof content === "object" && !Array.isArray(content) ? content : null;
  } catch {
    return null;
  }
}
