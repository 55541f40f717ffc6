import { texts } from "../../texts/texts.ts";

/** The page is still to be built. */
export function Pictures() {
  return <p class="muted">{texts().pictures.title}</p>;
}
