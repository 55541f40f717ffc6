/**
 * The part of a mixer that the address of its page names.
 *
 * @module
 */

/** The greatest number of a VCA group. */
const VCA_MAX = 255;

/** The shown part of a mixer. */
export interface ShownOfMixer {
  /** The VCA group whose strips alone are shown. */
  readonly vca: number | undefined;
  /** The fader whose wide strip is open, NaN for none. */
  readonly open: number;
  /** The section of the wide strip, as the address names it. */
  readonly section: string | undefined;
}

/**
 * Reads the parts of the address behind the number of the mixer: `2/equalizer`, or
 * `vca/1/2/equalizer`. Anything but the number of a VCA group, 1 to 255, means all strips.
 */
export function shownOfMixer(parts: readonly string[]): ShownOfMixer {
  const isSpilled = parts[0] === "vca";
  const named = isSpilled ? Number(parts[1]) : NaN;
  const vca = Number.isInteger(named) && named > 0 && named <= VCA_MAX ? named : undefined;
  const [open, section] = isSpilled ? parts.slice(2) : parts;
  return { vca, open: Number(open), section };
}

/** The parts of an address behind the number of the mixer: {@link shownOfMixer} reads them. */
export function partsOfShown(
  vca: number | undefined,
  fader: number | undefined,
  section: string | undefined,
): readonly (string | number)[] {
  const strip = fader === undefined ? [] : section === undefined ? [fader] : [fader, section];
  return vca === undefined ? strip : ["vca", vca, ...strip];
}
