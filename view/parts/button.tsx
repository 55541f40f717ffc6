/**
 * Buttons that say why they cannot be pressed.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { notice } from "../state/notices.ts";
import { forbids, type Need } from "../state/rights.ts";
import { Icon, type IconName } from "./icon.tsx";

/** What a button is. */
export interface ButtonProps {
  /** What it does, in words; shown beside the icon unless `isBare`. */
  readonly label: string;
  /** Its name, where the label is too short to be one: it has the label in it. */
  readonly name?: string;
  readonly onPress: () => void;
  /** What who presses it must be allowed to; without it anybody may. */
  readonly needs?: Need;
  /** Why it cannot be pressed for another reason. */
  readonly reason?: string | undefined;
  readonly icon?: IconName;
  /** Shows the icon alone; the label is its name. */
  readonly isBare?: boolean;
  /** `primary` is what one has come for, `danger` what is not undone. */
  readonly kind?: "plain" | "primary" | "danger";
  /** Of a switch: whether it is on. */
  readonly isOn?: boolean | undefined;
  readonly class?: string;
  /** -1 where not Tab reaches it, but keys of whatever it is in. */
  readonly tabIndex?: 0 | -1;
  readonly children?: ComponentChildren;
}

/**
 * A button. One that may not be pressed can still be found by the keyboard, and says why when it is
 * pressed all the same.
 */
export function Button(props: ButtonProps) {
  const { label, name, onPress, needs, icon, isBare = false, kind = "plain", isOn } = props;
  const reason = props.reason ?? (needs === undefined ? undefined : forbids(needs));
  return (
    <button
      type="button"
      class={`button ${kind} ${isBare ? "bare" : ""} ${props.class ?? ""}`}
      tabIndex={props.tabIndex}
      aria-label={name ?? (isBare ? label : undefined)}
      aria-pressed={isOn}
      aria-disabled={reason !== undefined}
      title={reason ?? (isBare ? label : undefined)}
      onClick={() => reason === undefined ? onPress() : notice(reason)}
    >
      {icon !== undefined && <Icon name={icon} />}
      {!isBare && <span>{label}</span>}
      {props.children}
    </button>
  );
}
