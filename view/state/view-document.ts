/**
 * The documents that the console keeps for device views, such as own pages: each is followed from
 * its first reader on.
 *
 * @module
 */
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { RequestError, RpcResult } from "../../client/client.ts";
import { onEvent, onOpen, tryRpc } from "./live.ts";
import { texts } from "../texts/texts.ts";
import { notice } from "./notices.ts";

/** A document as the console returns it: `revision` 0 and `document` null if there is none. */
export type ViewDocument = RpcResult<"getviewdocument">;

/** The content of a document; null for nothing. Any device may have written anything. */
export type ViewContent = ViewDocument["document"];

/** The code of an unknown method: a console without view documents. */
const UNKNOWN_METHOD = 2;
/** The code of a refused parameter: here a revision other than the revision in force. */
const INVALID_PARAMETER = 3;

/** Number of attempts to change a document that other devices change meanwhile. */
const TRIES = 4;

type Known = ViewDocument | null | undefined;

/** The documents that are followed. There are few, and they are small, so none is let go. */
const followed = new Map<string, Signal<Known>>();

/**
 * A document of the console, kept up to date; undefined until the console has answered, null if it
 * keeps no documents, so that none can be written.
 */
export function viewDocument(name: string): ReadonlySignal<Known> {
  const known = followed.get(name);
  if (known !== undefined) return known;
  const document = signal<Known>(undefined);
  followed.set(name, document);
  onEvent((event) => {
    if (event.type === "viewdocument" && event.params.name === name) document.value = event.params;
  });
  onOpen(async () => {
    document.value = await ask(name).catch(() => document.value);
  });
  return document;
}

/** Asks for a document; null if the console keeps none. */
async function ask(name: string): Promise<ViewDocument | null> {
  try {
    return await tryRpc("getviewdocument", { name });
  } catch (fault) {
    if ((fault as RequestError).code === UNKNOWN_METHOD) return null;
    throw fault;
  }
}

/**
 * Applies `change` to the content of a document, and writes the result; applies it again if another
 * device has changed the document meanwhile. Resolves with whether the result is in force; a
 * refusal is shown as a notice.
 */
export async function changeViewDocument(
  name: string,
  change: (content: ViewContent) => ViewContent,
): Promise<boolean> {
  let known = viewDocument(name).peek();
  if (known === undefined) {
    known = await ask(name).catch(({ message }: RequestError) => void notice(message));
  }
  if (known === null) notice(texts().shell.noDocuments);
  for (let left = TRIES; known; left--) {
    const { document, revision } = known;
    try {
      await tryRpc("setviewdocument", { name, document: change(document), revision });
      return true;
    } catch (fault) {
      const { code, message } = fault as RequestError;
      known = code === INVALID_PARAMETER && left > 1
        ? await tryRpc("getviewdocument", { name }).catch(() => undefined)
        : undefined;
      if (known === undefined) notice(message);
    }
  }
  return false;
}
