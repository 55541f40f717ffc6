/**
 * Every page of the view, in the order of the navigation. To add one, add its folder and a line
 * here.
 *
 * @module
 */
import type { FunctionComponent } from "preact";
import type { IconName } from "../parts/icon.tsx";
import type { Need } from "../rights.ts";
import type { Texts } from "../texts/en.ts";
import { Administration } from "./admin/admin.tsx";
import { ConsolePage } from "./console/console.tsx";
import { Lists } from "./lists/lists.tsx";
import { Mixer } from "./mixer/mixer.tsx";
import { Pictures } from "./pictures/pictures.tsx";
import { Plots } from "./plots/plots.tsx";
import { Snapshots } from "./snapshots/snapshots.tsx";

/** What a page is given: what stands behind its name in the address. */
export interface PageProps {
  /** `#/mixer/0/faders` gives `["0", "faders"]`. */
  readonly parts: readonly string[];
}

/** A page. */
export interface Page {
  /** As in the address: `#/mixer`. */
  readonly name: string;
  readonly icon: IconName;
  readonly title: (texts: Texts) => string;
  /** Who may see it: for others the navigation does not have it. */
  readonly needs: Need;
  readonly component: FunctionComponent<PageProps>;
}

/** The pages; the first is shown where the address names none. */
export const pages: readonly [Page, ...Page[]] = [
  {
    name: "mixer",
    icon: "mixer",
    title: ({ mixer }) => mixer.title,
    needs: "view",
    component: Mixer,
  },
  {
    name: "snapshots",
    icon: "snapshots",
    title: ({ snapshots }) => snapshots.title,
    needs: "view",
    component: Snapshots,
  },
  {
    name: "lists",
    icon: "lists",
    title: ({ lists }) => lists.title,
    needs: "view",
    component: Lists,
  },
  {
    name: "pictures",
    icon: "pictures",
    title: ({ pictures }) => pictures.title,
    needs: "view",
    component: Pictures,
  },
  {
    name: "console",
    icon: "console",
    title: ({ console }) => console.title,
    needs: "view",
    component: ConsolePage,
  },
  {
    name: "plots",
    icon: "plots",
    title: ({ plots }) => plots.title,
    needs: "view",
    component: Plots,
  },
  {
    name: "admin",
    icon: "admin",
    title: ({ admin }) => admin.title,
    needs: "admin",
    component: Administration,
  },
];
