/**
 * The wide strip: the members of a fader that its strip does not show.
 *
 * @module
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { at } from "../../../state/live.ts";
import { Button } from "../../../parts/button.tsx";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { texts, textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";
import { groupsPart } from "../groups-part.ts";
import { Name } from "../name.tsx";
import { Assignment } from "./assignment.tsx";
import { Block } from "./block.tsx";
import { Buses, useSends } from "./buses.tsx";
import { Dynamics } from "./dynamics.tsx";
import { Equalizer } from "./equalizer.tsx";
import type { LastChanged as Loaded } from "../../admin/last-changed.tsx";
import { Panorama } from "./panorama.tsx";
import { blocksOf, type Section, sectionOf, SECTIONS } from "./sections.ts";
import { Tabs } from "./tabs.tsx";
import { useRanges } from "./use-ranges.ts";

/** The properties of a wide strip. */
export interface WideStripProps {
  readonly mixer: number;
  readonly fader: number;
  /** All faders of the mixer, to move from one to the next. */
  readonly faders: readonly number[];
  /** The section in the address, if it names one. */
  readonly section: string | undefined;
  /** Opens another fader, another section, or none. */
  readonly onOpen: (fader: number | undefined, section?: Section) => void;
}

/** The wide strip of a fader. */
export function WideStrip({ mixer, fader, faders, section: named, onOpen }: WideStripProps) {
  const own = `/audio/mixers/${mixer}/faders/${fader}` as const;
  const params = `${own}/params`;
  const ranges = useRanges(params);
  const [LastChanged, setLastChanged] = useState<typeof Loaded>();
  /** The block that was chosen last in each section: it stays chosen for the next fader. */
  const [chosen, setChosen] = useState<Readonly<Partial<Record<Section, string>>>>({});
  const element = useRef<HTMLElement>(null);
  const text = mixerWords();
  const { sections: sectionsText, ...sectionTexts } = textsOf(wideTexts);
  const section = sectionOf(named);
  useEffect(() => {
    // This part is for admins only, so it belongs to their page, and is loaded after the strip.
    import("../../admin/admin.tsx").then(
      (loaded) => setLastChanged(() => loaded.LastChanged),
      () => {},
    );
  }, []);
  useLayoutEffect(() => element.current!.focus(), []);
  const sends = useSends(own).value;
  const processing = at(`${own}/_paramlist`).value ?? [];
  const index = faders.indexOf(fader);
  const neighbour = (step: number) => {
    const next = faders[index + step];
    return next === undefined ? { reason: text.noMore, onPress() {} } : {
      onPress: () => onOpen(next),
    };
  };
  const { LookChoice } = groupsPart.value ?? {};
  const blocks = blocksOf(section, processing);
  const isThere = (name: Section) =>
    name === "source" || name === "colour" || (name === "buses" && sends !== "") ||
    blocksOf(name, processing).some((block) => at(`${params}/${block}/_active`).value === true);
  const choose = (name: string) => setChosen((before) => ({ ...before, [section]: name }));
  const several = ranges !== undefined && {
    path: params,
    blocks,
    ranges,
    chosen: chosen[section],
    onChoose: choose,
  };
  const title = text.wide(at(`${own}/label`).value ?? "");
  return (
    <aside ref={element} class="wide" tabIndex={-1} aria-label={title}>
      {/* The focus stays on the key that leads to the next fader. */}
      <p class="hidden" role="status">{title}</p>
      <header class="wide-head line">
        <Button label={text.before} icon="left" isBare {...neighbour(-1)} />
        <Name key={fader} mixer={mixer} fader={fader} tabIndex={0} />
        <Button label={text.next} icon="right" isBare {...neighbour(1)} />
        <Button label={texts().shell.close} icon="close" isBare onPress={() => onOpen(undefined)} />
      </header>
      <Tabs
        label={sectionsText}
        tabs={SECTIONS.filter((name) => name === section || isThere(name)).map((name) =>
          [name, sectionTexts[name]] as const
        )}
        shown={section}
        onShow={(name) => onOpen(fader, name)}
      >
        <div class={`section ${section}`} key={`${fader} ${section}`}>
          {section === "source" && (
            <>
              {LastChanged && <LastChanged mixer={mixer} fader={fader} />}
              <Assignment mixer={mixer} fader={fader} />
              {several && <Block path={`${params}/gain`} name="gain" ranges={several.ranges} />}
            </>
          )}
          {section === "equalizer" && several && <Equalizer {...several} />}
          {section === "dynamics" && several && <Dynamics {...several} fader={own} />}
          {section === "panorama" && several && <Panorama {...several} />}
          {section === "buses" && sends !== "" && (
            <Buses
              fader={own}
              blocks={sends.split(" ")}
              chosen={chosen.buses}
              onChoose={choose}
            />
          )}
          {section === "colour" && LookChoice && (
            <LookChoice channel={at(`${own}/sourceid`).value ?? 0} />
          )}
          {!isThere(section) && <p class="muted">{sectionTexts.none}</p>}
        </div>
      </Tabs>
    </aside>
  );
}
