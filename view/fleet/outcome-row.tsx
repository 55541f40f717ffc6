import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";
import type { Outcome } from "./console.ts";

/** The properties of a row. */
export interface OutcomeRowProps {
  readonly name: string;
  readonly site: string;
  readonly outcome: Outcome;
  /** The outcome in a word. */
  readonly word: string;
  /** A sentence, or the changes of a preview. */
  readonly text: string;
}

/** The outcome, or the preview, of a request at one console. */
export function OutcomeRow({ name, site, outcome, word, text }: OutcomeRowProps) {
  return (
    <div class={`fleet-outcome ${outcome}`}>
      <span class="lamp" />
      <bdi class="cut">{name}</bdi>
      <bdi class="muted small cut">{site === "" ? textsOf(fleetTexts).noSite : site}</bdi>
      <span class="fleet-word cut">{word}</span>
      <bdi class="small cut" title={text}>{text}</bdi>
    </div>
  );
}
