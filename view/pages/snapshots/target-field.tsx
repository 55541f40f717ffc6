import type { Target } from "./targets.ts";

/** The targets that may be chosen. */
export interface TargetFieldProps {
  readonly label: string;
  readonly targets: readonly Target[];
  readonly target: Target;
  readonly onChoose: (target: Target) => void;
}

/** The choice of a mixer, a fader or a processing; a single target is only named. */
export function TargetField({ label, targets, target, onChoose }: TargetFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={target.path}
        onChange={({ currentTarget: { value } }) =>
          onChoose(targets.find(({ path }) => path === value)!)}
      >
        {targets.map(({ path, name }) => <option key={path} value={path}>{name}</option>)}
      </select>
    </label>
  );
}
