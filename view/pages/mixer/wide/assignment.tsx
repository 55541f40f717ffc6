/**
 * What a fader carries, and where it belongs: its channel, its groups, its switches.
 *
 * @module
 */
import { at, set } from "../../../live.ts";
import { Button } from "../../../parts/button.tsx";
import { putBackIfRefused } from "../../../parts/put-back.ts";
import { forbids } from "../../../rights.ts";
import { texts } from "../../../texts/texts.ts";
import type { StripPlace } from "../strip-place.ts";

/** The switches of a fader that its strip does not show. */
const SWITCHES = ["altinput", "bypass", "isolate", "offair"] as const;

/** VCA groups that are offered, and 0 for none. */
const VCA_GROUPS = Array.from({ length: 17 }, (_, group) => group);

/** The channel, the groups and the switches of a fader. */
export function Assignment({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const { mixer: text } = texts();
  const sources = at(`/audio/mixers/${mixer}/sourcelist`).value ?? [];
  const source = at(`${own}/sourceid`).value ?? 0;
  const vca = at(`${own}/vcagroup`).value ?? 0;
  const groups = at(`${own}/mutegroups`).value ?? {};
  const switches = SWITCHES.map((name) => [name, at(`${own}/${name}`).value ?? false] as const);
  const reason = forbids("configure");
  return (
    <section class="block" aria-label={text.assignment}>
      <label class="setting" title={reason}>
        <span>{text.members.sourceid}</span>
        <select
          class="input"
          value={source}
          disabled={reason !== undefined}
          onChange={({ currentTarget }) =>
            putBackIfRefused(
              set(`${own}/sourceid`, Number(currentTarget.value)),
              () => currentTarget.value = String(at(`${own}/sourceid`).peek() ?? 0),
            )}
        >
          <option value={0}>{text.noSource}</option>
          {sources.map(({ _sourceid, _label }) => (
            <option key={_sourceid} value={_sourceid}>{_sourceid} · {_label}</option>
          ))}
        </select>
      </label>
      <label class="setting" title={reason}>
        <span>{text.members.vcagroup}</span>
        <select
          class="input"
          value={vca}
          disabled={reason !== undefined}
          onChange={({ currentTarget }) =>
            putBackIfRefused(
              set(`${own}/vcagroup`, Number(currentTarget.value)),
              () => currentTarget.value = String(at(`${own}/vcagroup`).peek() ?? 0),
            )}
        >
          {[...new Set([...VCA_GROUPS, vca])].map((group) => (
            <option key={group} value={group}>
              {group === 0 ? text.noGroup : text.vca(group)}
            </option>
          ))}
        </select>
      </label>
      <div class="setting">
        <span>{text.muteGroups}</span>
        <div class="setting-keys">
          {Object.entries(groups).map(([id, belongs]) => (
            <Button
              key={id}
              class="key"
              label={`M${Number(id) + 1}`}
              isOn={belongs}
              needs="configure"
              onPress={() => set(`${own}/mutegroups/${Number(id)}`, !belongs)}
            />
          ))}
        </div>
      </div>
      <div class="setting-keys">
        {switches.map(([name, isOn]) => (
          <Button
            key={name}
            class="key"
            label={text.members[name]}
            isOn={isOn}
            needs="operate"
            onPress={() => set(`${own}/${name}`, !isOn)}
          />
        ))}
      </div>
    </section>
  );
}
