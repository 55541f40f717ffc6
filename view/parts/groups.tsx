/**
 * The groups of users in a bitmask, as switches.
 *
 * @module
 */
import { texts } from "../texts/texts.ts";
import { GROUPS, maskOf } from "./group-masks.ts";

/** The chosen groups. */
export interface GroupsProps {
  readonly label: string;
  readonly hint: string;
  /** The bitmask: group N (1..8) is 2^(N-1). */
  readonly mask: number;
  readonly onChange: (mask: number) => void;
}

/** A switch for each of the eight groups. */
export function Groups({ label, hint, mask, onChange }: GroupsProps) {
  const { group } = texts().shell;
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="groups">
        {GROUPS.map((number) => {
          const bit = maskOf(number);
          return (
            <button
              type="button"
              key={number}
              class="button"
              aria-label={group(number)}
              aria-pressed={(mask & bit) !== 0}
              onClick={() => onChange(mask ^ bit)}
            >
              {number}
            </button>
          );
        })}
      </div>
      <small>{hint}</small>
    </fieldset>
  );
}
