/// <reference lib="dom" />
/**
 * Opens the view and a bare page in turns, the number of times in the argument, and prints the time
 * that each took: `{"view": [{"fromStart": 80, "fromOpen": 20}], "bare": […]}`, in ms.
 *
 * @module
 */
import { launch, type Page } from "../tests/browser/browser.ts";
import { startFaderd } from "./process.ts";
import { print } from "./report.ts";

/** The time until a page could be used, in ms. */
export interface Opening {
  /** Counted from the time at which its address was given. */
  readonly fromStart: number;
  /** Counted from the time at which its WebSocket was open. */
  readonly fromOpen: number;
}

/** A page can be used once this element is there: it shows a value from the console. */
const USABLE = ".console-name:not(:empty)";

/** The smallest possible page: it connects, asks for the console's name, and shows it. */
const BARE_PAGE = `<!DOCTYPE html><title>bare</title><p class="console-name"></p><script>
const socket = new WebSocket(new URLSearchParams(location.search).get("url"));
socket.onopen = () => socket.send('{"method":"get","path":"/general/_name","msgID":1}');
socket.onmessage = ({ data }) =>
  document.querySelector("p").textContent = JSON.parse(data).payload;
</script>`;

const rounds = Number(Deno.args[0] ?? 1);
const folder = await Deno.makeTempDir({ prefix: "bench-view-" });
const configuration = `${folder}/console.json`;
const bare = Deno.serve(
  { hostname: "127.0.0.1", port: 0, onListen() {} },
  () => new Response(BARE_PAGE, { headers: { "content-type": "text/html" } }),
);
const origin = `http://127.0.0.1:${bare.addr.port}`;
Deno.writeTextFileSync(
  configuration,
  JSON.stringify({ mixers: [{ faders: 16 }], websocket: { origins: [origin] } }),
);
const service = await startFaderd(`${folder}/data`, configuration);
const host = `127.0.0.1:${service.port}`;
const browser = await launch();
const view: Opening[] = [];
const plain: Opening[] = [];
// The first opening of each warms the browser up.
for (let round = -1; round < rounds; round++) {
  const opened = await opening(`http://${host}/`);
  const beside = await opening(`${origin}/?url=ws://${host}/api/ws`);
  if (round < 0) continue;
  view.push(opened);
  plain.push(beside);
}
print(JSON.stringify({ view, bare: plain }));
await browser.close();
await service.stop();
await bare.shutdown();
await Deno.remove(folder, { recursive: true });

async function opening(url: string): Promise<Opening> {
  const context = await browser.newContext();
  const page: Page = await context.newPage();
  await page.addInitScript(watch, USABLE);
  await page.goto(url);
  const opening = await page.evaluate(() =>
    (globalThis as unknown as { taken: Promise<Opening> }).taken
  );
  await context.close();
  return opening;
}

/** Runs in the page before anything else: notes when it is connected, and when it can be used. */
function watch(usable: string): void {
  let opened = 0;
  const { promise, resolve } = Promise.withResolvers<Opening>();
  const page = globalThis as unknown as { WebSocket: typeof WebSocket; taken: Promise<Opening> };
  page.taken = promise;
  page.WebSocket = class extends WebSocket {
    constructor(url: string | URL) {
      super(url);
      this.addEventListener("open", () => opened = performance.now());
    }
  };
  const timer = setInterval(() => {
    if (document.querySelector(usable) === null) return;
    clearInterval(timer);
    const now = performance.now();
    resolve({ fromStart: now, fromOpen: now - opened });
  }, 1);
}
