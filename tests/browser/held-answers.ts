/**
 * A console that is slow to answer, for as long as a test says.
 *
 * @module
 */
import type { Page } from "./browser.ts";

/** An answer as it comes over the WebSocket. */
type Answer = ReturnType<typeof JSON.parse>;

/** Stands between a page and its console. */
export interface HeldAnswers {
  /** For `before` of `open`. */
  readonly before: (page: Page) => Promise<void>;
  /** Lets the answers through that were held, and those to come. */
  release(): void;
}

/** Holds the answers that `isHeld` chooses until they are released. */
export function holdAnswers(isHeld: (answer: Answer) => boolean): HeldAnswers {
  let held: (() => void)[] | undefined = [];
  return {
    before: (page) =>
      page.routeWebSocket(/api\/ws$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((text) => {
          if (held !== undefined && isHeld(JSON.parse(String(text)))) {
            held.push(() => socket.send(text));
          } else socket.send(text);
        });
      }),
    release() {
      held?.forEach((send) => send());
      held = undefined;
    },
  };
}
