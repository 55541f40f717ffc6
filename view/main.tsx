/**
 * The entry point of the device view, the page that the service serves.
 *
 * @module
 */
import { render } from "preact";
import { keepOffline } from "./keep-offline.ts";
import { loadMidiWhenChosen } from "./midi/when-chosen.ts";
import { loadWhenIdle } from "./pages/pages.ts";
import { onOpen } from "./state/live.ts";
import { begin } from "./state/rights.ts";
import { Shell } from "./shell/shell.tsx";
import { loadUndoParts } from "./shell/undo-parts.ts";
import { keepAwake } from "./wake.ts";

/** By this time after the connection, in ms, the first page has its values: they go first. */
const SETTLED_MS = 3000;

begin();
keepAwake();
loadMidiWhenChosen();
const stop = onOpen(() => {
  stop();
  // After all parts of the page, so that they are kept without being loaded twice.
  setTimeout(() => loadWhenIdle().then(loadUndoParts).then(keepOffline), SETTLED_MS);
});
render(<Shell />, document.querySelector("#view")!);
