/**
 * The mute groups of a mixer.
 *
 * @module
 */
import { at } from "../../state/live.ts";
import { SetKey } from "../../parts/set-key.tsx";
import { mixerWords } from "../../texts/mixer-words.ts";

/** A switch for each mute group: while it is on, all faders that belong to it are silent. */
export function MuteGroups({ mixer }: { readonly mixer: number }) {
  const groups = at(`/audio/mixers/${mixer}/mutegroups`).value ?? {};
  const text = mixerWords();
  return (
    <div class="mixer-mutes mixer-groups line" role="group" aria-label={text.muteGroups}>
      {Object.keys(groups).map((id) => (
        <SetKey
          key={id}
          class="mute"
          path={`/audio/mixers/${mixer}/mutegroups/${id}`}
          label={text.mute(Number(id) + 1)}
          needs="operate"
        />
      ))}
    </div>
  );
}
