import { texts } from "../../texts/texts.ts";

/** The page is still to be built. */
export function ConsolePage() {
  return <p class="muted">{texts().console.title}</p>;
}
