import { type ComponentChildren, Fragment } from "preact";

/** Facts, each with its name. */
export interface FactsProps {
  /** An undefined fact is not known, and is shown as a dash. */
  readonly facts: readonly (readonly [
    name: string,
    fact: ComponentChildren,
    isWrong?: boolean,
  ])[];
  /** The object of the facts, if no heading names it. */
  readonly label?: string;
}

/** Facts, one below the other. */
export function Facts({ facts, label }: FactsProps) {
  return (
    <dl class="facts" aria-label={label}>
      {facts.map(([name, fact, isWrong = false]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd class={isWrong ? "refusal" : ""}>{fact ?? "–"}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
