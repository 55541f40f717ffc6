/**
 * A fleet for pictures of the page of a hub: consoles at three sites, in every state.
 *
 * @module
 */
import manifest from "../deno.json" with { type: "json" };
import { entry, type FakeCore, fakeCore, idOf } from "../tests/fleet/fake-core.ts";

const CONSOLES = [
  ["On Air 1", "Berlin", "live"],
  ["On Air 2", "Berlin", "live"],
  ["Production", "Berlin", "live"],
  ["News", "Hamburg", "live"],
  ["Sport", "Hamburg", "stale"],
  ["Talk", "Hamburg", "live"],
  ["OB van", "On the road", "gone"],
  ["Spare", "Hamburg", "quarantined"],
] as const;

const HOUR_MS = 3_600_000;

/** Makes a core with these consoles. */
export function furnishedFleet(): FakeCore {
  const core = fakeCore();
  for (const [number, [name, site, state]] of CONSOLES.entries()) {
    const isFull = name === "News";
    const summary = {
      site,
      version: manifest.version,
      tree: { general: { _storage: isFull ? "full" : "ok", _engine: "running" } },
      alarms: isFull ? ["The medium is full: what does not fit is not stored."] : [],
    };
    const since = Date.now() - (number + 1) * HOUR_MS / 4;
    core.put(idOf(number), { ...entry(name, summary, state), since });
  }
  return core;
}
