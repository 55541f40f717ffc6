/**
 * Ticks for the tags of a backup.
 *
 * @module
 */
import { Check } from "../../parts/check.tsx";
import { adminTexts } from "../../texts/admin.ts";
import { textsOf } from "../../texts/texts.ts";

/** Names a tag in words; an unknown tag keeps its own name. */
export function tagText(tag: string): string {
  return (textsOf(adminTexts).tags as Readonly<Record<string, string>>)[tag] ?? tag;
}

/** The tags that may be ticked. */
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
        <Check
          key={tag}
          label={tagText(tag)}
          isOn={ticked.has(tag)}
          onChange={(isOn) => {
            const others = [...ticked].filter((other) => other !== tag);
            onTick(new Set(isOn ? [...others, tag] : others));
          }}
        />
      ))}
    </fieldset>
  );
}
