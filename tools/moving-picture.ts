/**
 * Makes the moving picture of README.md, `docs/pictures/mixer-moving.png`: the mixer of a demo console
 * with simulated sound, while faders fade and a snapshot is loaded: `deno task moving-picture`.
 *
 * @module
 */
import { print } from "../program/print.ts";
import { keepInPage, launch } from "../tests/browser/browser.ts";
import { animate, type Frame } from "./apng.ts";
import { startFurnished } from "./furnish.ts";

const viewport = { width: 1024, height: 768 };

/** Length of the picture, in ms. */
const SHOWN_MS = 4500;

/** Minimum time of a frame, in ms. */
const FRAME_MS = 80;

/** Time in ms after which the snapshot is loaded. */
const LOADED_MS = 3300;

/** Duration in s of the fades before the snapshot is loaded. */
const FADE_S = 3;

const file = new URL("../docs/pictures/mixer-moving.png", import.meta.url);

await using desk = await startFurnished();
const { client } = desk;
const list = await client.rpc("getsnapshotlist", { type: 2 });
const { id } = list.find(({ name }) => name === "Evening")!;
// The snapshot has the levels at which the picture begins.
await client.rpc("loadsnapshot", { id });
const browser = await launch();
const context = await browser.newContext({ viewport, locale: "en-GB" });
const page = await context.newPage();
await page.addInitScript(keepInPage, { token: desk.token, theme: "dark" });
await page.goto(`${desk.url}/#/mixer`);
await page.locator(".lamp.open").waitFor();
await page.waitForTimeout(1500);

const fades = [[0, -24], [1, 0], [3, -6], [5, -8], [6, -40]] as const;
await Promise.all(
  fades.map(([fader, value]) => client.rpc("fadetovalue", { fader, time: FADE_S, value })),
);
setTimeout(() => void client.rpc("loadsnapshot", { id }), LOADED_MS);
const begun = performance.now();
const shots: { readonly at: number; readonly png: Uint8Array }[] = [];
for (let at = 0; at < SHOWN_MS; at = performance.now() - begun) {
  shots.push({ at, png: await page.screenshot() });
  await page.waitForTimeout(Math.max(0, at + FRAME_MS - (performance.now() - begun)));
}
await browser.close();
const frames: Frame[] = shots.map(({ at, png }, index) => ({
  png,
  ms: Math.round((shots[index + 1]?.at ?? SHOWN_MS) - at),
}));
const picture = animate(frames);
await Deno.writeFile(file, picture);
print(`docs/pictures/mixer-moving.png: ${picture.length} bytes, ${frames.length} frames`);
