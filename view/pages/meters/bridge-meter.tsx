/**
 * A meter of the bridge, with its numbers.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Meter } from "../../parts/meters/meter.tsx";
import { SILENT_DB } from "../../parts/meters/scale.ts";
import type { Decimal } from "../../texts/decimal.ts";
import { metersTexts } from "../../texts/meters.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import type { BridgeBoard, Values } from "./bridge-board.ts";
import type { Source } from "./sources.ts";

/** Interval in ms between updates of the numbers: slow enough to be read. */
const READ_MS = 250;

/** A meter with its name, its scale and its numbers. */
export function BridgeMeter(
  { source, bridge }: { readonly source: Source; readonly bridge: BridgeBoard | undefined },
) {
  const { path, kind, name, mode, measure } = source;
  const own = textsOf(metersTexts);
  const { decimal } = texts();
  const mixer = mixerWords();
  const values = useValues(bridge, path);
  const numbers = numbersOf(kind, values, own);
  return (
    <div class="bridge-meter" role="group" aria-label={name}>
      <bdi class="bridge-name cut" title={name}>{name}</bdi>
      <span class="muted small cut">{kind === "fader" ? mixer.preFader : measure}</span>
      <Meter board={bridge?.board} name={path} mode={mode} label={mixer.meterOf(name)} hasScale />
      {kind === "level" && (
        <Correlation
          value={values?.members._correlation ?? 0}
          label={own.correlationOf(name)}
          decimal={decimal}
        />
      )}
      <dl class="bridge-numbers">
        {numbers.map(({ label, title, value }) => (
          <div key={label} title={title}>
            <dt class="muted small">{label}</dt>
            <dd>{written(value, decimal)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The correlation of two sides: from -1, where they cancel each other out, to 1. */
function Correlation(
  { value, label, decimal }: {
    readonly value: number;
    readonly label: string;
    readonly decimal: Decimal;
  },
) {
  return (
    <div class="correlation" title={label}>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={-1}
        aria-valuemax={1}
        aria-valuenow={Math.round(value * 100) / 100}
      >
        <span class={value < 0 ? "bad" : ""} style={{ "--place": (value + 1) / 2 }} />
      </div>
      <small aria-hidden="true">{decimal(value, 1)}</small>
    </div>
  );
}

type Texts = ReturnType<typeof metersTexts>;

interface NumberShown {
  readonly label: string;
  readonly title: string;
  readonly value: number | undefined;
}

function numbersOf(
  kind: Source["kind"],
  values: Values | undefined,
  own: Texts,
): readonly NumberShown[] {
  if (kind !== "loudness") {
    return [{ label: own.peak, title: own.peakTitle, value: values?.highest }];
  }
  const { _levelm, _levels, _leveli, _maxpeak } = values?.members ?? {};
  return [
    { label: "M", title: own.momentary, value: _levelm },
    { label: "S", title: own.shortTerm, value: _levels },
    { label: "I", title: own.integrated, value: _leveli },
    { label: "TP", title: own.truePeak, value: _maxpeak },
  ];
}

function written(value: number | undefined, decimal: Decimal): string {
  if (value === undefined) return "–";
  return value <= SILENT_DB ? "−∞" : decimal(value, 1);
}

/** The values of a meter, a few times a second. */
function useValues(bridge: BridgeBoard | undefined, path: string): Values | undefined {
  const [values, setValues] = useState<Values>();
  useEffect(() => {
    const look = setInterval(() => setValues(bridge?.valuesOf(path)), READ_MS);
    return () => clearInterval(look);
  }, [bridge, path]);
  return values;
}
