/**
 * Rows below each other, in any number: the page contains only the rows on the screen.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { ROW_PX, seenRows } from "./rows.ts";

/** The properties of a list. */
export interface ScrolledListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Returns a text that is the same for the same row. */
  readonly keyOf: (row: Row) => string;
  /** Returns the content of a row. */
  readonly children: (row: Row) => ComponentChildren;
}

/** The list, which scrolls in itself. */
export function ScrolledList<Row>({ label, rows, keyOf, children }: ScrolledListProps<Row>) {
  const element = useRef<HTMLDivElement>(null);
  const place = useSignal({ top: 0, height: 0 });
  useEffect(() => {
    const list = element.current!;
    const look = () => {
      const { scrollTop, clientHeight: height } = list;
      // Scrolling within a row changes nothing.
      const top = scrollTop - scrollTop % ROW_PX;
      const before = place.peek();
      if (top !== before.top || height !== before.height) place.value = { top, height };
    };
    const sizes = new ResizeObserver(look);
    sizes.observe(list);
    list.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      list.removeEventListener("scroll", look);
    };
  }, []);
  const { top, height } = place.value;
  const [from, to] = seenRows(top, height + ROW_PX, rows.length);
  return (
    <div ref={element} class="fleet-list">
      <ul aria-label={label} style={{ height: `${rows.length * ROW_PX}px` }}>
        {rows.slice(from, to).map((row, index) => (
          <li
            key={keyOf(row)}
            class="fleet-place"
            aria-setsize={rows.length}
            aria-posinset={from + index + 1}
            style={{ top: `${(from + index) * ROW_PX}px` }}
          >
            {children(row)}
          </li>
        ))}
      </ul>
    </div>
  );
}
