/**
 * The meter bridge: large meters of the console, and of the faders of a mixer.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { onOpen, read } from "../../state/live.ts";
import { addressOf } from "../../state/route.ts";
import { metersTexts } from "../../texts/meters.ts";
import { textsOf } from "../../texts/texts.ts";
import { useBridgeBoard } from "./bridge-board.ts";
import { BridgeMeter } from "./bridge-meter.tsx";
import { layoutOf } from "./layout.ts";
import { consoleSources, faderSources, type Source } from "./sources.ts";

/** The name of the meters of the console alone in the address. */
const CONSOLE = "console";

/**
 * The meters of the console, `#/meters`; with the meters of all faders of a mixer, `#/meters/0`. If
 * they take several pages, the second is `#/meters/0/2`.
 */
export function MeterBridge({ parts: [named = CONSOLE, page] }: {
  readonly parts: readonly string[];
}) {
  const own = textsOf(metersTexts);
  const mixers = useMixers();
  const sources = useSources(named);
  const bridge = useBridgeBoard();
  const tabs = [[CONSOLE, own.console] as const, ...mixers];
  return (
    <div class="bridge">
      <div class="toolbar">
        <nav class="line" aria-label={own.shown}>
          {tabs.map(([id, name]) => (
            <a
              key={id}
              class="button"
              href={addressOf("meters", id)}
              aria-current={id === named ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
        <span class="space" />
        <button type="button" class="button" onClick={() => bridge?.resetPeaks()}>
          {own.resetPeaks}
        </button>
      </div>
      {sources !== undefined && (sources.length === 0
        ? <p class="muted">{own.nothing}</p>
        : <Bridge named={named} page={Number(page ?? 1)} sources={sources} bridge={bridge} />)}
    </div>
  );
}

interface BridgeProps {
  readonly named: string;
  /** The requested page, from 1. */
  readonly page: number;
  readonly sources: readonly Source[];
  readonly bridge: ReturnType<typeof useBridgeBoard>;
}

/** The meters that fit, and the buttons that turn the pages if there are more. */
function Bridge({ named, page, sources, bridge }: BridgeProps) {
  const own = textsOf(metersTexts);
  const place = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<readonly [width: number, height: number]>();
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      setSize([width, height]);
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  const layout = size && layoutOf(sources.length, ...size);
  const pages = layout?.pages ?? 1;
  const shown = Math.min(pages, Math.max(1, Math.floor(page) || 1));
  const count = layout === undefined ? 0 : layout.columns * layout.rows;
  const turn = (by: number) => addressOf("meters", named, shown + by);
  return (
    <>
      <div
        ref={place}
        class="bridge-meters"
        style={{ "--columns": layout?.columns ?? 1, "--rows": layout?.rows ?? 1 }}
      >
        {sources.slice((shown - 1) * count, shown * count).map((source) => (
          <BridgeMeter key={source.path} source={source} bridge={bridge} />
        ))}
      </div>
      {pages > 1 && (
        <nav class="toolbar ends" aria-label={own.pages}>
          <Turn to={turn(-1)} text={own.before} isThere={shown > 1} />
          <span class="muted">{own.page(shown, pages)}</span>
          <Turn to={turn(1)} text={own.next} isThere={shown < pages} />
        </nav>
      )}
    </>
  );
}

function Turn({ to, text, isThere }: {
  readonly to: string;
  readonly text: string;
  readonly isThere: boolean;
}) {
  return isThere
    ? <a class="button" href={to}>{text}</a>
    : <a class="button" role="link" aria-disabled="true">{text}</a>;
}

/** The mixers of the console by their numbers, each with its name. */
function useMixers(): readonly (readonly [string, string])[] {
  const [mixers, setMixers] = useState<readonly (readonly [string, string])[]>([]);
  useEffect(() =>
    onOpen(async () => {
      const found = await read("/audio/mixers", { depth: 2, only: ["_name"] });
      if (found === undefined) return;
      setMixers(Object.entries(found).map(([id, { _name = "" }]) => [id, _name] as const));
    }), []);
  return mixers;
}

/** The sources: the console, and the named mixer; undefined until they are known. */
function useSources(named: string): readonly Source[] | undefined {
  const [sources, setSources] = useState<readonly Source[]>();
  useEffect(() => {
    let isOver = false;
    const end = onOpen(async () => {
      // The faders are requested first: if the answer about the console has come, theirs has, too.
      const [faders, own] = await Promise.all([
        named === CONSOLE ? [] : faderSources(Number(named)),
        consoleSources(),
      ]);
      if (!isOver && own !== undefined) setSources([...own, ...faders]);
    });
    return () => {
      isOver = true;
      end();
    };
  }, [named]);
  return sources;
}
