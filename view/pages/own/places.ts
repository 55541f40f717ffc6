/**
 * Where own pages are kept: on this device, or in the console for all devices.
 *
 * @module
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import { keep, kept } from "../../state/kept.ts";
import { ownLinks } from "../../parts/own-links.ts";
import { changeViewDocument, type ViewContent, viewDocument } from "../../state/view-document.ts";
import {
  type Change,
  isFull,
  type OwnPage,
  pageName,
  pageNames,
  readPages,
  withPage,
  withPageMoved,
  withPageOf,
} from "./own-page.ts";

/** The name of the document, on the device as in the console. */
const DOCUMENT = "pages";

/** The places, those that are looked into first at the beginning. */
export const PLACES = ["device", "console"] as const;

/** A place where own pages are kept. */
export type OwnPlace = typeof PLACES[number];

/** An own page, and where it is kept. */
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

/** All own pages: those of the device, then those of the console with other names. */
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
 * Keeps what `change` makes of the page called `name`, as it is by then. Resolves with whether that
 * is kept; of a refusal the console's sentence is shown.
 */
export async function keepPage(place: OwnPlace, name: string, change: Change): Promise<boolean> {
  return await keepDocument(place, (content) => withPage(content, name, change));
}

/** Whether a place holds as many own pages as there may be. */
export function isFullAt(place: OwnPlace): boolean {
  return isFull(contentAt(place));
}

/**
 * Keeps a page elsewhere: first there, then no more where it was. Where its name is taken there, it
 * gets another one. Resolves with its name by then; undefined where it stays where it was.
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
  await keepPage(page.place, page.name, () => undefined);
  return name;
}

async function keepDocument(
  place: OwnPlace,
  changed: (content: ViewContent) => ViewContent,
): Promise<boolean> {
  if (place === "console") return await changeViewDocument(DOCUMENT, changed);
  onDevice.value = changed(onDevice.value);
  keep("localStorage", DOCUMENT, JSON.stringify(onDevice.value));
  return true;
}

/** Puts a page where another one of its place stands; the others move up. */
export async function putPage(place: OwnPlace, name: string, there: string): Promise<void> {
  await keepDocument(place, (content) => withPageMoved(content, name, there));
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
