/**
 * The sections of a wide strip, each of which fits a screen.
 *
 * @module
 */
import type { Ranges } from "../../../../core/tree/leaf.ts";

/** The sections, as the address names them, in the order of their tabs. */
export const SECTIONS = ["source", "equalizer", "dynamics", "panorama", "buses", "colour"] as const;

/** A section. */
export type Section = typeof SECTIONS[number];

/** The properties of a section of several blocks. */
export interface SectionProps {
  /** The path of `params`. */
  readonly path: string;
  /** The blocks of the section that the fader has, in the order of its processing. */
  readonly blocks: readonly string[];
  /** The ranges of all blocks. */
  readonly ranges: Ranges;
  /** The block that was chosen last, if any. */
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

const FILTER = /^(eq\d|subsonic|varfilter\d)$/;

/** Blocks that the order of the processing does not contain. */
const ALWAYS = ["panbal", "swc"];

/**
 * The blocks of a section that the processing of a fader has. Its sends to buses are not part of
 * the processing, and neither is the look of its channel.
 */
export function blocksOf(section: Section, processing: readonly string[]): readonly string[] {
  switch (section) {
    case "source":
      return ["gain"];
    case "equalizer":
      return processing.filter((name) => FILTER.test(name));
    case "dynamics":
      return processing.filter((name) =>
        name !== "gain" && !ALWAYS.includes(name) && !FILTER.test(name)
      );
    case "panorama":
      return ALWAYS;
    case "buses":
    case "colour":
      return [];
  }
}

/** The section that an address names, or the first section. */
export function sectionOf(named: string | undefined): Section {
  return SECTIONS.find((section) => section === named) ?? SECTIONS[0];
}
