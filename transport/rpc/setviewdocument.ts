import * as v from "valibot";
import { setViewDocument } from "../../core/view-documents/setviewdocument.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { viewDocument, viewDocumentName, viewDocumentRevision } from "../schemas.ts";

/** Writes a view document; ours, for users who may configure. */
export const setviewdocument = rpcMethod({
  name: "setviewdocument",
  summary:
    "Write a JSON document that the console keeps for device views; null removes it. With revision, only if that revision is in force. For users who may configure.",
  params: {
    name: viewDocumentName,
    document: viewDocument,
    revision: v.optional(viewDocumentRevision),
  },
  result: v.object({ name: viewDocumentName, revision: viewDocumentRevision }),
  writes: true,
  run: (console, params, actor) => console.dispatch(setViewDocument(params), actor),
});
