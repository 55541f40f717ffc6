/**
 * Parts of the page that are loaded later than the first one.
 *
 * @module
 */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { loadStyles } from "./later-styles.ts";

/** A part of the page that is loaded when it is opened, or before. */
export interface Later<Props> {
  /** The component once it is loaded, or the fact that loading failed. */
  readonly component: ReadonlySignal<FunctionComponent<Props> | "failed" | undefined>;
  /** Loads the component, unless that was done. */
  load(): Promise<void>;
}

/** Makes a part that is loaded with the later styles. */
export function loadedLater<Props>(load: () => Promise<FunctionComponent<Props>>): Later<Props> {
  const component = signal<FunctionComponent<Props> | "failed">();
  return {
    component,
    async load() {
      if (typeof component.value === "function") return;
      const [loaded] = await Promise.all([load(), loadStyles()]).catch(() => ["failed"] as const);
      component.value = loaded;
    },
  };
}
