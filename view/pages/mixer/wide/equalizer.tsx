/**
 * An equalizer by its curve: a handle for each band.
 *
 * @module
 */
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import { pressSwitch } from "../../../parts/use-switch.ts";
import { at, set } from "../../../state/live.ts";
import { forbids } from "../../../state/rights.ts";
import { valueText } from "../../../texts/decimal.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { texts, textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";
import { Block } from "./block.tsx";
import { BlockKeys } from "./block-keys.tsx";
import { bandResponse, passResponse, type Response } from "./curve.ts";
import { type Handle, Plane } from "./plane.tsx";
import type { SectionProps } from "./sections.ts";
import { placeOf, valueAt } from "./slider-scale.ts";
import { type HandValue, type HandValues, useHandValues } from "./values.ts";
import type { Axis } from "./drag-position.ts";

/** The size of the picture, in its own units, and the number of steps of its curves. */
const WIDTH = 400;
const HEIGHT = 140;
const POINTS = 160;

/** The gain at the upper edge, in dB: somewhat more than a band has. */
const RANGE_DB = 24;

/** The range of the frequencies of all filters. */
const FREQUENCY: NumberLeaf = { type: "number", default: 1000, min: 20, max: 20_000, unit: "Hz" };

const FREQUENCIES = Array.from({ length: POINTS + 1 }, (_, point) => hertzAt(point / POINTS));

/** Frequencies with a line, and frequencies with a label, in Hz. */
const LINES = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];
const FREQUENCY_LABELS: ReadonlyMap<number, string> = new Map([
  [100, "100"],
  [1000, "1k"],
  [10_000, "10k"],
]);

/** Gains with a line, in dB. */
const GAINS = [-12, 0, 12];

/** Types below this number have a gain: 0 bell, 1 low shelf, 2 high shelf. */
const GAIN_TYPES = 3;

/** The text in the handle of a block. */
const HANDLE_LABELS: Readonly<Record<string, string>> = {
  subsonic: "S",
  eq1: "1",
  eq2: "2",
  eq3: "3",
  eq4: "4",
  varfilter1: "F1",
  varfilter2: "F2",
};

/**
 * The equalizer of a fader: its curve, a key for each band, and the settings of the chosen band.
 */
export function Equalizer({ path, blocks, ranges, chosen: wanted, onChoose }: SectionProps) {
  const { decimal } = texts();
  const text = mixerWords();
  const own = textsOf(wideTexts);
  const reason = forbids("configure");
  const values = useHandValues(path, blocks, ranges, reason);
  const chosen = blocks.find((name) => name === wanted) ??
    blocks.find((name) => name.startsWith("eq")) ?? blocks[0];
  const bands = blocks.map((name) => {
    const on = at(`${path}/${name}/on`).value === true;
    const type = numberAt(`${path}/${name}/type`);
    const frequency = values.of(name, "frequency");
    const gain = values.of(name, "gain");
    const q = values.of(name, "q");
    return { name, on, type, frequency, gain, q, response: responseOf(path, name, values) };
  });
  const handles = bands.flatMap(({ name, on, type, frequency, gain, q }): Handle[] => {
    if (frequency === undefined) return [];
    const isGained = gain !== undefined && type < GAIN_TYPES;
    const said = [
      valueText(frequency.value, frequency.leaf, decimal),
      ...isGained ? [valueText(gain.value, gain.leaf, decimal)] : [],
      ...q === undefined ? [] : [own.qOf(valueText(q.value, q.leaf, decimal))],
      ...on ? [] : [own.off],
    ];
    const toggle = () => pressSwitch(`${path}/${name}/on`);
    return [{
      name,
      label: text.blocks[name as keyof typeof text.blocks] ?? name,
      sign: HANDLE_LABELS[name] ?? name,
      valueText: said.join(", "),
      isOn: on,
      x: partOf(frequency.value),
      y: isGained ? partOfGain(gain.value) : 0.5,
      across: acrossOf(frequency),
      up: isGained ? upOf(gain) : undefined,
      spread: q,
      reset: () => isGained && gain.value !== 0 && gain.shown.move(0),
      toggle,
      switchOn: () => void set(`${path}/${name}/on`, true),
    }];
  });
  const whole = pathOf(bands.filter(({ on }) => on).map(({ response }) => response));
  const one = bands.find(({ name }) => name === chosen);
  return (
    <>
      <Plane
        label={text.curve}
        handles={handles}
        chosen={chosen}
        onChoose={onChoose}
        reason={reason}
        hint={own.bandHint}
      >
        <svg
          class="curve"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          <g class="curve-grid">
            {LINES.map((hertz) => <path key={hertz} d={`M${WIDTH * partOf(hertz)} 0V${HEIGHT}`} />)}
            {GAINS.map((dB) => (
              <path key={dB} class={dB === 0 ? "zero" : ""} d={`M0 ${heightOf(dB)}H${WIDTH}`} />
            ))}
          </g>
          <path class="curve-area" d={`M0,${heightOf(0)}L${whole}L${WIDTH},${heightOf(0)}Z`} />
          {one !== undefined && <path class="curve-one" d={`M${pathOf([one.response])}`} />}
          <path class="curve-line" d={`M${whole}`} />
        </svg>
        {[...FREQUENCY_LABELS].map(([hertz, text]) => (
          <small key={text} class="mark-x" style={{ "--x": partOf(hertz) }}>{text}</small>
        ))}
        {GAINS.map((dB) => (
          <small key={dB} class="mark-y" style={{ "--y": partOfGain(dB) }}>
            {dB > 0 ? `+${dB}` : dB}
          </small>
        ))}
        {values.isShared.value && <small class="plane-told">{text.anotherHand}</small>}
      </Plane>
      <BlockKeys
        label={own.bands}
        path={path}
        blocks={blocks}
        chosen={chosen}
        onChoose={onChoose}
      />
      {chosen !== undefined && (
        <Block
          key={chosen}
          path={`${path}/${chosen}`}
          name={chosen}
          ranges={ranges}
          onTyped={(member, value) => {
            // A typed gain turns its band on, so that it is heard, as two taps on its handle do if
            // the band is off.
            const isHeard = at(`${path}/${chosen}/on`).peek() !== false;
            const isGained = member === "gain" && numberAt(`${path}/${chosen}/type`) < GAIN_TYPES;
            if (isGained && value !== 0 && !isHeard) {
              void set(`${path}/${chosen}/on`, true);
            }
          }}
        />
      )}
    </>
  );
}

