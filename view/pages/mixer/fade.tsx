/**
 * Fades from a strip: its fader to a level, or a cross-fade to another fader.
 *
 * @module
 */
import { useComputed } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { levelText } from "../../parts/fader/scale.ts";
import { FADE_MAX, FADER_MAX, FADER_MIN } from "../../../fade/limits.ts";
import { at, rpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { type Decimal, typedNumber } from "../../texts/decimal.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { texts } from "../../texts/texts.ts";
import type { StripPlace, TabStop } from "./strip-place.ts";

/** The offered levels in dB, and times in s; any other value can be typed. */
const LEVELS = [FADER_MIN, -20, -10, 0];
const TIMES = [0.5, 1, 2, 3, 5, 10, 20, 30];

interface FadeProps extends StripPlace {
  readonly label: string;
}

/** The button that asks for the target of a fade. */
export function FadeButton({ mixer, fader, tabIndex, label }: FadeProps & TabStop) {
  const [isAsked, setAsked] = useState(false);
  const text = mixerWords();
  return (
    <>
      <Button
        class="key"
        label={text.fade}
        name={text.fadeOf(label)}
        needs="operate"
        tabIndex={tabIndex}
        onPress={() => setAsked(true)}
      />
      {isAsked && (
        <FadeDialog
          mixer={mixer}
          fader={fader}
          label={label}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}

function FadeDialog(
  { mixer, fader, label, onClose }: FadeProps & { readonly onClose: () => void },
) {
  const here = at(`/audio/mixers/${mixer}/faders/${fader}/fader`).value ?? FADER_MIN;
  const [level, setLevel] = useState(here > FADER_MIN ? FADER_MIN : 0);
  const [seconds, setSeconds] = useState(3);
  const [other, setOther] = useState<number>();
  const others = useOthers(mixer, fader);
  const { decimal } = texts();
  const text = mixerWords();
  // The incoming fader takes the level of the outgoing one.
  const rises = here > FADER_MIN ? here : 0;
  const start = () => {
    rpc("fadetovalue", {
      mixer,
      fader,
      time: seconds,
      value: other === undefined ? level : FADER_MIN,
    });
    if (other !== undefined) {
      rpc("fadetovalue", { mixer, fader: other, time: seconds, value: rises });
    }
    onClose();
  };
  return (
    <Dialog title={text.fadeOf(label)} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <Offer
          label={text.fadeTo}
          offered={LEVELS}
          chosen={other === undefined ? level : FADER_MIN}
          textOf={(dB) => dB === FADER_MIN ? text.out : `${dB} dB`}
          range={{ min: FADER_MIN, max: FADER_MAX, unit: "dB" }}
          isDisabled={other !== undefined}
          onChoose={setLevel}
        />
        <Offer
          label={text.fadeIn}
          offered={TIMES}
          chosen={seconds}
          textOf={(time) => `${writtenShort(time, decimal)} s`}
          range={{ min: 0, max: FADE_MAX, unit: "s" }}
          onChoose={setSeconds}
        />
        <label class="field">
          <span>{text.crossFade}</span>
          <select
            value={other ?? ""}
            onChange={({ currentTarget: { value } }) =>
              setOther(value === "" ? undefined : Number(value))}
          >
            <option value="">{text.noCrossFade}</option>
            {others.map(([id, name]) => <option key={id} value={id}>{name}</option>)}
          </select>
        </label>
        {other !== undefined && <p class="muted">{text.rises(levelText(rises, decimal))}</p>}
        <button type="submit" class="button primary">{text.start}</button>
      </form>
    </Dialog>
  );
}

/** The other faders of the mixer, each with its label. */
function useOthers(mixer: number, fader: number): (readonly [number, string])[] {
  const faders = at(`/audio/mixers/${mixer}/faders`);
  const numbers = useComputed(() => Object.keys(faders.value ?? {}).join()).value;
  return numbers.split(",").map(Number).filter((id) => id !== fader).map((id) =>
    [id, `${id + 1} ${at(`/audio/mixers/${mixer}/faders/${id}/label`).value ?? ""}`] as const
  );
}

interface OfferProps {
  readonly label: string;
  readonly offered: readonly number[];
  readonly chosen: number;
  readonly textOf: (value: number) => string;
  readonly range: {
    readonly min: number;
    readonly max: number;
    readonly unit: string;
  };
  readonly isDisabled?: boolean;
  readonly onChoose: (value: number) => void;
}

/** A number with at most one decimal: `3`, `0.5`. */
function writtenShort(value: number, decimal: Decimal): string {
  return decimal(value, Number.isInteger(value) ? 0 : 1);
}

/** A number: one of a few, or any other, which may be typed as the page writes it. */
function Offer({ label, offered, chosen, textOf, range, isDisabled, onChoose }: OfferProps) {
  const { min, max, unit } = range;
  const field = useRef<HTMLInputElement>(null);
  /** The typed text, which stays as it is even while it is not a number yet. */
  const [typed, setTyped] = useState<string>();
  const { decimal } = texts();
  const text = mixerWords();
  const isWithin = (value: number) => value >= min && value <= max;
  const read = (written: string) => {
    const value = typedNumber(written, unit);
    // The level of a fader that is off is written as −∞ dB.
    return unit === "dB" && value === -Infinity ? min : value;
  };
  const isRefused = typed !== undefined && !isWithin(read(typed));
  useLayoutEffect(() => {
    field.current!.setCustomValidity(isRefused ? text.expected(min, max, unit) : "");
  }, [isRefused]);
  return (
    <fieldset class="choice" disabled={isDisabled}>
      <legend>{label}</legend>
      <div class="choice-items toolbar offer">
        {offered.map((value) => (
          <button
            key={value}
            type="button"
            class="button"
            aria-pressed={value === chosen}
            onClick={() => {
              setTyped(undefined);
              onChoose(value);
            }}
          >
            {textOf(value)}
          </button>
        ))}
        <input
          ref={field}
          class="input"
          inputMode="decimal"
          aria-label={`${label} (${unit})`}
          value={isDisabled || typed === undefined ? writtenShort(chosen, decimal) : typed}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value);
            if (isWithin(read(value))) onChoose(read(value));
          }}
        />
      </div>
    </fieldset>
  );
}
