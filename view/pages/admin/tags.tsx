/**
 * Ticks for what a backup holds.
 *
 * @module
 */
import { texts } from "../../texts/texts.ts";

/** Names a tag in words; one that this page does not know by its own name. */
export function tagText(tag: string): string {
  return (texts().admin.tags as Readonly<Record<string, string>>)[tag] ?? tag;
}

/** What may be ticked. */
export interface TagTicksProps {
  readonly legend: string;
  readonly tags: readonly string[];
  readonly ticked: ReadonlySet<string>;
  readonly onTick: (ticked: ReadonlySet<string>) => void;
}

/** A tick for each tag. */
export function TagTicks({ legend, tags, ticked, onTick }: TagTicksProps) {
  return (
    <fieldset class="ticks">
      <legend class="muted small">{legend}</legend>
      {tags.map((tag) => (
        <label class="check" key={tag}>
          <input
            type="checkbox"
            checked={ticked.has(tag)}
            onChange={({ currentTarget: { checked } }) => {
              const others = [...ticked].filter((other) => other !== tag);
              onTick(new Set(checked ? [...others, tag] : others));
            }}
          />
          <span>{tagText(tag)}</span>
        </label>
      ))}
    </fieldset>
  );
}
