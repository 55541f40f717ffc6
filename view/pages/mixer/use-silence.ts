/**
 * The reason for which a strip is not heard although it may be on.
 *
 * @module
 */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import { FADER_MIN } from "../../../fade/limits.ts";
import { at } from "../../state/live.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { groupsPart } from "./groups-part.ts";
import type { StripPlace } from "./strip-place.ts";

/**
 * Names the mute group that silences a strip: by its name, once names are loaded and it has one.
 */
export function mutedText(mixer: number, group: number): string {
  return groupsPart.value?.mutedBy(mixer, group) ?? mixerWords().muted(group + 1);
}

/**
 * Returns the reason for which a strip is silent, as a sentence: a mute group, the first fader of
 * its VCA group, which leads the others, or the console itself. Undefined if nothing silences it.
 */
export function useSilence({ mixer, fader }: StripPlace): ReadonlySignal<string | undefined> {
  const faders = at(`/audio/mixers/${mixer}/faders`);
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const muted = at(`/audio/mixers/${mixer}/mutegroups`);
  const belongs = at(`${own}/mutegroups`);
  const vca = at(`${own}/vcagroup`);
  const source = at(`${own}/sourceid`);
  const isReady = at(`${own}/_readystate`);
  return useComputed(() => {
    const text = mixerWords();
    const group = Object.keys(muted.value ?? {}).map(Number)
      .find((id) => muted.value![id] === true && belongs.value?.[id] === true);
    if (group !== undefined) return mutedText(mixer, group);
    const vcaGroup = vca.value ?? 0;
    if (vcaGroup !== 0) {
      const [leader, lead] = Object.entries(faders.value ?? {})
        .find(([, { vcagroup }]) => vcagroup === vcaGroup) ?? [];
      const isOff = lead?.on === false || lead?.fader === FADER_MIN;
      if (isOff && Number(leader) !== fader) return text.mutedByVca(vcaGroup, Number(leader) + 1);
    }
    if (source.value === 0) return text.noSource;
    return isReady.value === false ? text.notReady : undefined;
  });
}
