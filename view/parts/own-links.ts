/**
 * The own pages that the navigation leads to. They are known once the own pages are loaded, which
 * is after the first page.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { IconName } from "./icon.tsx";

/** An own page in the navigation. */
export interface OwnLink {
  readonly name: string;
  readonly title: string;
  readonly icon: IconName;
}

/** The own pages, in the order of the navigation. */
export const ownLinks = signal<readonly OwnLink[]>([]);
