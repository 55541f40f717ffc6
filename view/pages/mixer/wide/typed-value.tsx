/**
 * A value of the processing as a number that can be typed.
 *
 * @module
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { NumberLeaf } from "../../../../core/tree/leaf.ts";
import type { Shown } from "../../../parts/fader/shown.ts";
import { isLeft } from "../../../parts/use-kept-focus.ts";
import { asked, link } from "../../../state/live.ts";
import { notice } from "../../../state/notices.ts";
import { forbids, noticeBarred } from "../../../state/rights.ts";
import { valueText } from "../../../texts/decimal.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { texts, textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";
import { typedValue } from "./typed.ts";

/** The properties of a typed value. */
export interface TypedValueProps {
  readonly path: string;
  /** Its full name. */
  readonly name: string;
  readonly leaf: NumberLeaf;
  readonly value: number;
  readonly shown: Shown;
  /** Called with a typed value that is sent. */
  readonly onTyped?: ((value: number) => void) | undefined;
}

/**
 * The value with its unit: a press makes it a field. Enter sets the typed value, Escape keeps the
 * old one.
 */
export function TypedValue({ path, name, leaf, value, shown, onTyped }: TypedValueProps) {
  const [isTyped, setTyped] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** Whether the field had the focus when it was removed: the button then takes the focus. */
  const isFocused = useRef(false);
  useLayoutEffect(() => {
    if (!isTyped && isFocused.current) button.current!.focus();
    isFocused.current = false;
  }, [isTyped]);
  const { decimal } = texts();
  const mixer = mixerWords();
  const own = textsOf(wideTexts);
  const reason = forbids("configure");
  const text = valueText(value, leaf, decimal);
  const isUnanswered = asked(path).value !== undefined && link.value.state !== "open";

  /** Sets the typed text; returns whether it was a value. */
  function take(typed: string): boolean {
    const found = typedValue(typed, leaf);
    const { min = 0, max = 0 } = leaf;
    const write = (value: number) => valueText(value, leaf, decimal);
    if (found === undefined) {
      notice(own.notTyped(name, write(min), write(max)));
      return false;
    }
    if (reason !== undefined) {
      noticeBarred(reason);
      return true;
    }
    if (found.isBounded) notice(own.bounded(name, write(found.value)));
    if (found.value !== shown.value) shown.move(found.value);
    onTyped?.(found.value);
    return true;
  }

  if (!isTyped) {
    return (
      <button
        ref={button}
        type="button"
        class={`value ${isUnanswered ? "unanswered" : ""}`}
        aria-label={own.type(name, text)}
        aria-disabled={reason !== undefined}
        title={reason ?? (isUnanswered ? mixer.unanswered : undefined)}
        onClick={() => reason === undefined ? setTyped(true) : noticeBarred(reason)}
      >
        {text}
      </button>
    );
  }
  return (
    <ValueField
      name={name}
      text={text}
      onType={take}
      onDone={(hasFocus) => {
        isFocused.current = hasFocus;
        setTyped(false);
      }}
    />
  );
}

interface ValueFieldProps {
  readonly name: string;
  readonly text: string;
  /** Called with the typed text; returns whether it is a value. */
  readonly onType: (typed: string) => boolean;
  /** Called with whether the focus is still in the field. */
  readonly onDone: (hasFocus: boolean) => void;
}

function ValueField({ name, text, onType, onDone }: ValueFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const [isRefused, setRefused] = useState(false);
  /** The initial text: the console may change the value meanwhile. */
  const first = useRef(text);
  useLayoutEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);
  // A field that is removed loses the focus, too.
  const done = (hasFocus: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(hasFocus);
  };
  const isOther = () => field.current!.value !== first.current;
  return (
    <input
      ref={field}
      class="value"
      aria-label={name}
      aria-invalid={isRefused}
      autocomplete="off"
      enterkeyhint="done"
      defaultValue={first.current}
      onBlur={({ currentTarget }) => {
        if (!isLeft(currentTarget)) return;
        if (!isDone.current && isOther()) onType(field.current!.value);
        done(false);
      }}
      onKeyDown={(event) => {
        const { key } = event;
        if (key !== "Enter" && key !== "Escape") return;
        // The key only ends the field, and does not press the button that replaces it.
        event.preventDefault();
        event.stopPropagation();
        if (key === "Enter" && isOther() && !onType(field.current!.value)) {
          return setRefused(true);
        }
        done(true);
      }}
    />
  );
}
