import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isLeft } from "../../parts/use-kept-focus.ts";
import { at, set } from "../../state/live.ts";
import { forbids, type Need } from "../../state/rights.ts";

/** The properties of a field. */
export interface TextFieldProps {
  readonly path: string;
  readonly label: ComponentChildren;
  /** Its name, if the label is too short to be a name. */
  readonly name?: string;
  readonly needs: Need;
  readonly maxLength: number;
  readonly placeholder?: string;
  /** Converts the text to a value of the control tree; undefined for an invalid text. */
  readonly valueIn?: (text: string) => unknown;
}

/**
 * A value of the control tree that is typed. It is set by Enter or by leaving the field; Escape
 * brings back the old value.
 */
export function TextField(
  { path, label, name, needs, maxLength, placeholder, valueIn = String }: TextFieldProps,
) {
  const [draft, setDraft] = useState<string>();
  const reason = forbids(needs);
  const inForce = String(at(path).value ?? "");
  const take = async () => {
    const value = draft === undefined || draft === inForce ? undefined : valueIn(draft);
    if (value !== undefined) await set(path, value as never);
    // Text that was typed while the console answered stays.
    setDraft((now) => now === draft ? undefined : now);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <input
        aria-label={name}
        value={draft ?? inForce}
        placeholder={placeholder}
        maxLength={maxLength}
        readOnly={reason !== undefined}
        title={reason}
        onInput={({ currentTarget: { value } }) => setDraft(value)}
        onBlur={({ currentTarget }) => {
          if (isLeft(currentTarget)) take();
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") take();
          if (key !== "Escape") return;
          setDraft(undefined);
          currentTarget.value = inForce;
        }}
      />
    </label>
  );
}
