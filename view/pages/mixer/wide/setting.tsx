/**
 * An editable value of the processing: a slider, a switch or a choice, by its type and range.
 *
 * @module
 */
import type { LeafDefinition } from "../../../../core/tree/leaf.ts";
import { at } from "../../../state/live.ts";
import { SetSelect } from "../../../parts/set-select.tsx";
import { useChosen } from "../../../parts/use-chosen.ts";
import { forbids } from "../../../state/rights.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { memberText } from "./block-text.ts";
import { Slider } from "./slider.tsx";

/** The properties of a setting. */
export interface SettingProps {
  readonly path: string;
  readonly name: string;
  /** The title of its block. */
  readonly title: string;
  readonly leaf: LeafDefinition;
  /** Called with a typed number. */
  readonly onTyped?: ((value: number) => void) | undefined;
}

/** A setting, with its name. */
export function Setting({ path, name, title, leaf, onTyped }: SettingProps) {
  const text = mixerWords();
  const label = memberText(name);
  if (leaf.type === "boolean") return <Switch path={path} label={label} title={title} />;
  if (leaf.type === "string") return null;
  // The types of filters have names; the types of a bus are numbers of the mixer.
  if (name === "type" && leaf.max === text.equalizerTypes.length - 1) {
    return (
      <SetSelect
        class="setting"
        path={path}
        label={label}
        name={`${title}: ${label}`}
        options={text.equalizerTypes.map((type, value) => [value, type] as const)}
        needs="configure"
      />
    );
  }
  return <Slider path={path} label={label} title={title} leaf={leaf} onTyped={onTyped} />;
}

interface Named {
  readonly path: string;
  readonly label: string;
  readonly title: string;
}

function Switch({ path, label, title }: Named) {
  const [isOn, choose] = useChosen(path, at(path).value === true);
  const reason = forbids("configure");
  return (
    <label class="check" title={reason}>
      <input
        type="checkbox"
        role="switch"
        aria-label={`${title}: ${label}`}
        checked={isOn}
        disabled={reason !== undefined}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
