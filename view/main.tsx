/**
 * The entry point of the device view, the page that the service serves.
 *
 * @module
 */
import { render } from "preact";
import { pressOnce } from "./held-enter.ts";
import { keepOffline } from "./keep-offline.ts";
import { findLostFocus } from "./lost-focus.ts";
import { loadMidiWhenChosen } from "./midi/when-chosen.ts";
import { loadWhenIdle } from "./pages/pages.ts";
import { onOpen, settled } from "./state/live.ts";
import { begin } from "./state/rights.ts";
import { Shell } from "./shell/shell.tsx";
import { loadUndoParts } from "./shell/undo-parts.ts";
import { keepAwake } from "./wake.ts";

pressOnce();
findLostFocus();
begin();
keepAwake();
loadMidiWhenChosen();
const stop = onOpen(async () => {
  stop();
  await settled();
  await loadWhenIdle();
  await loadUndoParts();
  // This follows the loading of all parts of the page, so that they are kept without being loaded
  // twice.
  await keepOffline();
});
render(<Shell />, document.querySelector("#view")!);
