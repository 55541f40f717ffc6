/**
 * A choice that sets a value of the control tree.
 *
 * @module
 */
import { at } from "../state/live.ts";
import { forbids, type Need } from "../state/rights.ts";
import { useChosen } from "./use-chosen.ts";

/** The properties of a selection that is set in the tree. */
export interface SetSelectProps {
  readonly path: string;
  readonly label: string;
  /** Its name, if the label is too short to be a name. */
  readonly name?: string;
  /** The options: values, each with its text. */
  readonly options: readonly (readonly [value: number | string, text: string])[];
  readonly needs: Need;
  readonly class: "field" | "setting";
}

/** Shows the option in force, and sets another. */
export function SetSelect({ path, label, name, options, needs, class: look }: SetSelectProps) {
  const reason = forbids(needs);
  const [value, choose] = useChosen<unknown>(path, at(path).value);
  return (
    <label class={look} title={reason}>
      <span>{label}</span>
      <select
        class="input"
        aria-label={name}
        value={String(value)}
        disabled={reason !== undefined}
        onChange={({ currentTarget }) => choose(options[currentTarget.selectedIndex]![0])}
      >
        {options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
    </label>
  );
}
