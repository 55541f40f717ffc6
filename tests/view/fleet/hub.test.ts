/** The calls that the page of a hub sends over HTTP. */
import { assertEquals } from "@std/assert";
import { bundled } from "../../../tools/esbuild.ts";
import { temporaryFolder } from "../../program/faderd.ts";

const root = new URL("../../../", import.meta.url);

/** The part of the page that the tests use. */
interface Page {
  hubRpc(method: string, params: object): Promise<unknown>;
  logIn(token: string, isForDevice: boolean): void;
}

/**
 * Bundles the module as a function of the globals of a browser, so that no other test sees them:
 * only the page has the packages that it uses.
 */
async function load(): Promise<(globals: Readonly<Record<string, unknown>>) => Page> {
  await using folder = await temporaryFolder();
  const entry = `${folder.path}/entry.ts`;
  const from = (file: string) => JSON.stringify(new URL(`view/${file}`, root).pathname);
  const text = `export { hubRpc } from ${from("fleet/hub.ts")};
    export { logIn } from ${from("state/rights.ts")};`;
  Deno.writeTextFileSync(entry, text);
  const { code } = await bundled(entry, {
    ...{ config: "deno.web.json", lock: "view/deno.lock" },
    ...{ format: "iife", globalName: "page" },
  });
  return (globals) =>
    new Function(...Object.keys(globals), `${code}; return page;`)(
      ...Object.values(globals),
    );
}

const open = await load();

/** A call over HTTP, which the test answers, or fails. */
interface Call {
  readonly method: string;
  readonly user: string | undefined;
  answer(): void;
  fail(): void;
}

/** The page of a hub that answers each request over its WebSocket, until it is cut. */
function openPage() {
  const calls: Call[] = [];
  const timeouts: AbortController[] = [];
  let isCut = false;
  let tick = () => {};
  class Socket extends EventTarget {
    readyState = 0;
    bufferedAmount = 0;
    onopen = () => {};
    onmessage = (_event: Event) => {};
    onclose = () => {};
    constructor() {
      super();
      queueMicrotask(() => {
        this.readyState = 1;
        this.onopen();
      });
    }
    send(text: string): void {
      if (isCut) return;
      const { msgID, method, payload } = JSON.parse(text);
      const result = method === "rpc" ? { method: payload.method, result: {} } : 1;
      const data = JSON.stringify({ msgID, method, payload: result, success: true });
      queueMicrotask(() => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage(event);
      });
    }
    close(): void {
      this.readyState = 3;
    }
  }
  const page = open({
    document: { baseURI: "http://hub.test/", documentElement: { dataset: {} } },
    location: { search: "" },
    matchMedia: () => ({ matches: false }),
    WebSocket: Object.assign(Socket, { OPEN: 1 }),
    setInterval: (act: () => void) => void (tick = act),
    AbortSignal: {
      timeout() {
        const controller = new AbortController();
        timeouts.push(controller);
        return controller.signal;
      },
    },
    fetch: (_url: URL, { body, headers, signal }: RequestInit) => {
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      signal?.addEventListener("abort", () => reject(signal.reason));
      calls.push({
        method: JSON.parse(body as string).payload.method,
        user: (headers as Record<string, string>).authorization,
        answer: () => resolve(Response.json({ payload: { result: {} }, success: true })),
        fail: () => reject(new TypeError("network")),
      });
      return promise;
    },
  });
  return {
    ...page,
    calls,
    timeouts,
    /** Has nothing come from the hub any more, and the page notice it. */
    cut() {
      isCut = true;
      for (let ticks = 0; ticks < 100; ticks++) tick();
    },
  };
}

/** Resolves once everything has happened that needs no time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
}

const codeOf = (call: Promise<unknown>) =>
  call.then(() => "answered", ({ code }: { readonly code: unknown }) => code);

Deno.test("the page sends an order although an earlier one has no answer", async () => {
  const { hubRpc, logIn, calls, timeouts } = openPage();
  logIn("anna", false);
  await settled();
  const on = codeOf(hubRpc("fleetdo", { id: "on" }));
  const off = codeOf(hubRpc("fleetdo", { id: "off" }));
  const again = codeOf(hubRpc("fleetagain", { id: "again" }));
  await settled();
  assertEquals(calls.map(({ method }) => method), ["fleetdo", "fleetdo", "fleetagain"]);
  calls[1]!.answer();
  calls[2]!.answer();
  assertEquals([await off, await again], ["answered", "answered"]);
  timeouts[0]!.abort();
  assertEquals(await on, "lost");
});

Deno.test("the page sends one comparison at a time, each as the user who asked for it", async () => {
  const { hubRpc, logIn, calls } = openPage();
  logIn("anna", false);
  await settled();
  const calling = ["fleetdiff", "fleetdiff", "fleetdo"].map((name) =>
    hubRpc(name, { preview: true })
  );
  const previewing = hubRpc("fleetdo", { preview: true });
  logIn("ben", false);
  await settled();
  assertEquals(calls.map(({ method }) => method), ["fleetdiff", "fleetdo"]);
  for (const call of [...calls]) call.answer();
  await settled();
  assertEquals(
    calls.map(({ method, user }) => `${method} ${user}`),
    ["fleetdiff", "fleetdo", "fleetdiff", "fleetdo"].map((method) => `${method} Bearer anna`),
  );
  for (const call of calls) call.answer();
  await Promise.all([...calling, previewing]);
});

Deno.test("a call whose turn comes while nothing comes from the hub is not sent", async () => {
  const { hubRpc, logIn, calls, cut } = openPage();
  logIn("anna", false);
  await settled();
  const first = codeOf(hubRpc("fleettemplatesave", {}));
  const second = codeOf(hubRpc("fleettemplatesave", {}));
  await settled();
  cut();
  calls[0]!.fail();
  assertEquals(await first, "lost");
  await settled();
  // If there is a second one, it ends here.
  calls[1]?.fail();
  assertEquals([await second, calls.length], ["closed", 1]);
});
