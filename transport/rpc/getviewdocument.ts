import * as v from "valibot";
import { tellViewDocument } from "../../core/view-documents/view-document.ts";
import { rpcMethod } from "../control-api/rpc-method.ts";
import { viewDocument, viewDocumentName, viewDocumentRevision } from "../schemas.ts";

/** Reads a view document; from then on the connection is told of its changes; ours. */
export const getviewdocument = rpcMethod({
  name: "getviewdocument",
  summary:
    "Read a JSON document that the console keeps for device views. A WebSocket is told of its changes from then on, by the event viewdocument.",
  params: { name: viewDocumentName },
  result: v.object({
    name: viewDocumentName,
    revision: viewDocumentRevision,
    document: viewDocument,
  }),
  reads: true,
  // Written in steps (`answersMuch`), the answer could be overtaken by the event of a later change.
  run: (console, { name }, _actor, { connection }) =>
    connection?.followViewDocument(name) ??
      { result: tellViewDocument(console.state.viewDocuments, name) },
});
