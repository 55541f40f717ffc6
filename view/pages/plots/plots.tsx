import { texts } from "../../texts/texts.ts";

/** The page is still to be built. */
export function Plots() {
  return <p class="muted">{texts().plots.title}</p>;
}
