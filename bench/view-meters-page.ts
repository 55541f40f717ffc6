/**
 * Shows 64 faders with moving meters, all on one wide screen, and then a bare page. The argument is
 * the duration in seconds. The script prints the figures of both pages:
 * `{"view": {"frames": 60, "late": 0.01, "before": 5e6, "after": 5e6}, "bare": …}`.
 *
 * @module
 */
import { launch } from "../tests/browser/browser.ts";
import { drawing } from "./drawing.ts";
import { startFaderd } from "./process.ts";
import { print } from "./report.ts";

const FADERS = 64;
const BARE_PAGE = "data:text/html,<!DOCTYPE html><title>bare</title>";
const WARM_UP_MS = 5000;

const times = { warmUp: WARM_UP_MS, length: Number(Deno.args[0] ?? 60) * 1000 };
const folder = await Deno.makeTempDir({ prefix: "bench-view-meters-" });
const configuration = `${folder}/console.json`;
Deno.writeTextFileSync(
  configuration,
  JSON.stringify({ mixers: [{ faders: FADERS }], engine: "simulated" }),
);
const service = await startFaderd(`${folder}/data`, configuration);
const browser = await launch();
const url = `http://127.0.0.1:${service.port}/`;
const view = await drawing(browser, { url, canvases: FADERS, ...times });
const bare = await drawing(browser, { url: BARE_PAGE, canvases: 0, ...times });
print(JSON.stringify({ view, bare }));
await browser.close();
await service.stop();
await Deno.remove(folder, { recursive: true });
