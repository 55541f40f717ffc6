/** Moves of own pages on a real service, without a browser. */
import { assertEquals } from "@std/assert";
import { temporaryFolder } from "../../../program/faderd.ts";
import { type Json, startService, type TestService, tokens } from "../../../service.ts";
import { startPageWorker } from "../../page-worker.ts";

/** The result of a move in the page. */
interface Moved {
  readonly name: string | undefined;
  /** The document that the device keeps, as JSON. */
  readonly device: string | undefined;
  readonly notices: readonly string[];
}

/**
 * Opens the page in a worker, which has its own globals, runs `beforeMove` once the page has read
 * the own page of the console, and moves that to the device. Events of view documents do not reach
 * the page. `capacity` is the number of texts for which the browser has room.
 */
async function moveToDevice(
  url: string,
  capacity: number,
  beforeMove: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Moved> {
  await using folder = await temporaryFolder();
  const worker = await startPageWorker(folder.path, url, {
    modules: {
      "view/state/live.ts": "open",
      "view/state/notices.ts": "notices",
      "view/pages/own/places.ts": "movePage, ownPages",
    },
    before: "const stored = new Map();",
    globals: `location: { hash: "#/own", search: "", pathname: "/" },
      localStorage: {
        getItem: (name) => stored.get(name) ?? null,
        setItem(name, text) {
          if (stored.size === ${capacity}) throw new DOMException("", "QuotaExceededError");
          stored.set(name, text);
        },
      },
      WebSocket: class extends WebSocket {
        set onmessage(listener) {
          super.onmessage = listener && ((message) => {
            if (!message.data.includes('"viewdocument"')) listener(message);
          });
        }
      },`,
    script: `onmessage = async () => {
      const name = await movePage(ownPages.value[0], "device");
      const texts = notices.value.map(({ text }) => text);
      postMessage({ name, device: [...stored.values()].at(-1), notices: texts });
    };
    ownPages.subscribe((pages) => {
      if (pages[0]?.place === "console") postMessage("read");
    });
    open("${tokens.admin}");`,
  });
  const next = () =>
    new Promise<Json>((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = reject;
    });
  try {
    await next();
    await beforeMove();
    const moved = next();
    worker.postMessage("move");
    return await moved;
  } finally {
    worker.terminate();
  }
}

const documentWith = (...texts: string[]) => {
  const items = texts.map((text) => ({ kind: "text", text }));
  return { pages: [{ name: "news", title: "News", icon: "own", items }] };
};

const write = (service: TestService, document: object) =>
  service.rpc("setviewdocument", { name: "pages", document });

const inConsole = async (service: TestService) =>
  (await service.rpc("getviewdocument", { name: "pages" })).payload.result.document;

Deno.test("a page stays in the console, and a notice says why, if the browser does not store it", async () => {
  await using service = await startService();
  await write(service, documentWith("first"));
  const { name, notices } = await moveToDevice(service.url, 0);
  assertEquals(await inConsole(service), documentWith("first"));
  assertEquals(name, undefined);
  assertEquals(notices, [
    "This browser does not store the page: its storage is forbidden or full.",
  ]);
});

Deno.test("a page that moves has an item that another device has added just before", async () => {
  await using service = await startService();
  await write(service, documentWith("first"));
  const changed = documentWith("first", "second");
  const { name, device } = await moveToDevice(service.url, Infinity, () => write(service, changed));
  assertEquals(name, "news");
  assertEquals(JSON.parse(device!), changed);
  assertEquals(await inConsole(service), { pages: [] });
});
