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

/** Whether only the page is shown: `?kiosk` stands before the `#` of the address, or last. */
export const isKiosk = computed(() => isKioskOnly || hash.value.endsWith("?kiosk"));

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A malformed address names no page, like an unknown address.
    return part;
  }
}

/** The address of a page, for a link: `#/mixer/0`. */
export function addressOf(...parts: readonly (string | number)[]): string {
  return `#/${parts.map((part) => encodeURIComponent(part)).join("/")}`;
}
