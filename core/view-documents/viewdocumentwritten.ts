import { type EventDefinition, type Note, plainJson } from "../event.ts";
import type { State } from "../state.ts";
import { without } from "../without.ts";
import { bytesOfText, type ViewDocument } from "./view-document.ts";

/** A view document was written, or removed where `text` is null. */
export interface ViewDocumentWritten {
  readonly type: "viewdocumentwritten";
  readonly name: string;
  readonly revision: number;
  readonly text: string | null;
}

/**
 * The event is durable. A checkpoint has one for each document, and, where the last change was a
 * removal, one without a name that keeps the count of revisions.
 */
export const viewdocumentwritten: EventDefinition<ViewDocumentWritten> = {
  reduce(state, { name, revision, text }): State {
    const { byName } = state.viewDocuments;
    const after = text === null
      ? without(byName, name)
      : new Map(byName).set(name, { revision, text });
    return { ...state, viewDocuments: { revision, byName: after } };
  },
  log: {
    ...plainJson,
    ifNotStored: "refused",
    *checkpoint({ viewDocuments: { revision, byName } }) {
      const type = "viewdocumentwritten";
      const documents = [...byName].toSorted(([, one], [, other]) => one.revision - other.revision);
      for (const [name, document] of documents) yield { type, name, ...document };
      if (revision > (documents.at(-1)?.[1].revision ?? 0)) {
        yield { type, name: "", revision, text: null };
      }
    },
  },
  tell({ viewDocuments: { byName } }, { name, revision, text }, note) {
    noteViewDocument(name, byName.get(name), text === null ? undefined : { revision, text }, note);
  },
};

/** Notes the change of a view document for the audit trail: its size stands for its content. */
export function noteViewDocument(
  name: string,
  before: ViewDocument | undefined,
  after: ViewDocument | undefined,
  note: Note,
): void {
  const told = (one: ViewDocument | undefined) =>
    one && { revision: one.revision, bytes: bytesOfText(one.text) };
  if (before !== after) note(`/viewdocuments/${name}`, told(before), told(after));
}
