/** The properties of a tick box. */
export interface CheckProps {
  readonly label: string;
  /** The consequence of ticking it, in smaller letters. */
  readonly hint?: string;
  /** Its name in a form, which reads it when it is sent. */
  readonly name?: string;
  /** Whether it is ticked; in a form, whether it is ticked at first. */
  readonly isOn: boolean;
  readonly onChange?: (isOn: boolean) => void;
}

/** A tick box with its label. */
export function Check({ label, hint, name, isOn, onChange }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        {...onChange === undefined ? { defaultChecked: isOn } : { checked: isOn }}
        onChange={({ currentTarget }) => onChange?.(currentTarget.checked)}
      />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  );
}
