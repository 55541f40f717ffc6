/**
 * The dynamics of a fader, each by its curve from the input level to the output level.
 *
 * @module
 */
import { useEffect, useRef } from "preact/hooks";
import { pressSwitch } from "../../../parts/use-switch.ts";
import { at, meters, set } from "../../../state/live.ts";
import { forbids } from "../../../state/rights.ts";
import { valueText } from "../../../texts/decimal.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { texts, textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";
import { whileSeen } from "../../../while-seen.ts";
import { areMetersShown, meterOptions } from "../mixer-meters.ts";
import { Block } from "./block.tsx";
import { BlockKeys } from "./block-keys.tsx";
import { type Handle, Plane } from "./plane.tsx";
import { Reduction } from "./reduction.tsx";
import type { SectionProps } from "./sections.ts";
import { placeOf, valueAt } from "./slider-scale.ts";
import {
  attenuationPlace,
  gainPlace,
  hasTransfer,
  type Kind,
  outputOf,
  type PlaceOnCurve,
  ratioAt,
  ratioPlace,
  thresholdPlace,
  type Transfer,
} from "./transfer.ts";
import { type HandValue, type HandValues, useHandValues } from "./values.ts";
import type { Axis } from "./drag-position.ts";

/** The width and the height of the picture, in its own units. */
const SIZE = 200;

/** The ends of both scales, in dB. */
const LOWEST_DB = -80;
const HIGHEST_DB = 20;

/** The input level at which the handle of a compressor's ratio lies, in dB. */
const RATIO_DB = 10;

const POINTS = 200;

/** Levels with a line, in dB. */
const LINES = [-60, -40, -20, 0];

/** The properties of the dynamics of a fader. */
export interface DynamicsProps extends SectionProps {
  /** The path of the fader. */
  readonly fader: string;
}

/**
 * The dynamics: a key for each block, and the curve, if it has one, and the settings of the chosen
 * block.
 */
export function Dynamics(props: DynamicsProps) {
  const { path, blocks, ranges, chosen: wanted, onChoose } = props;
  const text = mixerWords();
  const own = textsOf(wideTexts);
  const reason = forbids("configure");
  const values = useHandValues(path, blocks, ranges, reason);
  const chosen = blocks.find((name) => name === wanted) ??
    blocks.find((name) => name === "compressor") ?? blocks[0];
  if (chosen === undefined) return null;
  const title = text.blocks[chosen as keyof typeof text.blocks] ?? chosen;
  const block = `${path}/${chosen}`;
  const isReduced = areMetersShown &&
    Object.hasOwn(at(block).value as object ?? {}, "_gainreduction");
  return (
    <>
      <div class="dynamics-curve">
        {hasTransfer(chosen) && (
          <TransferPlane
            {...props}
            key={chosen}
            kind={chosen}
            title={title}
            values={values}
            reason={reason}
          />
        )}
        {isReduced && <Reduction key={block} path={block} title={title} />}
      </div>
      <BlockKeys
        label={own.blocks}
        path={path}
        blocks={blocks}
        chosen={chosen}
        onChoose={onChoose}
      />
      <Block key={chosen} path={`${path}/${chosen}`} name={chosen} ranges={ranges} />
    </>
  );
}

interface TransferPlaneProps extends DynamicsProps {
  readonly kind: Kind;
  readonly title: string;
  readonly values: HandValues;
  readonly reason: string | undefined;
}

