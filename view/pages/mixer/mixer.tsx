import { texts } from "../../texts/texts.ts";

/** The page is still to be built. */
export function Mixer() {
  return <p class="muted">{texts().mixer.title}</p>;
}
