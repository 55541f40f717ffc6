/**
 * The page of external lists: buttons that a radio automation defines, and whose presses it
 * receives.
 *
 * @module
 */
import { effect, signal } from "@preact/signals";
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ExternalListEntry } from "../../../client/client.ts";
import { at, letGo, link, rpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { locked } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { listsTexts } from "../../texts/lists.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { createHeld, type Held } from "./held.ts";
import { ListButton } from "./list-button.tsx";
import { fitted, type Layout, layoutOf, type Screen, screensOf } from "./screens.ts";

/**
 * Maximum number of lists, or of screens of a list, that get a button each, which fit on a phone;
 * more get a selector.
 */
const MOST_BUTTONS = 5;

/** Distance in pixels of a swipe beside the buttons that turns the page. */
const SWIPE_PX = 40;

/** The number of screens by which a key moves on. */
const TURNS: Readonly<Record<string, number>> = { PageDown: 1, PageUp: -1 };

/** The parts of the address: the number of a list. */
export interface ListsProps {
  readonly parts: readonly string[];
}

/** The page: `#/lists/1`. */
export function Lists({ parts: [given] }: ListsProps) {
  const own = textsOf(listsTexts);
  const control = at("/control").value;
  if (control === undefined) return <p class="muted">{texts().shell.loading}</p>;
  const lists = control.extlists;
  if (lists === undefined || Object.keys(lists).length === 0) {
    return <p class="muted">{own.none}</p>;
  }
  const ids = Object.keys(lists);
  const id = given !== undefined && ids.includes(given) ? given : ids[0]!;
  const { _name, _exists, _entries, _page } = lists[Number(id)]!;
  const nameOf = (item: string) => lists[Number(item)]!._name;
  const choose = (item: string) => void (location.hash = addressOf("lists", item));
  return (
    <div class="lists">
      {ids.length > 1 && ids.length <= MOST_BUTTONS && (
        <Choice label={own.list} items={ids} chosen={id} textOf={nameOf} onChoose={choose} />
      )}
      {ids.length > MOST_BUTTONS && (
        <select
          class="input"
          aria-label={own.list}
          value={id}
          onChange={({ currentTarget: { value } }) => choose(value)}
        >
          {ids.map((item) => <option key={item} value={item}>{nameOf(item)}</option>)}
        </select>
      )}
      {!_exists || _entries.length === 0
        ? <p class="muted lists-empty">{_exists ? own.empty(_name) : own.absent(_name)}</p>
        : <ListButtons key={id} list={Number(id)} name={_name} entries={_entries} page={_page} />}
    </div>
  );
}

/** A list that has buttons. */
export interface ListButtonsProps {
  readonly list: number;
  readonly name: string;
  readonly entries: readonly ExternalListEntry[];
  /** The current page of the list. */
  readonly page: number;
}

/** The buttons of a list, a screen of them at a time. */
export function ListButtons({ list, name, entries, page }: ListButtonsProps) {
  const place = useRef<HTMLDivElement>(null);
  const [most, setMost] = useState<Layout>();
  const [shown, setShown] = useState(0);
  const held = useHeld();
  useEffect(() => {
    const observer = new ResizeObserver((
      [{ contentRect: { width, height } } = { contentRect: new DOMRect() }],
    ) => setMost(layoutOf(width, height)));
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  const screens = most === undefined ? [] : screensOf(entries, most.columns * most.rows);
  // A new current page of the list is shown here; otherwise each user turns the pages
  // independently.
  useEffect(() => {
    const first = screens.findIndex((screen) => screen.page === page);
    if (first >= 0) setShown(first);
  }, [page, most === undefined]);
  const index = Math.min(shown, Math.max(0, screens.length - 1));
  const screen = screens[index];
  const { columns, rows } = fitted(screen?.entries.length ?? 1, most ?? { columns: 1, rows: 1 });
  const turn = (to: number) => setShown(Math.max(0, Math.min(screens.length - 1, to)));
  const move = ({ key, target, currentTarget }: TargetedKeyboardEvent<HTMLDivElement>) => {
    const buttons = [...currentTarget.children] as HTMLElement[];
    const from = buttons.indexOf(target as HTMLElement);
    if (from === -1) return;
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
    };
    buttons[from + (steps[key] ?? 0)]?.focus();
    const to = index + (TURNS[key] ?? 0);
    const next = screens[to];
    if (to === index || next === undefined) return;
    // The last screen may have fewer buttons.
    buttons[Math.min(from, next.entries.length - 1)]!.focus();
    turn(to);
  };
  return (
    <>
      <div
        class="lists-buttons"
        ref={place}
        role="group"
        aria-label={name}
        style={{ "--columns": columns, "--rows": rows }}
        onKeyDown={move}
      >
        {/* Keyed by their positions, so that the focus keeps its position on the next screen. */}
        {screen?.entries.map((at, key) => (
          <ListButton key={key} list={list} index={at} entry={entries[at]!} held={held} />
        ))}
      </div>
      {screens.length > 1 && <Pager screens={screens} shown={index} onTurn={turn} />}
    </>
  );
}

/**
 * The buttons that are held down here; they are released when the page is left, hidden or locked.
 */
function useHeld(): Held {
  const { held, changes } = useMemo(() => {
    const changes = signal(0);
    const tell = (list: number, entry: number, on: 0 | 1) => {
      const params = { list, entry, on };
      if (on === 1) rpc("pressextlist", params);
      else letGo("pressextlist", params);
    };
    return { held: createHeld(tell, () => changes.value++), changes };
  }, []);
  // Reading the signal makes the component show the held buttons.
  void changes.value;
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    const hidden = () => document.hidden && held.releaseAll();
    addEventListener("blur", held.releaseAll, { signal });
    addEventListener("pagehide", held.releaseAll, { signal });
    document.addEventListener("visibilitychange", hidden, { signal });
    const stop = effect(() => {
      const { state } = link.value;
      if (state === "silent" || state === "open" && locked.value) held.releaseAll();
      else if (state !== "open") held.forget();
    });
    return () => {
      ending.abort();
      stop();
      held.releaseAll();
    };
  }, []);
  return held;
}

