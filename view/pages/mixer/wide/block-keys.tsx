/**
 * A key for each of several blocks, one of which is chosen.
 *
 * @module
 */
import { at } from "../../../state/live.ts";
import { Button } from "../../../parts/button.tsx";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";
import { blockText } from "./block-text.ts";

/** The properties of the keys of blocks. */
export interface BlockKeysProps {
  readonly label: string;
  readonly path: string;
  readonly blocks: readonly string[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/** The keys; each says whether its block is on. Nothing if there is no choice. */
export function BlockKeys({ label, path, blocks, chosen, onChoose }: BlockKeysProps) {
  const text = mixerWords();
  const short: Readonly<Record<string, string>> = textsOf(wideTexts).short;
  if (blocks.length < 2) return null;
  return (
    <div class="block-keys" role="group" aria-label={label}>
      {blocks.map((name) => {
        const title = blockText(name);
        const sign = short[name] ?? title;
        return (
          <Button
            key={name}
            class="key"
            label={sign}
            // Speech control uses the visible text, so the name has to contain it.
            name={` ${title} `.includes(` ${sign} `) ? title : `${sign}: ${title}`}
            isOn={name === chosen}
            said={at(`${path}/${name}/on`).value === true ? text.members.on : undefined}
            onPress={() => onChoose(name)}
          />
        );
      })}
    </div>
  );
}
