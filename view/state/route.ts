/**
 * The shown page: the part of the address behind the `#`, such as `#/mixer/0`.
 *
 * @module
 */
import { computed, signal } from "@preact/signals";

const hash = signal(location.hash);
addEventListener("hashchange", () => hash.value = location.hash);

/** The address behind the `#`, in its parts: `["mixer", "0"]`. */
export const route = computed<readonly string[]>(() =>
  hash.value.replace(/^#\/?|\?.*$/g, "").split("/").filter((part) => part !== "").map(decoded)
);

const isKioskOnly = new URLSearchParams(location.search).has("kiosk");

/** The part of the address behind the `#` that shows a page alone. */
const KIOSK = "?kiosk";

/** Whether only the page is shown: `?kiosk` stands before the `#` of the address, or last. */
export const isKiosk = computed(() => isKioskOnly || hash.value.endsWith(KIOSK));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A malformed address names no page, like an unknown address.
    return part;
  }
}

/**
 * The address of a page, for a link: `#/mixer/0`. It keeps `?kiosk`: a press inside a kiosk leaves
 * the page, but not the kiosk.
 */
export function addressOf(...parts: readonly (string | number)[]): string {
  const kiosk = hash.value.endsWith(KIOSK) ? KIOSK : "";
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}${kiosk}`;
}
