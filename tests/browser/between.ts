/**
 * Stands between a page and its console, on the WebSocket that both talk by.
 *
 * @module
 */
import type { Page } from "./browser.ts";
import type { Json } from "../service.ts";

/** The end of the WebSocket that the page has, to send it messages of one's own and to close it. */
export interface PageEnd {
  send(message: Json): void;
  close(): void;
}

/** Each is given a message, and answers what goes on in its place; nothing does for undefined. */
export interface Between {
  /** A message of the page. */
  readonly asked?: (message: Json, end: PageEnd) => Json;
  /** A message of the console. */
  readonly answered?: (message: Json, end: PageEnd) => Json;
}

const same = (message: Json) => message;

/** For `before` of `open`. */
export function between({ asked = same, answered = same }: Between) {
  return (page: Page): Promise<void> =>
    page.routeWebSocket(/api\/ws$/, (socket) => {
      const server = socket.connectToServer();
      const end: PageEnd = {
        send: (message) => socket.send(JSON.stringify(message)),
        close() {
          socket.close();
          server.close();
        },
      };
      socket.onMessage((text) => {
        const message = asked(JSON.parse(String(text)), end);
        if (message !== undefined) server.send(JSON.stringify(message));
      });
      server.onMessage((text) => {
        const message = answered(JSON.parse(String(text)), end);
        if (message !== undefined) end.send(message);
      });
    });
}

/** Holds the answers that `isHeld` chooses, for as long as a test says: a slow console. */
export function holdAnswers(isHeld: (answer: Json) => boolean) {
  let held: (() => void)[] | undefined = [];
  return {
    before: between({
      answered(answer, end) {
        if (held === undefined || !isHeld(answer)) return answer;
        held.push(() => end.send(answer));
      },
    }),
    /** Lets the answers through that were held, and those to come. */
    release() {
      held?.forEach((send) => send());
      held = undefined;
    },
  };
}

/** The messages that a page has sent, from when it is called on: before it loads. */
export function sentBy(page: Page): Json[] {
  return framesOf(page, "framesent");
}

/** The messages that a page has got. */
export function gotBy(page: Page): Json[] {
  return framesOf(page, "framereceived");
}

function framesOf(page: Page, event: "framesent" | "framereceived"): Json[] {
  const frames: Json[] = [];
  page.on("websocket", (socket) => {
    // One name for both would choose the overload that neither has.
    const note = ({ payload }: { payload: string | Uint8Array }) =>
      void frames.push(JSON.parse(String(payload)));
    if (event === "framesent") socket.on(event, note);
    else socket.on(event, note);
  });
  return frames;
}
