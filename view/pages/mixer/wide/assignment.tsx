/**
 * The assignment of a fader: its channel, its groups, its switches.
 *
 * @module
 */
import { at } from "../../../state/live.ts";
import { SetKey } from "../../../parts/set-key.tsx";
import { SetSelect } from "../../../parts/set-select.tsx";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { groupsPart } from "../groups-part.ts";
import type { StripPlace } from "../strip-place.ts";

/** The switches of a fader that its strip does not show. */
const SWITCHES = ["altinput", "bypass", "isolate", "offair"] as const;

/** VCA groups that are offered, and 0 for none. */
const VCA_GROUPS = Array.from({ length: 17 }, (_, group) => group);

/** The channel, the groups and the switches of a fader. */
export function Assignment({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const text = mixerWords();
  const sources = at(`/audio/mixers/${mixer}/sourcelist`).value;
  const vca = at(`${own}/vcagroup`).value ?? 0;
  const groups = at(`${own}/mutegroups`).value ?? {};
  const { nameOf } = groupsPart.value ?? {};
  if (sources === undefined) return null;
  const titleOf = (vca: number) => {
    const name = nameOf?.({ mixer, kind: "vcagroups", id: vca });
    return name === undefined ? text.vca(vca) : `${text.vca(vca)} · ${name}`;
  };
  return (
    <section class="block" aria-label={text.assignment}>
      <SetSelect
        class="setting"
        path={`${own}/sourceid`}
        label={text.members.sourceid}
        options={[
          [0, text.noSource],
          ...sources.map(({ _sourceid, _defaultlabel }) =>
            [_sourceid, `${_sourceid} · ${_defaultlabel}`] as const
          ),
        ]}
        needs="configure"
      />
      <SetSelect
        class="setting"
        path={`${own}/vcagroup`}
        label={text.members.vcagroup}
        options={[...new Set([...VCA_GROUPS, vca])].map((group) =>
          [group, group === 0 ? text.noGroup : titleOf(group)] as const
        )}
        needs="configure"
      />
      <div class="setting">
        <span>{text.muteGroups}</span>
        <div class="setting-keys">
          {Object.keys(groups).map((id) => (
            <SetKey
              key={id}
              path={`${own}/mutegroups/${id}`}
              label={`M${Number(id) + 1}`}
              hint={nameOf?.({ mixer, kind: "mutegroups", id: Number(id) })}
              needs="configure"
            />
          ))}
        </div>
      </div>
      <div class="setting-keys">
        {SWITCHES.map((name) => (
          <SetKey
            key={name}
            path={`${own}/${name}`}
            label={text.members[name]}
            needs="operate"
          />
        ))}
      </div>
    </section>
  );
}
