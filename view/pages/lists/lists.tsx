import { texts } from "../../texts/texts.ts";

/** The page is still to be built. */
export function Lists() {
  return <p class="muted">{texts().lists.title}</p>;
}
