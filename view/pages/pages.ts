/**
 * Every page of the view, in the order of the navigation. To add one, add its folder and a line
 * here. The first is a part of the program; each of the others is loaded when it is opened, or, so
 * that it need not wait then, once the browser has nothing else to do.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import type { IconName } from "../parts/icon.tsx";
import type { Texts } from "../texts/languages.ts";
import { loadStyles } from "./later-styles.ts";
import { Mixer } from "./mixer/mixer.tsx";

/** The properties of a page. */
export interface PageProps {
  /** The address behind the name of the page: `#/mixer/0/faders` gives `["0", "faders"]`. */
  readonly parts: readonly string[];
}

/** A page. */
export interface Page {
  /** As in the address, `#/mixer`; its icon and its title have the same name. */
  readonly name: IconName & keyof Texts["titles"];
  /** The component, once it is loaded, or that it could not be. */
  readonly component: ReadonlySignal<FunctionComponent<PageProps> | "failed" | undefined>;
  /** Loads the component, unless that was done. */
  load(): Promise<void>;
  /** Whether it is for admins: for others the navigation says so. */
  readonly isForAdmins?: boolean;
}

/** The pages; the first is shown where the address names none. */
export const pages: readonly [Page, ...Page[]] = [
  { name: "mixer", component: signal(Mixer), load: () => Promise.resolve() },
  later("snapshots", async () => (await import("./snapshots/snapshots.tsx")).Snapshots),
  later("lists", async () => (await import("./lists/lists.tsx")).Lists),
  later("pictures", async () => (await import("./pictures/pictures.tsx")).Pictures),
  later("console", async () => (await import("./console/console.tsx")).ConsolePage),
  later("plots", async () => (await import("./plots/plots.tsx")).Plots),
  {
    ...later("admin", async () => (await import("./admin/admin.tsx")).Administration),
    isForAdmins: true,
  },
];

function later(name: Page["name"], load: () => Promise<FunctionComponent<PageProps>>): Page {
  const component = signal<FunctionComponent<PageProps> | "failed">();
  return {
    name,
    component,
    async load() {
      if (typeof component.value === "function") return;
      const [loaded] = await Promise.all([load(), loadStyles()]).catch(() => ["failed"] as const);
      component.value = loaded;
    },
  };
}

/** Loads all pages, one after the other, whenever the browser has nothing else to do. */
export async function loadWhenIdle(): Promise<void> {
  for (const page of pages) {
    await idle();
    await page.load();
  }
}

/** Resolves once the browser is idle. Safari does not tell: there it is a second later. */
function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve());
    else setTimeout(resolve, 1000);
  });
}