function numberAt(path: string): number {
  const { value } = at(path);
  return typeof value === "number" ? value : 0;
}

/** The frequency response of a block, with the values that its handle shows. */
function responseOf(path: string, name: string, values: HandValues): Response {
  const frequency = values.of(name, "frequency")?.value ?? FREQUENCY.default;
  if (name === "subsonic") return passResponse({ frequency, hipass: true, order: 2 });
  if (!name.startsWith("eq")) {
    const hipass = at(`${path}/${name}/hipass`).value === true;
    return passResponse({ frequency, hipass, order: numberAt(`${path}/${name}/order`) });
  }
  const gain = values.of(name, "gain")?.value ?? 0;
  const q = values.of(name, "q")?.value ?? 1;
  return bandResponse({ type: numberAt(`${path}/${name}/type`), frequency, gain, q });
}

function pathOf(responses: readonly Response[]): string {
  return FREQUENCIES.map((hertz, point) => {
    const dB = responses.reduce((sum, response) => sum + response(hertz), 0);
    return `${(WIDTH * point / POINTS).toFixed(1)},${heightOf(dB).toFixed(1)}`;
  }).join("L");
}

function acrossOf({ leaf, shown }: HandValue): Axis {
  return {
    leaf,
    shown,
    placeOf: partOf,
    valueAt: (part) => valueAt(placeOf(hertzAt(part), leaf), leaf),
  };
}

function upOf({ leaf, shown }: HandValue): Axis {
  const gainAt = (part: number) => (part - 0.5) * 2 * RANGE_DB;
  return {
    leaf,
    shown,
    placeOf: partOfGain,
    valueAt: (part) => valueAt(placeOf(gainAt(part), leaf), leaf),
  };
}

/** The place of a frequency, 0..1 from the left. */
function partOf(hertz: number): number {
  return placeOf(hertz, FREQUENCY);
}

function hertzAt(part: number): number {
  return FREQUENCY.min! * (FREQUENCY.max! / FREQUENCY.min!) ** part;
}

/** The place of a gain, 0..1 from below. */
function partOfGain(dB: number): number {
  return 0.5 + dB / RANGE_DB / 2;
}

function heightOf(dB: number): number {
  return HEIGHT * (1 - Math.max(-0.05, Math.min(1.05, partOfGain(dB))));
}
