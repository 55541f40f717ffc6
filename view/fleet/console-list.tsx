/**
 * The rows below each other: of any number only those on the screen are in the page.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";
import { ConsoleRow, type ConsoleRowProps } from "./console-row.tsx";
import { keyOf, type Row, ROW_PX, seenRows } from "./rows.ts";

/** The properties of the list. */
export interface ConsoleListProps extends Omit<ConsoleRowProps, "id"> {
  readonly rows: readonly Row[];
}

/** The list, which scrolls in itself. */
export function ConsoleList({ rows, ...actions }: ConsoleListProps) {
  const own = textsOf(fleetTexts);
  const element = useRef<HTMLDivElement>(null);
  const place = useSignal({ top: 0, height: 0 });
  useEffect(() => {
    const list = element.current!;
    const look = () => {
      const { scrollTop, clientHeight: height } = list;
      // Within a row nothing is another.
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
      <ul aria-label={own.consoles} style={{ height: `${rows.length * ROW_PX}px` }}>
        {rows.slice(from, to).map((row, index) => (
          <li
            key={keyOf(row)}
            class="fleet-place"
            aria-setsize={rows.length}
            aria-posinset={from + index + 1}
            style={{ top: `${(from + index) * ROW_PX}px` }}
          >
            {"id" in row ? <ConsoleRow id={row.id} {...actions} /> : <Heading {...row.heading} />}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Heading(
  { site, count }: { readonly site: string | undefined; readonly count: number },
) {
  const own = textsOf(fleetTexts);
  return (
    <h2 class="fleet-heading line">
      <bdi class="cut">{site === undefined ? own.waiting : site === "" ? own.noSite : site}</bdi>
      <span class="badge">{count}</span>
    </h2>
  );
}
