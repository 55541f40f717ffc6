/**
 * Sends connections the event `viewdocument` whenever a view document that they follow has changed,
 * for whatever reason.
 *
 * @module
 */
import type { Console } from "../../core/console.ts";
import { type Refusal, refuse } from "../../core/errors.ts";
import { FOLLOWED_VIEW_DOCUMENTS } from "../../core/limits.ts";
import { tellViewDocument } from "../../core/view-documents/view-document.ts";
import type { Hearer } from "./meter-feed.ts";

/** The feed of the view documents of a console to the connections that follow them. */
export interface ViewDocumentFeed {
  /**
   * From now on the hearer is told of a document. Refuses (11) a document beyond the maximum
   * number.
   */
  follow(hearer: Hearer, name: string): Refusal | undefined;
  /** The hearer is not told of documents any more. */
  stop(hearer: Hearer): void;
}

/** Makes the feed of a console, which nobody follows at first. */
export function createViewDocumentFeed(console: Console): ViewDocumentFeed {
  const followed = new Map<Hearer, Set<string>>();
  let told = console.state.viewDocuments;

  console.watch((_event, { viewDocuments }) => {
    if (viewDocuments === told) return;
    const before = told;
    told = viewDocuments;
    const texts = new Map<string, string>();
    for (const [hearer, names] of followed) {
      if (!hearer.mayHear()) continue;
      for (const name of names) {
        if (before.byName.get(name) === told.byName.get(name)) continue;
        if (!texts.has(name)) texts.set(name, eventOf(name));
        hearer.sendBuffer.send(texts.get(name)!);
      }
    }
  });

  function eventOf(name: string): string {
    const payload = { type: "viewdocument", params: tellViewDocument(told, name) };
    return JSON.stringify({ method: "event", payload });
  }

  return {
    follow(hearer, name) {
      const names = followed.get(hearer) ?? new Set();
      if (names.size >= FOLLOWED_VIEW_DOCUMENTS && !names.has(name)) {
        const sentence =
          `this connection follows ${FOLLOWED_VIEW_DOCUMENTS} view documents already`;
        return refuse("limitReached", sentence, "name");
      }
      followed.set(hearer, names.add(name));
    },
    stop: (hearer) => void followed.delete(hearer),
  };
}
