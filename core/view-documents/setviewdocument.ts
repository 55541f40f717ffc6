/**
 * Writes view documents: the RPC `setviewdocument`, an addition to the specification.
 *
 * @module
 */
import type { Command } from "../command.ts";
import { refuse } from "../errors.ts";
import { mayRefusal } from "../users/may.ts";
import { tellViewDocument, type ToldViewDocument, viewDocumentRefusal } from "./view-document.ts";

/** The document to write; `null` removes it. */
export interface SetViewDocument {
  readonly name: string;
  readonly document: ToldViewDocument["document"];
  /** The revision that is expected to be in force; without it any revision is replaced. */
  readonly revision?: number | undefined;
}

/**
 * Writes or removes a view document. An equal document changes nothing, and keeps its revision.
 * Refused: an actor who may not configure (4 or 5), a `revision` that is not in force (3), a
 * document that is too large, and one beyond the maximum number (11).
 */
export function setViewDocument(
  { name, document, revision }: SetViewDocument,
): Command<Omit<ToldViewDocument, "document">> {
  return ({ configuration, viewDocuments }, actor) => {
    const refusal = mayRefusal(configuration, actor, "configure", "writing a view document");
    if (refusal !== undefined) return refusal;
    const inForce = tellViewDocument(viewDocuments, name).revision;
    if (revision !== undefined && revision !== inForce) {
      const sentence = `expected ${inForce}, the revision of ${name} in force, got ${revision}`;
      return refuse("invalidParameter", sentence, "revision");
    }
    const text = document === null ? null : JSON.stringify(document);
    if (text === (viewDocuments.byName.get(name)?.text ?? null)) {
      return { events: [], result: { name, revision: inForce } };
    }
    const excess = text === null ? undefined : viewDocumentRefusal(viewDocuments, name, text);
    if (excess !== undefined) return excess;
    const next = viewDocuments.revision + 1;
    return {
      events: [{ type: "viewdocumentwritten", name, revision: next, text }],
      result: { name, revision: text === null ? 0 : next },
    };
  };
}
