/**
 * A value of the processing, to be set: a slider, a switch or a choice, by what it may hold.
 *
 * @module
 */
import type { LeafDefinition } from "../../../../core/tree/leaf.ts";
import { at, set } from "../../../live.ts";
import { putBackIfRefused } from "../../../parts/put-back.ts";
import { forbids } from "../../../rights.ts";
import { texts } from "../../../texts/texts.ts";
import { Slider } from "./slider.tsx";

/** What a setting is. */
export interface SettingProps {
  readonly path: string;
  readonly name: string;
  /** Of its block. */
  readonly title: string;
  readonly leaf: LeafDefinition;
}

/** A setting, with its name. */
export function Setting({ path, name, title, leaf }: SettingProps) {
  const { mixer: text } = texts();
  const label = text.members[name as keyof typeof text.members] ?? name;
  if (leaf.type === "boolean") return <Switch path={path} label={label} title={title} />;
  if (leaf.type === "string") return null;
  const kinds = name === "type" ? text.equalizerTypes : undefined;
  if (kinds !== undefined) return <Kind path={path} label={label} title={title} kinds={kinds} />;
  return <Slider path={path} label={label} title={title} leaf={leaf} />;
}

interface Named {
  readonly path: string;
  readonly label: string;
  readonly title: string;
}

function Switch({ path, label, title }: Named) {
  const isOn = at(path).value === true;
  const reason = forbids("configure");
  return (
    <label class="check" title={reason}>
      <input
        type="checkbox"
        role="switch"
        aria-label={`${title}: ${label}`}
        checked={isOn}
        disabled={reason !== undefined}
        onChange={({ currentTarget }) =>
          putBackIfRefused(
            set(path, !isOn),
            () => currentTarget.checked = at(path).peek() === true,
          )}
      />
      <span>{label}</span>
    </label>
  );
}

function Kind({ path, label, title, kinds }: Named & { readonly kinds: readonly string[] }) {
  const reason = forbids("configure");
  return (
    <label class="setting" title={reason}>
      <span>{label}</span>
      <select
        class="input"
        aria-label={`${title}: ${label}`}
        value={String(at(path).value)}
        disabled={reason !== undefined}
        onChange={({ currentTarget }) =>
          putBackIfRefused(
            set(path, Number(currentTarget.value)),
            () => currentTarget.value = String(at(path).peek()),
          )}
      >
        {kinds.map((kind, index) => <option key={kind} value={index}>{kind}</option>)}
      </select>
    </label>
  );
}
