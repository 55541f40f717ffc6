/**
 * The place to which a row of strips is scrolled, and the layout of the strips.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { layoutOf, type RowLayout } from "./row-layout.ts";

/** The place of a row. */
export interface RowPlace {
  readonly layout: RowLayout;
  /** The width of the visible part, in pixels. */
  readonly width: number;
  /** The first visible strip: a whole number, or a half more if the strip is cut off. */
  readonly first: number;
  /** Takes over the scrolled position at once; a browser reports it a frame later. */
  readonly look: () => void;
}

/**
 * Follows the scrolling and the size of a row of strips. In another size the same strip stays the
 * first one, unless the strip with the focus would be out of sight. If the row `isBeside` a wide
 * strip, its strips keep their width.
 */
export function useRowPlace(
  element: RefObject<HTMLElement | null>,
  strips: number,
  isBeside: boolean,
): RowPlace {
  const place = useSignal({ width: 0, height: 0, first: 0, held: -1 });
  const kept = useRef(layoutOf(0, 0, strips));
  /** The scrolled position in strips, which lasts when their width changes. */
  const scrolled = useRef(0);
  const look = () => {
    const row = element.current;
    // A report of its size may still come after the row was left.
    if (row === null) return;
    const { clientWidth: width, clientHeight: height, scrollLeft } = row;
    const { stripWidth } = kept.current;
    const before = place.peek();
    const isResized = width !== before.width || height !== before.height;
    // In another size the browser may have limited the position before the strips are laid out.
    if (!isResized && stripWidth > 0) scrolled.current = scrollLeft / stripWidth;
    // Scrolling within a strip changes nothing: so the position counts in whole strips, and a half
    // more.
    const whole = Math.floor(scrolled.current);
    const first = scrolled.current > whole ? whole + 0.5 : whole;
    const focused = isResized && row.querySelector<HTMLElement>(".row-place:focus-within");
    const held = focused ? focused.offsetLeft / stripWidth : -1;
    if (!isResized && first === before.first && held === before.held) return;
    place.value = { width, height, first, held };
  };
  useEffect(() => {
    const row = element.current!;
    const sizes = new ResizeObserver(look);
    sizes.observe(row);
    row.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      row.removeEventListener("scroll", look);
    };
  }, []);
  const { width, height, first: seen, held } = place.value;
  const fitting = layoutOf(width, height, strips);
  // Beside a wide strip the strips keep their width, and so stay under the pointer that opened it.
  const isKept = isBeside && kept.current.stripWidth > 0 &&
    kept.current.isCompact === fitting.isCompact;
  if (!isKept) kept.current = fitting;
  const layout = kept.current;
  // If fewer strips fit than before, the strip with the focus, or with an open dialog, stays.
  const least = held + 1 - layout.perPage;
  const first = Math.max(seen, least);
  useLayoutEffect(() => {
    element.current!.scrollLeft = Math.max(scrolled.current, least) * layout.stripWidth;
  }, [layout.stripWidth, layout.perPage]);
  useLayoutEffect(look, [width, height]);
  return { layout, width, first, look };
}
