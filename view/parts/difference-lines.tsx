/**
 * A list of changes, a line for each value.
 *
 * @module
 */
import { differenceTexts } from "../texts/difference.ts";
import { mixerWords } from "../texts/mixer-words.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { type Difference, lineOf, type Names } from "./difference.ts";

/** The changes, and the names of their values. */
export interface DifferenceLinesProps {
  readonly found: readonly Difference[];
  readonly names: Names;
}

/** Maximum number of lines; further changes are only counted. */
const MOST_LINES = 200;

/** Shows the number of changed values, and the values. */
export function DifferenceLines({ found, names }: DifferenceLinesProps) {
  const own = textsOf(differenceTexts);
  const written = { decimal: texts().decimal, mixer: mixerWords() };
  return (
    <section class="difference-lines" aria-label={own.changes} tabIndex={0}>
      <h3>{own.changesCount(found.length)}</h3>
      <ul>
        {found.slice(0, MOST_LINES).map((one) => (
          <li key={one.path.join("/")}>
            <bdi>{lineOf(one, written, own, names)}</bdi>
          </li>
        ))}
      </ul>
      {found.length > MOST_LINES && <p class="muted">{own.more(found.length - MOST_LINES)}</p>}
    </section>
  );
}
