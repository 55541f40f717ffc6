/**
 * Keeps the device view in `view/built/` up to date while its sources are edited: `deno task dev`,
 * which also starts the service, and starts it again after each change. An open page reloads itself
 * as soon as the service has another program or other styles.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { descriptions } from "../program/api/descriptions.ts";
import { bundling } from "./esbuild.ts";
import {
  discardStamp,
  FLEET_PAGE,
  PAGE,
  print,
  programOf,
  writeFiles,
  writeFleet,
} from "./view.ts";

/** The folders and files from which the view imports values, and not only types. */
const WATCHED = [
  "view",
  "client",
  "core/limits.ts",
  "core/shown.ts",
  "core/tree",
  "core/undo/standing.ts",
  "core/wire.ts",
  "fade",
];

/** Time in ms within which a change of one file is reported several times. */
const SETTLE_MS = 20;

/** Interval in ms at which a page checks whether the service has other files. */
const LOOK_MS = 100;

/** Code that is put before the program of the page, and reloads the page after a change. */
const RELOADING = `setInterval(async () => {
  const page = await fetch("/").then((answer) => answer.text(), () => "");
  const names = page.match(/\\w+\\.\\w+\\.(js|css)/g) ?? [];
  if (!names.every((name) => document.head.outerHTML.includes(name))) location.reload();
}, ${LOOK_MS});`;

/** The lowest level of compression, which is the quickest. */
const PACKING_LEVEL = 1;

const root = new URL("../", import.meta.url);
const page = await esbuild.context(await bundling(...PAGE));
const fleet = await esbuild.context(await bundling(...FLEET_PAGE));
const described = descriptions();
discardStamp();
await make();
const paths = WATCHED.map((path) => new URL(path, root).pathname);
let making: ReturnType<typeof setTimeout> | undefined;
for await (const { paths: [changed = ""] } of Deno.watchFs(paths)) {
  if (changed.includes("/view/built")) continue;
  clearTimeout(making);
  making = setTimeout(make, SETTLE_MS);
}

async function make(): Promise<void> {
  const from = performance.now();
  try {
    const { modules, first } = programOf(await page.rebuild());
    const reloading = new Map([...modules, [first, RELOADING + modules.get(first)]]);
    await writeFiles({ modules: reloading, first }, described, PACKING_LEVEL);
    await writeFleet(programOf(await fleet.rebuild()), PACKING_LEVEL);
    print(`the device view: ${Math.round(performance.now() - from)} ms`);
  } catch (fault) {
    print((fault as Error).message);
  }
}
