/**
 * The dialog in which the groups of a mixer are named and their members assigned.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { GROUP_NAME_LENGTH, VCA_GROUPS } from "../../../../core/limits.ts";
import { at } from "../../../state/live.ts";
import { changeViewDocument } from "../../../state/view-document.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { isLeft } from "../../../parts/use-kept-focus.ts";
import { forbids } from "../../../state/rights.ts";
import { groupsTexts } from "../../../texts/groups.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { textsOf } from "../../../texts/texts.ts";
import { assigned } from "./assigned.ts";
import { type Group, namedIn, nameIn, withName } from "./document.ts";
import { useMuteCounts, useVcaMembers } from "./members.ts";
import { groupNames, numberOf, titleOf } from "./names.ts";
import { goTo } from "./spill.ts";

/** The properties of the dialog. */
export interface GroupDialogProps {
  readonly mixer: number;
  /** The VCA group whose strips alone are shown. */
  readonly spilled: number | undefined;
  readonly onClose: () => void;
}

/** A line for each mute group, and for each VCA group with members or a name. */
export function GroupDialog({ mixer, spilled, onClose }: GroupDialogProps) {
  const mutes = Object.keys(at(`/audio/mixers/${mixer}/mutegroups`).value ?? {}).map(Number);
  const counts = useMuteCounts(mixer).value;
  const vcas = useVcaMembers(mixer).value;
  const names = groupNames();
  const text = textsOf(groupsTexts);
  const inUse = new Set([...vcas.keys(), ...namedIn(names, { mixer, kind: "vcagroups" })]);
  const free = Array.from({ length: VCA_GROUPS }, (_, at) => at + 1).find((id) => !inUse.has(id));
  const isAll = spilled !== undefined;
  const assign = (group: Group) => {
    onClose();
    // While only the strips of one group are shown, there is no strip to add.
    if (isAll) goTo(mixer, undefined, true);
    assigned.value = group;
  };
  const lineOf = (group: Group, count: number | undefined) => (
    <GroupLine
      key={`${group.kind} ${group.id}`}
      group={group}
      count={count}
      onAssign={() => assign(group)}
    />
  );
  return (
    <Dialog title={text.groups} onClose={onClose}>
      {mutes.length > 0 && (
        <section class="group-lines" aria-label={mixerWords().muteGroups}>
          <h3>{mixerWords().muteGroups}</h3>
          {mutes.map((id) =>
            lineOf({ mixer, kind: "mutegroups", id }, counts && (counts[id] ?? 0))
          )}
        </section>
      )}
      <section class="group-lines" aria-label={text.vcaGroups}>
        <h3>{text.vcaGroups}</h3>
        <small>{text.vcaHint}</small>
        {[...inUse].sort((one, other) => one - other)
          .map((id) => lineOf({ mixer, kind: "vcagroups", id }, vcas.get(id)?.length ?? 0))}
        <Button
          label={text.newVca}
          icon="plus"
          needs="configure"
          reason={free === undefined ? text.noneLeft : undefined}
          onPress={() => assign({ mixer, kind: "vcagroups", id: free! })}
        />
      </section>
    </Dialog>
  );
}

interface GroupLineProps {
  readonly group: Group;
  readonly count: number | undefined;
  readonly onAssign: () => void;
}

/** The editable name of a group, the number of its members, and the key that assigns them. */
function GroupLine({ group, count, onAssign }: GroupLineProps) {
  const names = groupNames();
  const name = nameIn(names, group) ?? "";
  const [written, setWritten] = useState<string>();
  const text = textsOf(groupsTexts);
  const reason = forbids("configure");
  const keep = async (value: string) => {
    const isKept = value === name ||
      await changeViewDocument("groups", (document) => withName(document, group, value));
    // A refused text stays in the field, and so does text that was typed meanwhile.
    if (isKept) setWritten((now) => now === value ? undefined : now);
  };
  return (
    <div class="group-line">
      <label class="field">
        <span>
          {numberOf(group)}
          {count !== undefined && ` · ${text.members(count)}`}
        </span>
        <input
          dir="auto"
          maxLength={GROUP_NAME_LENGTH}
          placeholder={text.name}
          value={written ?? name}
          disabled={reason !== undefined}
          title={reason}
          onInput={({ currentTarget }) => setWritten(currentTarget.value)}
          onBlur={({ currentTarget }) => {
            if (isLeft(currentTarget)) keep(currentTarget.value);
          }}
          onKeyDown={({ key, currentTarget }) => {
            if (key === "Enter") keep(currentTarget.value);
            // Escape closes the dialog: its field then loses the focus, and would keep its text.
            if (key === "Escape") currentTarget.value = name;
          }}
        />
      </label>
      <Button
        label={text.assign}
        name={`${text.assign}: ${titleOf(names, group)}`}
        needs="configure"
        onPress={onAssign}
      />
    </div>
  );
}
