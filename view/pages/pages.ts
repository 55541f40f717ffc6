/**
 * Every page of the view, in the order of the navigation. To add one, add its folder and a line
 * here.
 *
 * @module
 */
import type { FunctionComponent } from "preact";
import type { IconName } from "../parts/icon.tsx";
import type { Texts } from "../texts/languages.ts";
import { Administration } from "./admin/admin.tsx";
import { ConsolePage } from "./console/console.tsx";
import { Lists } from "./lists/lists.tsx";
import { Mixer } from "./mixer/mixer.tsx";
import { Pictures } from "./pictures/pictures.tsx";
import { Plots } from "./plots/plots.tsx";
import { Snapshots } from "./snapshots/snapshots.tsx";

/** The properties of a page: the rest of the address behind its name. */
export interface PageProps {
  /** `#/mixer/0/faders` gives `["0", "faders"]`. */
  readonly parts: readonly string[];
}

/** A page. */
export interface Page {
  /** As in the address, `#/mixer`; its icon and its part of the texts have the same name. */
  readonly name: IconName & keyof Texts;
  readonly component: FunctionComponent<PageProps>;
  /** Whether it is for admins: for others the navigation says so. */
  readonly isForAdmins?: boolean;
}

/** The pages; the first is shown where the address names none. */
export const pages: readonly [Page, ...Page[]] = [
  { name: "mixer", component: Mixer },
  { name: "snapshots", component: Snapshots },
  { name: "lists", component: Lists },
  { name: "pictures", component: Pictures },
  { name: "console", component: ConsolePage },
  { name: "plots", component: Plots },
  { name: "admin", component: Administration, isForAdmins: true },
];
