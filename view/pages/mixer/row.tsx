/**
 * The strips of a mixer side by side: a row that scrolls, of which the page contains only the
 * strips on the screen, and a bar to jump in it.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { MeterBoard } from "../../parts/meters/board.ts";
import { at } from "../../state/live.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { groupsPart } from "./groups-part.ts";
import { type RowLayout, shownStrips } from "./row-layout.ts";
import { Strip } from "./strip.tsx";
import { useRowPlace } from "./use-row-place.ts";

/** The properties of a row. */
export interface RowProps {
  readonly mixer: number;
  readonly faders: readonly number[];
  readonly board: MeterBoard | undefined;
  /** The fader whose wide strip is open. */
  readonly open: number | undefined;
  readonly onOpen: (fader: number | undefined) => void;
}

/** A row of strips. */
export function Row({ mixer, faders, board, open, onOpen }: RowProps) {
  const element = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const { layout, width, first, look } = useRowPlace(element, faders.length, open !== undefined);
  const left = first * layout.stripWidth;
  const [from, to] = shownStrips(layout, left, width, faders.length);
  useEffect(() => {
    if (open === undefined || layout.stripWidth === 0) return;
    const at = faders.indexOf(open) * layout.stripWidth;
    const row = element.current!;
    if (at < row.scrollLeft) row.scrollTo({ left: at });
    else if (at + layout.stripWidth > row.scrollLeft + width) {
      row.scrollTo({ left: at + layout.stripWidth - width });
    }
  }, [open, width]);
  // The focus that was in the wide strip goes back to the key that opens it.
  useEffect(() => {
    if (open === undefined) return;
    return () => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>(`[data-fader="${open}"] .bare`)?.focus();
    };
  }, [open]);
  // If the strip that last had the focus is not in the page, Tab reaches the first visible strip.
  const reached = current >= from && current < to ? current : Math.ceil(first);
  const group = groupsPart.value?.assigned.value;
  const Cover = group?.mixer === mixer ? groupsPart.value?.Cover : undefined;
  return (
    <div class="row-frame">
      <div ref={element} class={layout.isCompact ? "row compact" : "row"}>
        <div
          class="row-inner"
          style={{ width: `${layout.stripWidth * faders.length}px` }}
          onKeyDown={(event) => {
            // A browser reports the scrolling a frame later, and a key may come before.
            if (goSideways(event)) look();
          }}
        >
          {faders.slice(from, to).map((fader, index) => (
            <div
              key={fader}
              class="row-place"
              data-fader={fader}
              style={{
                left: `${(from + index) * layout.stripWidth}px`,
                width: `${layout.stripWidth}px`,
              }}
              onFocusIn={() => setCurrent(from + index)}
            >
              <Strip
                mixer={mixer}
                fader={fader}
                tabIndex={from + index === reached ? 0 : -1}
                board={board}
                isOpen={fader === open}
                isCovered={Cover !== undefined}
                onOpen={() => onOpen(fader === open ? undefined : fader)}
              />
              {Cover && (
                <Cover
                  mixer={mixer}
                  fader={fader}
                  group={group!}
                  tabIndex={from + index === reached ? 0 : -1}
                />
              )}
            </div>
          ))}
        </div>
      </div>
      {layout.perPage < faders.length && (
        <RowPages
          mixer={mixer}
          faders={faders}
          layout={layout}
          middle={left + width / 2}
          onGoTo={(index) =>
            element.current!.scrollTo({ left: index * layout.stripWidth, behavior: "smooth" })}
        />
      )}
    </div>
  );
}

interface RowPagesProps extends Pick<RowProps, "mixer" | "faders"> {
  readonly layout: RowLayout;
  /** The middle of the visible part of the row, in pixels from its beginning. */
  readonly middle: number;
  /** Called with the first strip of the page to show. */
  readonly onGoTo: (index: number) => void;
}

/** A button for each page of strips, with the name of its first fader. */
function RowPages({ mixer, faders, layout, middle, onGoTo }: RowPagesProps) {
  const { perPage, stripWidth } = layout;
  const pages = Array.from({ length: Math.ceil(faders.length / perPage) }, (_, page) => ({
    first: page * perPage,
    last: Math.min(faders.length, (page + 1) * perPage) - 1,
  }));
  return (
    <nav class="row-pages" aria-label={mixerWords().faderPages}>
      {pages.map(({ first, last }) => (
        <button
          key={first}
          type="button"
          class="button"
          aria-current={middle >= first * stripWidth && middle < (last + 1) * stripWidth}
          onClick={() => onGoTo(first)}
        >
          <b>{first === last ? "" : `${faders[first]! + 1}–`}{faders[last]! + 1}</b>
          <small class="cut">
            <bdi>{at(`/audio/mixers/${mixer}/faders/${faders[first]!}/label`).value}</bdi>
          </small>
        </button>
      ))}
    </nav>
  );
}

/**
 * Arrows to the left and right go to the same control of the strip beside; returns whether the key
 * did so.
 */
function goSideways(event: KeyboardEvent): boolean {
  const isLeft = event.key === "ArrowLeft";
  if (!isLeft && event.key !== "ArrowRight") return false;
  // With Alt or Meta, the arrows go back and forward in the history of the browser.
  if (event.altKey || event.metaKey) return false;
  const from = event.target as HTMLElement;
  const strip = from.closest(".row-place");
  if (strip === null) return false;
  const beside = isLeft ? strip.previousElementSibling : strip.nextElementSibling;
  const place = controlsOf(strip).indexOf(from);
  if (beside === null || place === -1) return false;
  event.preventDefault();
  controlsOf(beside)[place]?.focus();
  return true;
}

/**
 * The controls that operate a strip, or cover it, without those in the dialogs of its buttons.
 */
function controlsOf(strip: Element): HTMLElement[] {
  return [...strip.querySelectorAll<HTMLElement>("[tabindex]:not(dialog *, [inert] *)")];
}
