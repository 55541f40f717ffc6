/**
 * A value of the processing, to be set: a slider, a switch or a choice, by what it may hold.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { effect } from "@preact/signals";
import type { LeafDefinition, NumberLeaf } from "../../../../core/tree/leaf.ts";
import { createShown, type Shown } from "../../../fader/shown.ts";
import { at, set } from "../../../live.ts";
import { putBackIfRefused } from "../../../parts/put-back.ts";
import { forbids } from "../../../rights.ts";
import { texts } from "../../../texts/texts.ts";
import { isCurved, placeOf, valueAt, valueText } from "./slider-scale.ts";

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

function Slider({ path, label, title, leaf }: Named & { readonly leaf: NumberLeaf }) {
  const [value, setValue] = useState(leaf.default);
  const shown = useRef<Shown | undefined>(undefined);
  useEffect(() => {
    const own = shown.current = createShown(leaf.default, {
      show: setValue,
      send: (next) => set(path, next),
      now: () => performance.now(),
      later: (ms, act) => setTimeout(act, ms),
    });
    return effect(() => {
      const { value: told } = at(path);
      if (typeof told === "number") own.told(told);
    });
  }, [path]);
  const reason = forbids("configure");
  return (
    <label class="setting" title={reason}>
      <span>{label}</span>
      <input
        type="range"
        aria-label={`${title}: ${label}`}
        aria-valuetext={valueText(value, leaf)}
        min={0}
        max={1}
        step={isCurved(leaf) ? 0.001 : "any"}
        value={placeOf(value, leaf)}
        disabled={reason !== undefined}
        onPointerDown={() => shown.current!.hold()}
        onPointerUp={() => shown.current!.letGo()}
        onPointerCancel={() => shown.current!.letGo()}
        onInput={({ currentTarget }) =>
          shown.current!.move(valueAt(currentTarget.valueAsNumber, leaf))}
        onKeyDown={(event) => {
          const steps = STEPS[event.key];
          if (steps === undefined || reason !== undefined) return;
          event.preventDefault();
          const factor = event.shiftKey || event.ctrlKey ? 1 : 10;
          const next = isCurved(leaf)
            ? valueAt(placeOf(value, leaf) + steps * factor / 1000, leaf)
            : valueAt(placeOf(value + steps * factor * (leaf.step ?? 1), leaf), leaf);
          shown.current!.move(next);
        }}
      />
      <output>{valueText(value, leaf)}</output>
    </label>
  );
}

/** Which way each key goes. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
};