function TransferPlane(props: TransferPlaneProps) {
  const { path, fader, kind, title, values, reason } = props;
  const { decimal } = texts();
  const text = mixerWords();
  const own = textsOf(wideTexts);
  const on = at(`${path}/${kind}/on`).value === true;
  const chosen = useRef("threshold");
  const number = (member: string) => values.of(kind, member)?.value ?? 0;
  const transfer: Transfer = {
    kind,
    threshold: number("threshold"),
    ratio: values.of(kind, "ratio")?.value ?? 1,
    gain: number("gain"),
    attenuation: number("attenuation"),
  };
  const toggle = () => pressSwitch(`${path}/${kind}/on`);
  const handles = HANDLES.flatMap(({ member, sign, place, across, up }): Handle[] => {
    const value = values.of(kind, member);
    if (value === undefined) return [];
    const { input, output } = place(transfer);
    const written = valueText(value.value, value.leaf, decimal);
    return [{
      name: member,
      label: own.handle(`${title}: ${text.members[member]}`),
      sign,
      valueText: on ? written : `${written}, ${own.off}`,
      isOn: on,
      x: partOf(input),
      y: partOf(output),
      across: across?.(value, transfer),
      up: up?.(value, transfer),
      reset() {
        if (member === "gain" && value.value !== 0) value.shown.move(0);
      },
      toggle,
      switchOn: () => void set(`${path}/${kind}/on`, true),
    }];
  });
  const points = Array.from({ length: POINTS + 1 }, (_, point) => {
    const input = levelAt(point / POINTS);
    const height = SIZE * (1 - partOf(outputOf(transfer, input)));
    return `${SIZE * point / POINTS},${Math.max(-9, Math.min(SIZE + 9, height)).toFixed(1)}`;
  }).join("L");
  return (
    <Plane
      label={own.transfer(title)}
      handles={handles}
      chosen={chosen.current}
      onChoose={(name) => chosen.current = name}
      reason={reason}
      hint={own.blockHint}
    >
      <svg
        class={`curve ${on ? "" : "is-off"}`}
        viewBox={`0 0 ${SIZE} ${SIZE}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <g class="curve-grid">
          {LINES.map((dB) => (
            <path
              key={dB}
              class={dB === 0 ? "zero" : ""}
              d={`M${SIZE * partOf(dB)} 0V${SIZE}M0 ${SIZE * (1 - partOf(dB))}H${SIZE}`}
            />
          ))}
          <path d={`M0 ${SIZE}L${SIZE} 0`} />
        </g>
        <path class="curve-line" d={`M${points}`} />
      </svg>
      {LINES.map((dB) => <small key={dB} class="mark-x" style={{ "--x": partOf(dB) }}>{dB}</small>)}
      {LINES.map((dB) => <small key={dB} class="mark-y" style={{ "--y": partOf(dB) }}>{dB}</small>)}
      <LevelPoint fader={fader} transfer={transfer} isOn={on} />
      {values.isShared.value && <small class="plane-told">{text.anotherHand}</small>}
    </Plane>
  );
}

interface LevelPointProps {
  readonly fader: string;
  readonly transfer: Transfer;
  readonly isOn: boolean;
}

/**
 * The present level at the input, as a point on the curve. It bypasses the rendering of components.
 */
function LevelPoint({ fader, transfer, isOn }: LevelPointProps) {
  const point = useRef<HTMLDivElement>(null);
  const latest = useRef(transfer);
  latest.current = transfer;
  const works = useRef(isOn);
  works.current = isOn;
  useEffect(() => {
    if (!areMetersShown) return;
    return whileSeen(() =>
      meters(`${fader}/meter/_input` as "/audio/mixers/0/faders/0/meter/_input", (sides) => {
        if (!Array.isArray(sides) || point.current === null) return;
        const input = Math.max(...sides as number[]);
        const output = works.current ? outputOf(latest.current, input) : input;
        const { style, hidden } = point.current;
        const isSeen = input > LOWEST_DB && output > LOWEST_DB;
        if (hidden === isSeen) point.current.hidden = !isSeen;
        style.setProperty("--x", String(Math.min(1, partOf(input))));
        style.setProperty("--y", String(Math.min(1, partOf(output))));
      }, meterOptions())
    );
  }, [fader]);
  return <div ref={point} class="level-point" hidden aria-hidden="true" />;
}

/** A handle of a curve: its place, and the axes along which it moves its value. */
interface HandleKind {
  readonly member: "threshold" | "ratio" | "gain" | "attenuation";
  readonly sign: string;
  place(transfer: Transfer): PlaceOnCurve;
  across?(value: HandValue, transfer: Transfer): Axis | undefined;
  up?(value: HandValue, transfer: Transfer): Axis | undefined;
}

const HANDLES: readonly HandleKind[] = [
  {
    member: "gain",
    sign: "G",
    place: (transfer) => gainPlace(transfer, LOWEST_DB, HIGHEST_DB),
    up(value, transfer) {
      const { input } = gainPlace(transfer, LOWEST_DB, HIGHEST_DB);
      return axisOf(value, (dB) => input + dB, (output) => output - input);
    },
  },
  {
    member: "ratio",
    sign: "R",
    place: (transfer) => ratioPlace(transfer, RATIO_DB),
    across: (value, transfer) =>
      transfer.kind === "expander"
        ? axisOf(
          value,
          (ratio) => ratioPlace({ ...transfer, ratio }, RATIO_DB).input,
          (input) => ratioAt(transfer, input, RATIO_DB),
        )
        : undefined,
    up: (value, transfer) =>
      transfer.kind === "compressor"
        ? axisOf(
          value,
          (ratio) => ratioPlace({ ...transfer, ratio }, RATIO_DB).output,
          (output) => ratioAt(transfer, output, RATIO_DB),
        )
        : undefined,
  },
  {
    member: "attenuation",
    sign: "A",
    place: attenuationPlace,
    up(value, transfer) {
      const { input } = attenuationPlace(transfer);
      return axisOf(value, (dB) => input - dB, (output) => input - output);
    },
  },
  {
    member: "threshold",
    sign: "T",
    place: thresholdPlace,
    across: (value) => axisOf(value, (dB) => dB, (dB) => dB),
  },
];

/** An axis of a value that lies at a level in dB. */
function axisOf(
  { leaf, shown }: HandValue,
  levelOf: (value: number) => number,
  valueOf: (dB: number) => number,
): Axis {
  return {
    leaf,
    shown,
    placeOf: (value) => partOf(levelOf(value)),
    valueAt: (part) => valueAt(placeOf(valueOf(levelAt(part)), leaf), leaf),
  };
}

/** The place of a level, 0..1 from the left and from below. */
function partOf(dB: number): number {
  return (dB - LOWEST_DB) / (HIGHEST_DB - LOWEST_DB);
}

function levelAt(part: number): number {
  return LOWEST_DB + part * (HIGHEST_DB - LOWEST_DB);
}
