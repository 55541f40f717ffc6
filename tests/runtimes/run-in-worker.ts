/**
 * Runs tests that call `Deno.test` inside a Worker, against the handler of Workers: one after the
 * other, on a request. A Worker cannot listen, so the requests and connections of the tests go to
 * the service in the same Worker.
 *
 * @module
 */
import type { Server, ServerParts } from "../../transport/server.ts";
import { createWorkerHandler } from "../../runtimes/worker/handler.ts";
import type { WorkerSocket } from "../../runtimes/worker/platform.ts";

type Run = (step: { step(name: string, run: Run): Promise<void> }) => void | Promise<void>;

const tests: { readonly name: string; readonly run: Run }[] = [];

/** The services that "listen", by port; no port is the default port of a scheme. */
const network = new Map<number, (request: Request) => Promise<Response>>();
let lastPort = 49_151;

function listen(_address: unknown, parts: ServerParts): Server {
  const port = ++lastPort;
  network.set(port, createWorkerHandler(parts));
  const stop = () => Promise.resolve(void network.delete(port));
  return { address: { hostname: "127.0.0.1", port }, stop };
}

/** Hands a request to the service at its port, as the platform would. */
async function fetchHere(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { host, port } = new URL(request.url);
  if (!request.headers.has("host")) request.headers.set("host", host);
  request.headers.set("cf-connecting-ip", "127.0.0.1");
  const serve = network.get(Number(port));
  if (serve === undefined) throw new TypeError(`nothing listens at ${host}`);
  return await serve(request);
}

/** A WebSocket to a service in the same Worker. */
class SocketHere extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  onopen: ((event: Event) => void) | null = null;
  onmessage: ((event: MessageEvent) => void) | null = null;
  onclose: ((event: CloseEvent) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  readyState = SocketHere.CONNECTING;
  #socket: WorkerSocket | undefined;

  constructor(url: string) {
    super();
    this.#open(url.replace(/^ws/, "http"));
  }

  async #open(url: string): Promise<void> {
    const answer = await fetchHere(url, { headers: { upgrade: "websocket" } });
    const { webSocket } = answer as Response & { readonly webSocket: WorkerSocket | null };
    if (webSocket === null) {
      this.readyState = SocketHere.CLOSED;
      this.onerror?.(new Event("error"));
      return this.onclose?.(new CloseEvent("close", { code: 1006 }));
    }
    this.#socket = webSocket;
    webSocket.addEventListener("message", (event) => this.onmessage?.(event));
    webSocket.addEventListener("close", (event) => {
      this.readyState = SocketHere.CLOSED;
      this.onclose?.(event);
    });
    webSocket.accept();
    this.readyState = SocketHere.OPEN;
    this.onopen?.(new Event("open"));
  }

  send(data: string): void {
    this.#socket?.send(data);
  }

  close(code?: number, reason?: string): void {
    this.#socket?.close(code, reason);
  }
}

Object.assign(globalThis, {
  Deno: { test: (name: string, run: Run) => tests.push({ name, run }), listenHere: listen },
  fetch: fetchHere,
  WebSocket: SocketHere,
  setImmediate: (work: () => void) => setTimeout(work),
});

/** Maximum time of one test, in ms. */
const PATIENCE_MS = 60_000;

async function runOne(name: string, run: Run): Promise<void> {
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timeout = setTimeout(() => reject(new Error(`${name}: not over in time`)), PATIENCE_MS);
  });
  const done = async () => await run({ step: (name, run) => runOne(name, run) });
  await Promise.race([done(), late]).finally(() => clearTimeout(timeout));
}

/** The outcomes of the tests. */
export interface Outcomes {
  readonly passed: number;
  /** The name of each failed test, and its error. */
  readonly failures: readonly string[];
}

/** Runs the declared tests, and answers with {@link Outcomes}. */
export async function answerWithTests(): Promise<Response> {
  const failures: string[] = [];
  for (const { name, run } of tests) {
    try {
      await runOne(name, run);
    } catch (fault) {
      failures.push(`${name}\n${fault instanceof Error ? fault.stack : fault}`);
    }
  }
  const outcomes: Outcomes = { passed: tests.length - failures.length, failures };
  return Response.json(outcomes);
}
