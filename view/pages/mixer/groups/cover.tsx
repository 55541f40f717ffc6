/**
 * The cover of a strip while members of a group are assigned.
 *
 * @module
 */
import { asked, at, set } from "../../../state/live.ts";
import { forbids, noticeBarred } from "../../../state/rights.ts";
import { Icon } from "../../../parts/icon.tsx";
import { groupsTexts } from "../../../texts/groups.ts";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { textsOf } from "../../../texts/texts.ts";
import type { StripPlace, TabStop } from "../strip-place.ts";
import type { Group } from "./document.ts";
import { useVcaMembers } from "./members.ts";

/** The properties of a cover. */
export interface CoverProps extends StripPlace, TabStop {
  /** The group whose members are assigned. */
  readonly group: Group;
}

/** A key as large as the strip: a press adds the fader to the group, or removes it. */
export function Cover({ mixer, fader, group: { kind, id }, tabIndex }: CoverProps) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const isVca = kind === "vcagroups";
  const path = isVca ? `${own}/vcagroup` as const : `${own}/mutegroups/${id}` as const;
  const value = at(path).value;
  const wanted = asked(path).value?.value ?? value;
  const isIn = (one: unknown) => isVca ? one === id : one === true;
  const [leader] = useVcaMembers(mixer).value.get(id) ?? [];
  const text = textsOf(groupsTexts);
  const label = at(`${own}/label`).value ?? "";
  const reason = forbids("configure");
  const word = isIn(wanted)
    ? isVca && leader === fader ? text.leads : text.belongs
    : isVca && typeof value === "number" && value !== 0
    ? mixerWords().vca(value)
    : text.add;
  return (
    <button
      type="button"
      class={`cover ${wanted === value ? "" : "asked"}`}
      tabIndex={tabIndex}
      aria-label={`${mixerWords().strip(fader + 1, label)}: ${word}`}
      aria-pressed={isIn(wanted)}
      aria-disabled={reason !== undefined}
      title={reason}
      onClick={() => {
        if (reason !== undefined) return noticeBarred(reason);
        set(path, (isVca ? isIn(wanted) ? 0 : id : !isIn(wanted)) as never);
      }}
    >
      <span>
        <Icon name={isIn(wanted) ? "check" : "plus"} />
        {word}
      </span>
    </button>
  );
}
