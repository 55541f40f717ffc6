/**
 * The service that `backup.ts` measures: 1,000 mixer snapshots on a store that keeps nothing, 64
 * faders to fade, and `/stall`, which answers the longest time in ms for which the event loop has
 * been blocked since the last request for it.
 *
 * @module
 */
import { canonicalJson } from "../core/json.ts";
import { writablePart } from "../core/tree/fit.ts";
import type { Ranges } from "../core/tree/leaf.ts";
import { type Branch, find } from "../core/tree/tree.ts";
import { DEVICE } from "../core/users/user.ts";
import type { Service } from "../transport/arrival.ts";
import { print } from "./report.ts";
import { forgetfulConsole, listenFor, withUser } from "./service.ts";

const [token = "", snapshots = "1000", bytes = "32768"] = Deno.args;
const FADERS = 64;
const SAMPLE_MS = 1;

const console = forgetfulConsole(FADERS);
await withUser(console, { name: "admin", admin: true, token });
await fill();

let longest = 0;
let last = performance.now();
setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last - SAMPLE_MS);
  last = now;
}, SAMPLE_MS);

const around = (service: Service): Service => (arrival) => {
  if (!arrival.request.url.endsWith("/stall")) return service(arrival);
  const answer = Response.json(longest);
  longest = 0;
  return answer;
};
print(`http://127.0.0.1:${listenFor(console, { around }).port}`);

/** Saves snapshots of a part of the mixer that has `bytes`, each with levels of its own. */
async function fill(): Promise<void> {
  const path = ["audio", "mixers", "0"];
  const whole = writablePart(
    find(console.state.tree, path) as Branch,
    find(console.state.ranges as Branch, path) as Ranges,
  );
  const faders = Object.entries(whole.faders as Branch);
  const count = Math.round(Number(bytes) / JSON.stringify(faders[0]).length);
  const part = Object.fromEntries(faders.slice(0, count));
  for (let at = 0; at < Number(snapshots); at++) {
    const varied = Object.fromEntries(
      Object.entries(part).map(([id, fader]) => [id, vary(fader as Branch, at)]),
    );
    const snapshot = {
      id: crypto.randomUUID(),
      number: at + 1,
      type: 2,
      name: `Snapshot ${at + 1}`,
      readgroups: 0,
      writegroups: 255,
      mixer: 0,
      factory: false,
      content: canonicalJson({ faders: varied }),
    } as const;
    await console.dispatch(
      () => ({ events: [{ type: "snapshotwritten", snapshot }], result: {} }),
      DEVICE,
    );
  }
}

/** Changes every second number, as people do with their faders and filters. */
function vary(branch: Branch, seed: number): Branch {
  return Object.fromEntries(
    Object.entries(branch).map(([member, value]) => {
      if (typeof value === "number" && Math.random() < 0.5) {
        return [member, Math.round((value + Math.random() * (seed % 50)) * 100) / 100];
      }
      return [
        member,
        typeof value === "object" && !Array.isArray(value) ? vary(value as Branch, seed) : value,
      ];
    }),
  );
}
