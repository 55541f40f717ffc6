/**
 * Every page of a hub, in the order of its navigation. To add one, add its file, its line in
 * later-pages.ts and a line here. The first is in the main bundle; the others share one chunk,
 * because a chunk for each would take 2 KB more.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { type Later, loadedLater } from "../pages/later.ts";
import type { fleetTexts } from "../texts/fleet.ts";
import { Fleet } from "./fleet.tsx";
import type { PageProps } from "./page-props.ts";

/** A page. */
export interface FleetPage extends Later<PageProps> {
  /** Its name in the address, `#/do`; its title has the same name. */
  readonly name: keyof ReturnType<typeof fleetTexts>["titles"];
}

/** The pages; the first is shown if the address names none. */
export const pages: readonly [FleetPage, ...FleetPage[]] = [
  { name: "fleet", component: signal(Fleet), load: () => Promise.resolve() },
  later("do", "Do"),
  later("drift", "Drift"),
  later("backups", "Backups"),
  later("users", "Users"),
  later("audit", "Audit"),
  later("hubs", "Hubs"),
];

function later(
  name: FleetPage["name"],
  component: keyof typeof import("./later-pages.ts"),
): FleetPage {
  return { name, ...loadedLater(async () => (await import("./later-pages.ts"))[component]) };
}
