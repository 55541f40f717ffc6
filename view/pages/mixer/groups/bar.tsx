/**
 * The groups of a mixer, in its bar: the mute groups and the VCA groups, the group that is shown
 * alone, the group whose members are assigned.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { at } from "../../../state/live.ts";
import { Button } from "../../../parts/button.tsx";
import { SetKey } from "../../../parts/set-key.tsx";
import { groupsTexts } from "../../../texts/groups.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { textsOf } from "../../../texts/texts.ts";
import { assigned } from "./assigned.ts";
import { AssignBar } from "./assign-bar.tsx";
import { GroupDialog } from "./dialog.tsx";
import { namedIn, nameIn } from "./document.ts";
import { SignIcon } from "./icons.tsx";
import { useMuteCounts, useVcaMembers } from "./members.ts";
import { groupNames, titleOf } from "./names.ts";
import { goTo } from "./spill.ts";

/** The properties of the bar. */
export interface GroupBarProps {
  readonly mixer: number;
  /** The VCA group whose strips alone are shown. */
  readonly spilled: number | undefined;
}

/**
 * A switch for each mute group, a key for each VCA group with members or a name, and the buttons
 * that change the groups.
 */
export function GroupBar({ mixer, spilled }: GroupBarProps) {
  const [isOpen, setOpen] = useState(false);
  const mutes = at(`/audio/mixers/${mixer}/mutegroups`).value ?? {};
  const counts = useMuteCounts(mixer).value;
  const vcas = useVcaMembers(mixer).value;
  const names = groupNames();
  const text = textsOf(groupsTexts);
  const own = mixerWords();
  const named = namedIn(names, { mixer, kind: "vcagroups" });
  const group = assigned.value;
  return (
    <div class="mixer-mutes mixer-groups line">
      {group?.mixer === mixer && (
        <AssignBar
          title={titleOf(names, group)}
          onDone={() => assigned.value = undefined}
        />
      )}
      {spilled !== undefined && (
        <Spilled
          mixer={mixer}
          title={titleOf(names, { mixer, kind: "vcagroups", id: spilled })}
          count={vcas.get(spilled)?.length ?? 0}
        />
      )}
      <div class="group-keys" role="group" aria-label={own.muteGroups}>
        {Object.keys(mutes).map(Number).map((id) => {
          const name = nameIn(names, { mixer, kind: "mutegroups", id });
          const count = counts === undefined ? undefined : counts[id] ?? 0;
          return (
            <SetKey
              key={id}
              class="mute group-key"
              path={`/audio/mixers/${mixer}/mutegroups/${id}`}
              label={name ?? own.mute(id + 1)}
              name={name === undefined ? own.mute(id + 1) : text.mute(name)}
              said={count?.toString()}
              hint={count === undefined ? undefined : text.members(count)}
              needs="operate"
            >
              {name !== undefined && <SignIcon name="mute" />}
            </SetKey>
          );
        })}
      </div>
      <div class="group-keys" role="group" aria-label={text.vcaGroups}>
        {[...new Set([...vcas.keys(), ...named])].sort((one, other) => one - other).map((id) => {
          const title = titleOf(names, { mixer, kind: "vcagroups", id });
          const count = vcas.get(id)?.length ?? 0;
          return (
            <Button
              key={id}
              class="group-key"
              label={title}
              name={text.only(title)}
              said={count.toString()}
              hint={text.members(count)}
              isOn={id === spilled}
              onPress={() => goTo(mixer, id === spilled ? undefined : id, spilled !== undefined)}
            />
          );
        })}
      </div>
      <Button
        class="group-edit"
        label={text.groups}
        icon="edit"
        isBare
        onPress={() => setOpen(true)}
      />
      {isOpen && <GroupDialog mixer={mixer} spilled={spilled} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface SpilledProps {
  readonly mixer: number;
  readonly title: string;
  readonly count: number;
}

/** Says that only the strips of one group are shown, and leads back to all strips. */
function Spilled({ mixer, title, count }: SpilledProps) {
  const text = textsOf(groupsTexts);
  const all = Object.keys(at(`/audio/mixers/${mixer}/faders`).value ?? {}).length;
  return (
    <div class="group-mode line">
      <Button
        label={text.all}
        icon="left"
        kind="primary"
        onPress={() => goTo(mixer, undefined, true)}
      />
      <span class="small" role="status">
        <b>{title}</b>
        <br />
        {text.of(count, all)}
      </span>
    </div>
  );
}
