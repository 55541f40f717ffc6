import { texts } from "../../texts/texts.ts";

/** The page is still to be built. */
export function Administration() {
  return <p class="muted">{texts().admin.title}</p>;
}