interface PagerProps {
  readonly screens: readonly Screen[];
  readonly shown: number;
  readonly onTurn: (to: number) => void;
}

/** The controls to turn pages, which can also be swiped. */
function Pager({ screens, shown, onTurn }: PagerProps) {
  const own = textsOf(listsTexts);
  const from = useRef<number | undefined>(undefined);
  const numbers = screens.map((_, at) => at);
  return (
    <nav
      class="lists-pager line"
      aria-label={own.pages}
      onPointerDown={({ clientX }) => from.current = clientX}
      onPointerUp={({ clientX }) => {
        const moved = clientX - (from.current ?? clientX);
        if (Math.abs(moved) >= SWIPE_PX) onTurn(shown - Math.sign(moved));
      }}
    >
      <Button label={own.previous} icon="left" isBare onPress={() => onTurn(shown - 1)} />
      {screens.length <= MOST_BUTTONS
        ? numbers.map((at) => (
          <button
            type="button"
            key={at}
            class="button"
            aria-label={own.page(at + 1)}
            aria-pressed={at === shown}
            onClick={() => onTurn(at)}
          >
            {at + 1}
          </button>
        ))
        : (
          <select
            class="input"
            aria-label={own.jump}
            value={shown}
            onChange={({ currentTarget: { value } }) => onTurn(Number(value))}
          >
            {numbers.map((at) => (
              <option key={at} value={at}>{own.pageOf(at + 1, screens.length)}</option>
            ))}
          </select>
        )}
      <Button label={own.next} icon="right" isBare onPress={() => onTurn(shown + 1)} />
    </nav>
  );
}
