/**
 * The device view: the page that the service serves, from its first line.
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
