/**
 * Buttons that say why they cannot be pressed.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { forbids, type Need, noticeBarred } from "../state/rights.ts";
import { Icon, type IconName } from "./icon.tsx";

/** The properties of a button. */
export interface ButtonProps {
  /** The text of the button, shown beside the icon unless `isBare`. */
  readonly label: string;
  /** The accessible name, if the label is too short; it must contain the label. */
  readonly name?: string;
  readonly onPress: () => void;
  /** The right that is needed to press the button; none without it. */
  readonly needs?: Need;
  /** A reason, other than rights, why the button cannot be pressed. */
  readonly reason?: string | undefined;
  /** A word on its state, shown below the label. */
  readonly said?: string | undefined;
  /** A sentence on its state. */
  readonly hint?: string | undefined;
  readonly icon?: IconName;
  /** Whether only the icon is shown; the label is then the accessible name. */
  readonly isBare?: boolean;
  /** `primary` for the main action, `danger` for an action that cannot be undone. */
  readonly kind?: "plain" | "primary" | "danger";
  /** Whether a switch is on; undefined for a button that is not a switch. */
  readonly isOn?: boolean | undefined;
  readonly class?: string;
  /** -1 if the button is reached by keys of its container instead of Tab. */
  readonly tabIndex?: 0 | -1;
  readonly children?: ComponentChildren;
}

/**
 * A button. A disabled button can still be reached by the keyboard, and shows the reason when it is
 * pressed.
 */
export function Button(props: ButtonProps) {
  const { label, name, onPress, needs, said, hint, icon, isBare = false, kind = "plain", isOn } =
    props;
  const reason = props.reason ?? (needs === undefined ? undefined : forbids(needs));
  return (
    <button
      type="button"
      class={`button ${kind} ${isBare ? "bare" : ""} ${props.class ?? ""}`}
      tabIndex={props.tabIndex}
      aria-label={name ?? (isBare ? label : undefined)}
      aria-pressed={isOn}
      aria-disabled={reason !== undefined}
      aria-description={hint}
      data-said={said}
      title={reason ?? hint ?? (isBare ? label : undefined)}
      onClick={() => reason === undefined ? onPress() : noticeBarred(reason)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {!isBare && <span>{label}</span>}
      {props.children}
    </button>
  );
}
