/**
 * Intercepts the messages between a page and its console, on their WebSocket.
 *
 * @module
 */
import { type Page, until } from "./browser.ts";
import type { Json } from "../service.ts";

/**
 * The page's end of the WebSocket: a test can send messages to the page and close the connection.
 */
export interface PageEnd {
  send(message: Json): void;
  close(): void;
}

/**
 * Handlers of messages. Each returns the message to be passed on instead, or undefined for none.
 */
export interface Between {
  /** Called with a message from the page. */
  readonly asked?: (message: Json, end: PageEnd) => Json;
  /** Called with a message from the console. */
  readonly answered?: (message: Json, end: PageEnd) => Json;
}

const same = (message: Json) => message;

/** Makes a function for the option `before` of `open`, which intercepts the messages of a page. */
export function between({ asked = same, answered = same }: Between) {
  return (page: Page): Promise<void> =>
    page.routeWebSocket(/api\/ws$/, (socket) => {
      const server = socket.connectToServer();
      let isClosed = false;
      const end: PageEnd = {
        send: (message) => socket.send(JSON.stringify(message)),
        close() {
          isClosed = true;
          socket.close();
          server.close();
        },
      };
      socket.onMessage((text) => {
        // The page may send until it hears of the close; Chromium complains of what is sent then.
        if (isClosed) return;
        const message = asked(JSON.parse(String(text)), end);
        if (message !== undefined) server.send(JSON.stringify(message));
      });
      server.onMessage((text) => {
        const message = answered(JSON.parse(String(text)), end);
        if (message !== undefined) end.send(message);
      });
    });
}

/**
 * Simulates a slow console: holds the answers for which `isHeld` returns true until `release` is
 * called.
 */
export function holdAnswers(isHeld: (answer: Json) => boolean) {
  let held: (() => void)[] | undefined = [];
  return {
    before: between({
      answered(answer, end) {
        if (held === undefined || !isHeld(answer)) return answer;
        held.push(() => end.send(answer));
      },
    }),
    /** Passes on the held answers and all later ones. */
    release() {
      held?.forEach((send) => send());
      held = undefined;
    },
  };
}

/**
 * Loses the connection of a page twice, the second time while the page reads everything anew.
 * `lose` resolves once the page has requested `path` on its third connection; that request is not
 * passed on, so that the page still shows what it has kept.
 */
export function loseTwice(path: string) {
  let last: PageEnd | undefined;
  let left: number | undefined;
  return {
    before: between({
      asked(message, end) {
        last = end;
        if (left === undefined || message.path !== path) return message;
        if (--left > 0) end.close();
      },
    }),
    async lose() {
      left = 2;
      last!.close();
      await until(() => left! <= 0);
    },
  };
}

/** The messages that a page sends from the call on; to be called before the page loads. */
export function sentBy(page: Page): Json[] {
  return framesOf(page, "framesent");
}

/** The messages that a page receives from the call on; to be called before the page loads. */
export function gotBy(page: Page): Json[] {
  return framesOf(page, "framereceived");
}

function framesOf(page: Page, event: "framesent" | "framereceived"): Json[] {
  const frames: Json[] = [];
  page.on("websocket", (socket) => {
    // TypeScript has no overload of `on` for a union of both event names.
    const note = ({ payload }: { payload: string | Uint8Array }) =>
      void frames.push(JSON.parse(String(payload)));
    if (event === "framesent") socket.on(event, note);
    else socket.on(event, note);
  });
  return frames;
}
