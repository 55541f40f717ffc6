/**
 * The label of a fader, edited where it stands.
 *
 * @module
 */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isLeft } from "../../parts/use-kept-focus.ts";
import { at, set } from "../../state/live.ts";
import { forbids, noticeBarred } from "../../state/rights.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import type { StripPlace, TabStop } from "./strip-place.ts";

/** Maximum length of a label, in characters (`LABEL_LENGTH`). */
const LONGEST = 128;

/** The label: a press makes it a field. Enter keeps the typed text, Escape the old one. */
export function Name({ mixer, fader, tabIndex }: StripPlace & TabStop) {
  const path = `/audio/mixers/${mixer}/faders/${fader}/label` as const;
  const label = at(path).value ?? "";
  const [isEdited, setEdited] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** Whether the field had the focus when it was removed: the button then takes the focus. */
  const isFocused = useRef(false);
  useLayoutEffect(() => {
    if (!isEdited && isFocused.current) button.current!.focus();
    isFocused.current = false;
  }, [isEdited]);
  const text = mixerWords();
  const reason = forbids("operate");
  if (!isEdited) {
    return (
      <button
        ref={button}
        type="button"
        class="strip-name"
        tabIndex={tabIndex}
        aria-label={text.rename(label)}
        aria-disabled={reason !== undefined}
        title={reason ?? label}
        onClick={() => reason === undefined ? setEdited(true) : noticeBarred(reason)}
      >
        <span>
          <bdi>{label}</bdi>
        </span>
      </button>
    );
  }
  return (
    <NameField
      label={label}
      onDone={(written, hasFocus) => {
        setEdited(false);
        isFocused.current = hasFocus;
        if (written !== undefined && written !== label) set(path, written);
      }}
    />
  );
}

interface NameFieldProps {
  readonly label: string;
  /**
   * Called with the typed text, or undefined to keep the old one, and with whether the focus is
   * still in the field.
   */
  readonly onDone: (written: string | undefined, hasFocus: boolean) => void;
}

function NameField({ label, onDone }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  // A layout effect runs before anything is drawn: text that is typed at once goes into the field.
  useLayoutEffect(() => {
    field.current!.focus();
    field.current!.select();
  }, []);
  // A field that is removed loses the focus, too.
  const done = (written: string | undefined, hasFocus: boolean) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(written, hasFocus);
  };
  return (
    <input
      ref={field}
      class="strip-name"
      dir="auto"
      aria-label={mixerWords().label}
      defaultValue={label}
      maxLength={LONGEST}
      onBlur={({ currentTarget }) => {
        if (isLeft(currentTarget)) done(currentTarget.value, false);
      }}
      onKeyDown={(event) => {
        const { key, currentTarget: { value } } = event;
        if (key !== "Enter" && key !== "Escape") return;
        // The key only ends the field, and does not press the button that replaces it.
        event.preventDefault();
        event.stopPropagation();
        done(key === "Enter" ? value : undefined, true);
      }}
    />
  );
}
