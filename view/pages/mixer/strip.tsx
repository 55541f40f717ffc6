/**
 * The strip of a fader.
 *
 * @module
 */
import { at, set } from "../../live.ts";
import { Fader } from "../../fader/fader.tsx";
import type { MeterBoard } from "../../meters/board.ts";
import { Meter } from "../../meters/meter.tsx";
import { Button } from "../../parts/button.tsx";
import { texts } from "../../texts/texts.ts";
import { FadeButton } from "./fade.tsx";
import { Level } from "./level.tsx";
import { faderMeter } from "./mixer-meters.ts";
import { Name } from "./name.tsx";
import type { StripPlace } from "./strip-place.ts";

/** What a strip is. */
export interface StripProps {
  readonly mixer: number;
  readonly fader: number;
  readonly board: MeterBoard | undefined;
  /** Whether its wide strip is open. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

/** All that one works with on a fader. */
export function Strip({ mixer, fader, board, isOpen, onOpen }: StripProps) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const { mixer: text } = texts();
  const label = at(`${own}/label`).value ?? "";
  const on = at(`${own}/on`).value ?? false;
  return (
    <section
      class={`strip ${on ? "is-on" : ""} ${isOpen ? "is-open" : ""}`}
      aria-label={text.strip(fader + 1, label)}
    >
      <Head mixer={mixer} fader={fader} />
      <Name mixer={mixer} fader={fader} />
      <Source mixer={mixer} fader={fader} />
      <div class="strip-middle">
        <Fader mixer={mixer} fader={fader} label={label} />
        <Meter board={board} name={faderMeter(fader)} mode="PPM" label={text.meterOf(label)} />
      </div>
      <Level mixer={mixer} fader={fader} />
      <div class="strip-keys">
        <PflKey mixer={mixer} fader={fader} bus="pfl1" name={text.pfl(1, label)} text="PFL 1" />
        <PflKey mixer={mixer} fader={fader} bus="pfl2" name={text.pfl(2, label)} text="PFL 2" />
      </div>
      <Button
        class="key on"
        label={text.on}
        name={text.onOf(label)}
        isOn={on}
        needs="operate"
        onPress={() => set(`${own}/on`, !on)}
      />
      <div class="strip-keys">
        <FadeButton mixer={mixer} fader={fader} label={label} />
        <Button
          class="key"
          label={text.wide(label)}
          icon="console"
          isBare
          isOn={isOpen}
          onPress={onOpen}
        />
      </div>
    </section>
  );
}

/** Which channel the fader carries. */
function Source({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const source = at(`${own}/sourceid`).value ?? 0;
  const name = at(`${own}/_defaultlabel`).value ?? "";
  const isReady = at(`${own}/_readystate`).value ?? true;
  const { mixer: text } = texts();
  return (
    <p class={`strip-line ${isReady ? "muted" : "not-ready"}`}>
      {source === 0 ? text.noSource : isReady ? `${source} · ${name}` : text.notReady}
    </p>
  );
}

/** The number of the fader, and the VCA group and the mute groups that it belongs to. */
function Head({ mixer, fader }: StripPlace) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const vca = at(`${own}/vcagroup`).value ?? 0;
  const belongs = at(`${own}/mutegroups`).value ?? {};
  const muted = at(`/audio/mixers/${mixer}/mutegroups`).value ?? {};
  const { mixer: text } = texts();
  return (
    <p class="strip-head">
      <span class="strip-number">{fader + 1}</span>
      {vca !== 0 && <span class="chip" title={text.vca(vca)}>V{vca}</span>}
      {Object.keys(belongs).filter((id) => belongs[Number(id)]).map((id) => {
        const isMuted = muted[Number(id)] === true;
        const group = Number(id) + 1;
        return (
          <span
            key={id}
            class={`chip ${isMuted ? "muting" : ""}`}
            title={isMuted ? text.muted(group) : text.inGroup(group)}
          >
            M{group}
          </span>
        );
      })}
    </p>
  );
}

interface PflKeyProps extends StripPlace {
  readonly bus: "pfl1" | "pfl2";
  readonly name: string;
  readonly text: string;
}

function PflKey({ mixer, fader, bus, name, text }: PflKeyProps) {
  const path = `/audio/mixers/${mixer}/faders/${fader}/${bus}` as const;
  const isOn = at(path).value ?? false;
  return (
    <Button
      class="key pfl"
      label={text}
      name={name}
      isOn={isOn}
      needs="operate"
      onPress={() => set(path, !isOn)}
    />
  );
}
