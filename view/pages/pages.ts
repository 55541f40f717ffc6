/**
 * Every page of the view, in the order of the navigation. To add one, add its folder and a line
 * here. The first is a part of the program; each of the others is loaded once the browser is
 * idle, or when it is opened before that.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import type { IconName } from "../parts/icon.tsx";
import type { consoleShellTexts } from "../texts/console-shell.ts";
import { type Later, loadedLater } from "./later.ts";
import { loadGroups } from "./mixer/groups-part.ts";
import { Mixer, wideStrip } from "./mixer/mixer.tsx";

/** The properties of a page. */
export interface PageProps {
  /** The address behind the name of the page: `#/mixer/0/faders` gives `["0", "faders"]`. */
  readonly parts: readonly string[];
}

/** A page. */
export interface Page extends Later<PageProps> {
  /** Its name in the address, `#/mixer`; its title has the same name. */
  readonly name: keyof ReturnType<typeof consoleShellTexts>["titles"];
  /** Whether it is for admins: the navigation says so to other users. */
  readonly isForAdmins?: boolean;
}

/** A page of the navigation has an icon of its name. */
interface Shown extends Page {
  readonly name: IconName & Page["name"];
}

/** The page of a link that logs a device in; no other page links to it. */
export const handOver = later(
  "hand-over",
  async () => (await import("./hand-over/hand-over.tsx")).HandOverPage,
);

/** The pages of the navigation; the first is shown if the address names none. */
export const pages: readonly [Shown, ...Shown[]] = [
  { name: "mixer", component: signal(Mixer), load: () => Promise.resolve() },
  later("snapshots", async () => (await import("./snapshots/snapshots.tsx")).Snapshots),
  later("lists", async () => (await import("./lists/lists.tsx")).Lists),
  later("pictures", async () => (await import("./pictures/pictures.tsx")).Pictures),
  later("own", async () => (await import("./own/own.tsx")).OwnPages),
  later("console", async () => (await import("./console/console.tsx")).ConsolePage),
  later("meters", async () => (await import("./meters/meters.tsx")).MeterBridge),
  later("plots", async () => (await import("./plots/plots.tsx")).Plots),
  {
    ...later("admin", async () => (await import("./admin/admin.tsx")).Administration),
    isForAdmins: true,
  },
];

function later<Name extends Page["name"]>(
  name: Name,
  load: () => Promise<FunctionComponent<PageProps>>,
) {
  return { name, ...loadedLater(load) };
}

/**
 * Loads the rest of the first page and all others, one after the other, whenever the browser has
 * nothing else to do.
 */
export async function loadWhenIdle(): Promise<void> {
  await idle();
  await loadGroups();
  for (const part of [wideStrip, ...pages]) {
    await idle();
    await part.load();
  }
}

/**
 * Resolves once the browser is idle. Safari does not report that: there it resolves a second later.
 */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 1000);
  });
}
