/**
 * View documents: JSON objects that the console keeps for device views, by name, such as pages that
 * are the same on all devices. The service does not know what they mean. An addition to the
 * specification.
 *
 * @module
 */
import { type Refusal, refuse } from "../errors.ts";
import { VIEW_DOCUMENT_BYTES, VIEW_DOCUMENTS } from "../limits.ts";

/** The syntax of the name of a view document. */
export const VIEW_DOCUMENT_NAME = /^[a-z0-9-]{1,32}$/;

/** The description of that syntax in messages. */
export const VIEW_DOCUMENT_NAME_FORM = "1 to 32 of a to z, 0 to 9 and '-'";

/** A view document. */
export interface ViewDocument {
  /** The number of the change that wrote it. */
  readonly revision: number;
  /** The document as JSON. As text it takes a tenth of the memory, and is sent as it is. */
  readonly text: string;
}

/** All view documents of a console. */
export interface ViewDocuments {
  /**
   * The number of the last change of any of them. All share one count, so that a document that is
   * removed and written again never has a revision twice.
   */
  readonly revision: number;
  readonly byName: ReadonlyMap<string, ViewDocument>;
}

/** A console on which no view document was ever written. */
export const NO_VIEW_DOCUMENTS: ViewDocuments = { revision: 0, byName: new Map() };

/** A view document as an interface reports it; revision 0 and `null` if there is none. */
export interface ToldViewDocument {
  readonly name: string;
  readonly revision: number;
  readonly document: Readonly<Record<string, unknown>> | null;
}

/** Tells a view document to a client. */
export function tellViewDocument({ byName }: ViewDocuments, name: string): ToldViewDocument {
  const known = byName.get(name);
  return known === undefined
    ? { name, revision: 0, document: null }
    : { name, revision: known.revision, document: JSON.parse(known.text) };
}

/** Returns the number of bytes of a text in UTF-8. */
export function bytesOfText(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Refuses (11) a document, as JSON, that is too large or beyond the maximum number. */
export function viewDocumentRefusal(
  { byName }: Pick<ViewDocuments, "byName">,
  name: string,
  text: string,
): Refusal | undefined {
  const bytes = bytesOfText(text);
  if (bytes > VIEW_DOCUMENT_BYTES) {
    const sentence = `expected at most ${VIEW_DOCUMENT_BYTES} bytes of JSON, got ${bytes}`;
    return refuse("limitReached", sentence, "document");
  }
  if (byName.has(name) || byName.size < VIEW_DOCUMENTS) return undefined;
  const sentence = `there are ${VIEW_DOCUMENTS} view documents already: remove one first`;
  return refuse("limitReached", sentence, "name");
}
