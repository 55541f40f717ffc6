/**
 * An equalizer by its curve: a handle for each band.
 *
 * @module
 */
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
import { acrossOf, Curve, FREQUENCY, partOf, partOfGain, upOf } from "./equalizer-curve.tsx";
import { type Handle, Plane } from "./plane.tsx";
import type { SectionProps } from "./sections.ts";
import { type HandValues, useHandValues } from "./values.ts";

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
      toggle: () => pressSwitch(`${path}/${name}/on`),
      switchOn: () => void set(`${path}/${name}/on`, true),
    }];
  });
  const heard = bands.filter(({ on }) => on).map(({ response }) => response);
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
        <Curve responses={heard} chosen={one?.response} />
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
