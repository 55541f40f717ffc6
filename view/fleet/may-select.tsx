import { fleetUsersTexts } from "../texts/fleet-users.ts";
import { textsOf } from "../texts/texts.ts";
import { type FleetMay, MAYS } from "./user-rights.ts";

/** The properties of the choice. */
export interface MaySelectProps {
  /** Its name, where no label stands around it. */
  readonly label?: string;
  /** Undefined for no right. */
  readonly may: FleetMay | undefined;
  /** Whether no right may be chosen. */
  readonly isOptional?: boolean;
  readonly onChange: (may: FleetMay | undefined) => void;
}

/** The choice of a right. */
export function MaySelect({ label, may, isOptional, onChange }: MaySelectProps) {
  const own = textsOf(fleetUsersTexts);
  return (
    <select
      aria-label={label}
      value={may ?? ""}
      onChange={({ currentTarget: { value } }) => onChange(MAYS.find((one) => one === value))}
    >
      {isOptional && <option value="">{own.none}</option>}
      {MAYS.map((one) => <option key={one} value={one}>{own.mays[one]}</option>)}
    </select>
  );
}
