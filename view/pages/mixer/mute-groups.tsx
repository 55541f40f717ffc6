/**
 * The mute groups of a mixer.
 *
 * @module
 */
import { at, set } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { texts } from "../../texts/texts.ts";

/** A switch for each mute group: pressed, all faders that belong to it are silent. */
export function MuteGroups({ mixer }: { readonly mixer: number }) {
  const groups = at(`/audio/mixers/${mixer}/mutegroups`).value ?? {};
  const { mixer: text } = texts();
  return (
    <div class="mixer-mutes toolbar" role="group" aria-label={text.muteGroups}>
      {Object.entries(groups).map(([id, isMuted]) => (
        <Button
          key={id}
          class="mute"
          label={text.mute(Number(id) + 1)}
          isOn={isMuted}
          needs="operate"
          onPress={() => set(`/audio/mixers/${mixer}/mutegroups/${Number(id)}`, !isMuted)}
        />
      ))}
    </div>
  );
}
