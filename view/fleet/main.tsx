/**
 * The entry point of the Fleet page, which a hub serves.
 *
 * @module
 */
import { render } from "preact";
import { pressOnce } from "../held-enter.ts";
import { findLostFocus } from "../lost-focus.ts";
import { begin } from "../state/rights.ts";
import { hubTexts } from "../texts/fleet.ts";
import { reword } from "../texts/texts.ts";
import { FleetShell } from "./shell.tsx";

reword(hubTexts);
pressOnce();
findLostFocus();
begin();
render(<FleetShell />, document.querySelector("#view")!);
