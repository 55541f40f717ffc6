/**
 * The strip of a fader.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import { at } from "../../state/live.ts";
import { Fader } from "../../parts/fader/fader.tsx";
import type { MeterBoard } from "../../parts/meters/board.ts";
import { Meter } from "../../parts/meters/meter.tsx";
import { Button } from "../../parts/button.tsx";
import { SetKey } from "../../parts/set-key.tsx";
import { mixerWords } from "../../texts/mixer-words.ts";
import { FadeButton } from "./fade.tsx";
import { groupsPart } from "./groups-part.ts";
import { Level } from "./level.tsx";
import { faderMeter } from "./mixer-meters.ts";
import { Name } from "./name.tsx";
import type { StripPlace, TabStop } from "./strip-place.ts";
import { mutedText, useSilence } from "./use-silence.ts";

/** The properties of a strip. */
export interface StripProps extends StripPlace, TabStop {
  readonly board: MeterBoard | undefined;
  /** Whether its wide strip is open. */
  readonly isOpen: boolean;
  /** Whether a touch of it assigns it to a group. */
  readonly isCovered?: boolean;
  /** Opens its wide strip; undefined if it has none. */
  readonly onOpen?: (() => void) | undefined;
}

/** The strip of a fader with its controls. */
export function Strip(props: StripProps) {
  const { mixer, fader, tabIndex, board, isOpen, isCovered = false, onOpen } = props;
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const place = { mixer, fader, tabIndex };
  const key = { needs: "operate", tabIndex } as const;
  const text = mixerWords();
  const label = at(`${own}/label`).value ?? "";
  const on = at(`${own}/on`).value ?? false;
  const isShared = useSignal(false);
  const silence = useSilence(place).value;
  return (
    <section
      class={`strip ${on && silence === undefined ? "is-on" : ""} ${isOpen ? "is-open" : ""}`}
      aria-label={text.strip(fader + 1, label)}
      inert={isCovered}
    >
      <Head {...place} />
      <Name {...place} />
      <Source {...place} />
      <div class="strip-middle">
        <Fader {...place} label={label} isShared={isShared} />
        <Meter
          board={board}
          name={faderMeter(mixer, fader)}
          mode="PPM"
          label={text.meterOf(label)}
          hasScale
          point={text.preFader}
        />
      </div>
      <Level {...place} isShared={isShared} />
      <div class="strip-keys">
        {([1, 2] as const).map((bus) => (
          <SetKey
            {...key}
            key={bus}
            class="key pfl"
            path={`${own}/pfl${bus}`}
            label={text.members[`pfl${bus}`]}
            name={text.pfl(bus, label)}
          />
        ))}
      </div>
      <SetKey
        {...key}
        class={silence === undefined ? "key on" : "key on silent"}
        path={`${own}/on`}
        label={text.members.on}
        name={text.onOf(label)}
        hint={silence}
        said={silence === undefined ? undefined : text.mutedWord}
      />
      <div class="strip-keys">
        <FadeButton {...place} label={label} />
        {onOpen !== undefined && (
          <Button
            class="key"
            label={text.wide(label)}
            icon="wide"
            isBare
            isOn={isOpen}
            tabIndex={tabIndex}
            onPress={onOpen}
          />
        )}
      </div>
    </section>
  );
}

/** The channel on the fader. */
function Source({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const source = at(`${own}/sourceid`).value ?? 0;
  const name = at(`${own}/_defaultlabel`).value ?? "";
  const isReady = at(`${own}/_readystate`).value ?? true;
  const text = mixerWords();
  return (
    <p class={`strip-line cut ${isReady ? "muted" : "not-ready"}`}>
      {source === 0 ? text.noSource : isReady
        ? (
          <>
            {source} · <bdi>{name}</bdi>
          </>
        )
        : text.notReady}
    </p>
  );
}

/** The number of the fader, with its VCA group and its mute groups. */
function Head({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const vca = at(`${own}/vcagroup`).value ?? 0;
  const belongs = at(`${own}/mutegroups`).value ?? {};
  const muted = at(`/audio/mixers/${mixer}/mutegroups`).value ?? {};
  const channel = at(`${own}/sourceid`).value ?? 0;
  const { ChannelLook } = groupsPart.value ?? {};
  const text = mixerWords();
  return (
    <p class="strip-head">
      {ChannelLook && <ChannelLook channel={channel} />}
      <span class="strip-number">{fader + 1}</span>
      {vca !== 0 && <span class="chip" title={text.vca(vca)}>V{vca}</span>}
      {Object.keys(belongs).filter((id) => belongs[Number(id)]).map((id) => {
        const isMuted = muted[Number(id)] === true;
        const group = Number(id) + 1;
        return (
          <span
            key={id}
            class={`chip ${isMuted ? "muting" : ""}`}
            title={isMuted ? mutedText(mixer, Number(id)) : text.inGroup(group)}
          >
            M{group}
          </span>
        );
      })}
    </p>
  );
}
