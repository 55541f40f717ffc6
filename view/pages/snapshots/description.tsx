/**
 * The name of a snapshot, and the rights of groups to it.
 *
 * @module
 */
import { SNAPSHOT_NAME_LENGTH } from "../../../core/limits.ts";
import { Groups } from "../../parts/groups.tsx";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { textsOf } from "../../texts/texts.ts";
import type { Description } from "./edited.ts";

/** The description of a snapshot; a new one without a name is named by the date and the time. */
export interface DescriptionFieldsProps {
  readonly given: Description;
  readonly isNameNeeded: boolean;
  readonly onChange: (given: Description) => void;
}

/** The field of the name, and the groups in a part that can be opened. */
export function DescriptionFields({ given, isNameNeeded, onChange }: DescriptionFieldsProps) {
  const own = textsOf(snapshotsTexts);
  const { name, writegroups, readgroups } = given;
  return (
    <>
      <label class="field">
        <span>{own.name}</span>
        <input
          value={name}
          required={isNameNeeded}
          maxLength={SNAPSHOT_NAME_LENGTH.max}
          placeholder={isNameNeeded ? undefined : own.nameHint}
          autofocus
          onInput={({ currentTarget: { value } }) => onChange({ ...given, name: value })}
        />
      </label>
      <details class="snapshot-who">
        <summary>{own.who}</summary>
        <div class="form">
          <Groups
            label={own.writegroups}
            hint={own.writeHint}
            mask={writegroups}
            onChange={(mask) => mask !== 0 && onChange({ ...given, writegroups: mask })}
          />
          <Groups
            label={own.readgroups}
            hint={readgroups === 0 ? own.readAll : own.readHint}
            mask={readgroups}
            onChange={(mask) => onChange({ ...given, readgroups: mask })}
          />
        </div>
      </details>
    </>
  );
}
