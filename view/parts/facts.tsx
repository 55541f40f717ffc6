import { type ComponentChildren, Fragment } from "preact";

/** Facts, each with its name. */
export interface FactsProps {
  /** A fact that is undefined is not known, and a dash stands for it. */
  readonly facts: readonly (readonly [
    name: string,
    fact: ComponentChildren,
    isWrong?: boolean,
  ])[];
  /** What it is known of, where no heading says so. */
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
