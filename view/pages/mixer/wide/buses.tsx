/**
 * The sends of a fader to the automix, to the buses and to the preparation, and its other settings
 * in the mixer: the automatic level and the combined logics.
 *
 * @module
 */
import { type ReadonlySignal, useComputed } from "@preact/signals";
import { isLeafDefinition, type Ranges } from "../../../../core/tree/leaf.ts";
import { SetKey } from "../../../parts/set-key.tsx";
import { at } from "../../../state/live.ts";
import { textsOf } from "../../../texts/texts.ts";
import { wideTexts } from "../../../texts/wide.ts";
import { Block } from "./block.tsx";
import { BlockKeys } from "./block-keys.tsx";
import { blockText } from "./block-text.ts";
import { Setting } from "./setting.tsx";
import { useRanges } from "./use-ranges.ts";

/** The combined logics of a fader, as its options name them. */
const COMBINED_LOGICS = [0, 1, 2, 3] as const;

/**
 * Maximum number of blocks with keys; with more blocks one is chosen from a list, so that the
 * section fits a screen.
 */
const MOST_KEYS = 8;

/** Returns the active blocks below `busparams` of a fader, each by its path, joined by spaces. */
export function useSends(fader: string): ReadonlySignal<string> {
  const all = at(`${fader}/busparams` as string);
  return useComputed(() => {
    const { automix, bus = {}, preparation } = (all.value ?? {}) as BusParams;
    const buses = Object.keys(bus).map((id) => [`bus/${id}`, bus[id]] as const);
    return [["automix", automix] as const, ...buses, ["preparation", preparation] as const]
      .filter(([, block]) => block?._active === true).map(([name]) => name).join(" ");
  });
}

interface BusParams {
  readonly automix?: Active;
  readonly bus?: Readonly<Record<string, Active>>;
  readonly preparation?: Active;
}

interface Active {
  readonly _active: boolean;
}

/** The properties of the section. */
export interface BusesProps {
  /** The path of the fader. */
  readonly fader: string;
  /** The blocks that it has, by their paths below `busparams`. */
  readonly blocks: readonly string[];
  /** The block that was chosen last, if any. */
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
}

/**
 * A key for each block, the settings of the chosen block, and the settings of the fader beside
 * them.
 */
export function Buses({ fader, blocks, chosen: wanted, onChoose }: BusesProps) {
  const own = textsOf(wideTexts);
  const path = `${fader}/busparams`;
  const sends = useRanges(path);
  const autolevelgain = useRanges(`${fader}/autolevelgain`);
  const chosen = blocks.find((name) => name === wanted) ?? blocks[0];
  if (sends === undefined || autolevelgain === undefined) return null;
  const ranges = flat(sends);
  return (
    <>
      {blocks.length <= MOST_KEYS
        ? (
          <BlockKeys
            label={own.buses}
            path={path}
            blocks={blocks}
            chosen={chosen}
            onChoose={onChoose}
          />
        )
        : (
          <label class="setting">
            <span>{own.buses}</span>
            <select
              class="input"
              value={chosen}
              onChange={({ currentTarget: { value } }) => onChoose(value)}
            >
              {blocks.map((name) => <option key={name} value={name}>{blockText(name)}</option>)}
            </select>
          </label>
        )}
      {chosen !== undefined && (
        <Block key={chosen} path={`${path}/${chosen}`} name={chosen} ranges={ranges} />
      )}
      <Others fader={fader} leaf={autolevelgain} />
    </>
  );
}

interface OthersProps {
  readonly fader: string;
  /** The range of the automatic level. */
  readonly leaf: Ranges[string];
}

function Others({ fader, leaf }: OthersProps) {
  const own = textsOf(wideTexts);
  return (
    <section class="block" aria-label={own.others}>
      {isLeafDefinition(leaf) && (
        <Setting
          path={`${fader}/autolevelgain`}
          name="autolevelgain"
          leaf={leaf}
          title={own.others}
        />
      )}
      <div class="setting">
        <span>{own.combinedLogics}</span>
        <div class="setting-keys">
          {COMBINED_LOGICS.map((number) => (
            <SetKey
              key={number}
              path={`${fader}/options/combilogic${number}`}
              label={`${number}`}
              name={own.combinedLogic(number)}
              needs="configure"
            />
          ))}
        </div>
      </div>
    </section>
  );
}

/** Puts the ranges of each bus under its path below `busparams`. */
function flat({ bus = {}, ...others }: Ranges): Ranges {
  const buses = Object.entries(bus).map(([id, range]) => [`bus/${id}`, range]);
  return { ...others, ...Object.fromEntries(buses) };
}
