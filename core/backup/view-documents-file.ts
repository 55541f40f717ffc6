/**
 * The view documents in an archive: `view.json`, one JSON object with a member for each document,
 * by its name. Revisions are not in it: they count the changes of one console.
 *
 * @module
 */
import type { Refusal } from "../errors.ts";
import { parseUtf8 } from "../json.ts";
import { BACKUP_JSON_VALUES } from "../limits.ts";
import { shown } from "../shown.ts";
import { isBranch } from "../tree/tree.ts";
import {
  VIEW_DOCUMENT_NAME,
  VIEW_DOCUMENT_NAME_FORM,
  viewDocumentRefusal,
  type ViewDocuments,
} from "../view-documents/view-document.ts";
import { badArchive } from "./manifest.ts";

/** The JSON of each view document, by its name. */
export type ViewDocumentTexts = Readonly<Record<string, string>>;

/** Makes the file of the view documents. */
export function viewDocumentsFile({ byName }: ViewDocuments): Uint8Array {
  const members = [...byName.keys()].toSorted()
    .map((name) => `${JSON.stringify(name)}: ${byName.get(name)!.text}`);
  const body = members.length === 0 ? "{}" : `{\n${members.join(",\n")}\n}`;
  return new TextEncoder().encode(`${body}\n`);
}

/**
 * Reads the file of the view documents. Refused (3): a file that is not a JSON object, a name or a
 * document that `setviewdocument` would refuse.
 */
export function readViewDocuments(
  name: string,
  bytes: Uint8Array,
): { readonly viewDocuments: ViewDocumentTexts } | Refusal {
  const file = parseUtf8(bytes, BACKUP_JSON_VALUES);
  if (!isBranch(file)) return badArchive(`${name} is not a JSON object`);
  const byName = new Map<string, { readonly revision: number; readonly text: string }>();
  for (const [document, content] of Object.entries(file)) {
    if (!VIEW_DOCUMENT_NAME.test(document)) {
      const sentence = `expected ${VIEW_DOCUMENT_NAME_FORM}, got ${shown(document)}`;
      return badArchive(`${name}: name: ${sentence}`);
    }
    if (!isBranch(content)) return badArchive(`${name}: ${document} is not an object`);
    const text = JSON.stringify(content);
    const refusal = viewDocumentRefusal({ byName }, document, text);
    if (refusal !== undefined) return badArchive(`${name}: ${document}: ${refusal.message}`);
    byName.set(document, { revision: 0, text });
  }
  const texts = [...byName].map(([document, { text }]) => [document, text] as const);
  return { viewDocuments: Object.fromEntries(texts) };
}
