import { texts } from "../../texts/texts.ts";

/** The page is still to be built. */
export function Snapshots() {
  return <p class="muted">{texts().snapshots.title}</p>;
}
