/**
 * The keys of a strip of a controller, and their lamps.
 *
 * @module
 */
import { partsOfShown, shownOfMixer } from "../pages/mixer/shown.ts";
import { asked, at, link, set } from "../state/live.ts";
import { forbids, locked, noticeBarred } from "../state/rights.ts";
import { addressOf, isKiosk, route } from "../state/route.ts";
import { texts } from "../texts/texts.ts";
import type { KeyName, Lamp } from "./mackie.ts";

/** The values that keys switch, other than SELECT, which opens the wide strip on the page. */
const SWITCHES = { rec: "pfl2", solo: "pfl1", mute: "on" } as const;

/**
 * Returns the state of the lamp in a key of a fader. It reads signals, so an effect that calls it
 * runs again with each change.
 */
export function lampOf(mixer: number, fader: number, key: KeyName): Lamp {
  if (key === "select") return shownIn(mixer, route.value)?.open === fader ? "on" : "off";
  const path = switchOf(mixer, fader, key);
  const isOn = at(path).value as boolean | undefined;
  const wanted = asked(path).value?.value as boolean | undefined;
  if (isOn === undefined) return "off";
  if (wanted !== undefined && wanted !== isOn) return "blink";
  // The key is called MUTE: it is lit where the fader is off.
  if (isOn === (key === "mute")) return "off";
  return link.value.state === "open" ? "on" : "blink";
}

/** Carries out the press of a key of a fader. */
export function pressKey(mixer: number, fader: number, key: KeyName): void {
  if (key === "select") return pressSelect(mixer, fader);
  const reason = forbids("operate");
  if (reason !== undefined) return noticeBarred(reason);
  const path = switchOf(mixer, fader, key);
  const isOn = at(path).peek();
  if (isOn === undefined) return;
  const wanted = asked(path).peek()?.value as boolean | undefined;
  set(path, !(wanted ?? isOn));
}

function pressSelect(mixer: number, fader: number): void {
  if (locked.peek()) return noticeBarred(texts().rights.locked);
  const [page = "mixer"] = route.peek();
  // A kiosk stays on its page.
  if (isKiosk.peek() && page !== "mixer") return;
  const { vca, open, section } = shownIn(mixer, route.peek()) ?? {};
  const isOpen = open === fader;
  // A strip that is not in the shown VCA group is opened among all strips.
  const isThere = isOpen || at(`${pathOf(mixer, fader)}/vcagroup`).peek() === vca;
  const parts = partsOfShown(isThere ? vca : undefined, isOpen ? undefined : fader, section);
  location.hash = addressOf("mixer", mixer, ...parts);
}

/** The part of a mixer that the page shows; undefined on other pages. */
function shownIn(mixer: number, [page, named, ...parts]: readonly string[]) {
  return page === "mixer" && named === `${mixer}` ? shownOfMixer(parts) : undefined;
}

function pathOf(mixer: number, fader: number) {
  return `/audio/mixers/${mixer}/faders/${fader}` as const;
}

function switchOf(mixer: number, fader: number, key: keyof typeof SWITCHES) {
  return `${pathOf(mixer, fader)}/${SWITCHES[key]}` as const;
}
