/// <reference lib="dom" />
/**
 * A page, and the console in its worker: they talk over a `MessagePort`. The page starts its own
 * module a second time, as the worker.
 *
 * @module
 */
import { serveOnPort, worldOn } from "../../docs/examples/message-port.ts";
import {
  connect,
  createBudget,
  createConsole,
  createCooperativeScheduler,
  createService,
  createSessions,
  initialState,
  readConfiguration,
  type Service,
} from "../../mod.ts";

const FADER = "/audio/mixers/0/faders/0/fader";

function consoleOfWorker(): Service {
  const read = readConfiguration({ mixers: [{ faders: 8 }] });
  if ("faults" in read) throw new Error("the configuration has faults");
  const { configuration } = read;
  const clock = { now: Date.now, monotonic: () => performance.now() };
  const timer = {
    monotonic: clock.monotonic,
    at(due: number, wake: () => void) {
      const timeout = setTimeout(wake, Math.max(0, due - performance.now()));
      return () => clearTimeout(timeout);
    },
  };
  const console = createConsole({
    state: initialState(configuration),
    store: { append: () => Promise.resolve() },
    clock,
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
  });
  const scheduler = createCooperativeScheduler(clock, (goOn) => setTimeout(goOn));
  const budget = createBudget(() => configuration.limits.memory);
  const parts = { clock, timer, scheduler, budget };
  return createService({ ...parts, console, sessions: createSessions(console, parts) });
}

async function page(): Promise<void> {
  const worker = new Worker(import.meta.url, { type: "module" });
  const world = worldOn(() => {
    const { port1, port2 } = new MessageChannel();
    worker.postMessage(port2, [port2]);
    return port1;
  });
  const desk = connect("ws://localhost/api/ws", { world });
  const level = await desk.watch(FADER);
  await desk.set(FADER, -12);
  await level.until((dB) => dB === -12);
  document.title = "-12 dB";
}

if ("document" in globalThis) await page();
else {
  const service = consoleOfWorker();
  addEventListener("message", ({ data: port }: MessageEvent<MessagePort>) => {
    void serveOnPort(service, port, "page");
  });
}
