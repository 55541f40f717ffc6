/**
 * The entry point of the device view, the page that the service serves.
 *
 * @module
 */
import { render } from "preact";
import { keepOffline } from "./keep-offline.ts";
import { loadWhenIdle } from "./pages/pages.ts";
import { onOpen } from "./state/live.ts";
import { begin } from "./state/rights.ts";
import { Shell } from "./shell/shell.tsx";
import { keepAwake } from "./wake.ts";

/** By this time after the connection, in ms, the first page has its values: they go first. */
const SETTLED_MS = 3000;

begin();
keepAwake();
const stop = onOpen(() => {
  stop();
  // After all parts of the page, so that they are kept without being loaded twice.
  setTimeout(() => loadWhenIdle().then(keepOffline), SETTLED_MS);
});
render(<Shell />, document.querySelector("#view")!);
