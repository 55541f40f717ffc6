/**
 * A list whose order is changed: by dragging the handle of a line, or by the arrow keys on it.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ownTexts } from "../../texts/own.ts";
import { textsOf } from "../../texts/texts.ts";

/** The properties of a list. */
export interface SortableProps {
  /** A key of each line, which stays the same when another client changes the list. */
  readonly keys: readonly string[];
  /** The lines, in words. */
  readonly names: readonly string[];
  /** Moves a line; resolves with whether it was moved. */
  readonly onMove: (from: number, to: number) => Promise<boolean>;
  /** The content of a line behind its handle. */
  readonly of: (at: number) => ComponentChildren;
}

/**
 * A dragged line, and the line whose place it would take if it were dropped: by their keys, because
 * their positions may change meanwhile.
 */
interface Drag {
  readonly from: string;
  readonly to: string;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The lines, each with its handle. */
export function Sortable({ keys, names, onMove, of }: SortableProps) {
  const own = textsOf(ownTexts);
  const element = useRef<HTMLUListElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [said, setSaid] = useState("");
  /** The key of the line that the keyboard moves: the focus follows it once it is there. */
  const focused = useRef<string | undefined>(undefined);
  const order = keys.join("\n");
  useEffect(() => {
    const at = keys.indexOf(focused.current!);
    focused.current = undefined;
    element.current?.querySelectorAll<HTMLElement>(".own-handle")[at]?.focus();
  }, [order]);

  async function move(from: number, to: number): Promise<boolean> {
    if (to === from || from < 0 || to < 0 || to >= names.length) return false;
    const isMoved = await onMove(from, to);
    if (isMoved) setSaid(own.moved(names[from]!, to + 1, names.length));
    return isMoved;
  }

  /** Returns the position of a line that is dragged to this height. */
  function placeAt(y: number, from: number): number {
    const lines = [...element.current!.children].map((line) => line.getBoundingClientRect());
    const above = lines.filter(({ top, height }, at) => at !== from && top + height / 2 < y);
    return above.length;
  }

  if (names.length === 0) return null;
  const dragged = drag === undefined ? -1 : keys.indexOf(drag.from);
  const over = drag === undefined ? -1 : keys.indexOf(drag.to);
  return (
    <>
      <ul class="list" ref={element}>
        {keys.map((key, at) => (
          <li
            key={key}
            class="line"
            data-drop={at === over ? dropOf(dragged, over) : undefined}
            data-dragged={at === dragged}
          >
            <button
              type="button"
              class="button bare own-handle"
              aria-label={own.move(names[at]!)}
              title={own.move(names[at]!)}
              onPointerDown={(event) => {
                if (event.button !== 0) {
                  return;
                }
                event.currentTarget.setPointerCapture(event.pointerId);
                setDrag({ from: key, to: key });
              }}
              onPointerMove={({ clientY }) => {
                if (drag?.from !== key) {
                  return;
                }
                const to = keys[placeAt(clientY, at)]!;
                if (to !== drag.to) {
                  setDrag({ from: key, to });
                }
              }}
              onPointerUp={() => {
                move(dragged, over);
                setDrag(undefined);
              }}
              onPointerCancel={() => setDrag(undefined)}
              onKeyDown={async (event) => {
                const step = STEPS[event.key];
                if (step === undefined) {
                  return;
                }
                event.preventDefault();
                focused.current = key;
                if (!await move(at, at + step)) {
                  focused.current = undefined;
                }
              }}
            >
              <span aria-hidden="true">≡</span>
            </button>
            {of(at)}
          </li>
        ))}
      </ul>
      <p role="status" class="hidden">{said}</p>
    </>
  );
}

/** The side of the line at `over` on which the dragged line would stand. */
function dropOf(dragged: number, over: number): "before" | "after" | undefined {
  if (dragged < 0 || dragged === over) return undefined;
  return over < dragged ? "before" : "after";
}
