/**
 * Panorama and stereo width of a fader.
 *
 * @module
 */
import { at } from "../../../state/live.ts";
import { textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";
import { Block } from "./block.tsx";
import { BlockKeys } from "./block-keys.tsx";
import type { SectionProps } from "./sections.ts";

/** A key for each block that the fader has, and the settings of the chosen block. */
export function Panorama({ path, blocks, ranges, chosen: wanted, onChoose }: SectionProps) {
  const active = blocks.filter((name) => at(`${path}/${name}/_active`).value === true);
  const chosen = active.find((name) => name === wanted) ?? active[0];
  if (chosen === undefined) return null;
  return (
    <>
      <BlockKeys
        label={textsOf(wideTexts).blocks}
        path={path}
        blocks={active}
        chosen={chosen}
        onChoose={onChoose}
      />
      <Block key={chosen} path={`${path}/${chosen}`} name={chosen} ranges={ranges} />
    </>
  );
}
