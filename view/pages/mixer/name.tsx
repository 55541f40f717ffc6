/**
 * The label of a fader, edited where it stands.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { at, set } from "../../live.ts";
import { notice } from "../../notices.ts";
import { forbids } from "../../rights.ts";
import { texts } from "../../texts/texts.ts";
import type { StripPlace } from "./strip-place.ts";

/** A label has so many characters at most (`LABEL_LENGTH`). */
const LONGEST = 128;

/** The label: pressed, it becomes a field. Enter keeps what is written, Escape leaves it. */
export function Name({ mixer, fader }: StripPlace) {
  const path = `/audio/mixers/${mixer}/faders/${fader}/label` as const;
  const label = at(path).value ?? "";
  const [isEdited, setEdited] = useState(false);
  const { mixer: text } = texts();
  const reason = forbids("operate");
  if (!isEdited) {
    return (
      <button
        type="button"
        class="strip-name"
        aria-label={text.rename(label)}
        aria-disabled={reason !== undefined}
        title={reason ?? label}
        onClick={() => reason === undefined ? setEdited(true) : notice(reason)}
      >
        <span>{label}</span>
      </button>
    );
  }
  return (
    <NameField
      label={label}
      onDone={(written) => {
        setEdited(false);
        if (written !== undefined && written !== label) set(path, written);
      }}
    />
  );
}

interface NameFieldProps {
  readonly label: string;
  /** Is given what was written; undefined where it is to stay as it was. */
  readonly onDone: (written: string | undefined) => void;
}

function NameField({ label, onDone }: NameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => field.current!.select(), []);
  // A field that goes loses the focus, too.
  const done = (written?: string) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(written);
  };
  return (
    <input
      ref={field}
      class="strip-name"
      aria-label={texts().mixer.label}
      defaultValue={label}
      maxLength={LONGEST}
      autoFocus
      onBlur={({ currentTarget: { value } }) => done(value)}
      onKeyDown={({ key, currentTarget: { value } }) => {
        if (key === "Enter") done(value);
        if (key === "Escape") done();
      }}
    />
  );
}
