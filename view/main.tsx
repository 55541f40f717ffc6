/**
 * The entry point of the device view, the page that the service serves.
 *
 * @module
 */
import { render } from "preact";
import { begin } from "./state/rights.ts";
import { Shell } from "./shell/shell.tsx";
import { keepAwake } from "./wake.ts";

begin();
keepAwake();
render(<Shell />, document.querySelector("#view")!);
