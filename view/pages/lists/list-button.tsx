/**
 * A button of an external list.
 *
 * A finger presses as it touches, without the wait that would tell a press from a scroll: nothing
 * scrolls where the buttons are, and no gesture begins on them (`touch-action: none`).
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import type { ExternalListEntry } from "../../../client/client.ts";
import { theme } from "../../state/preferences.ts";
import { forbids, noticeBarred } from "../../state/rights.ts";
import { listsTexts } from "../../texts/lists.ts";
import { textsOf } from "../../texts/texts.ts";
import { coloursOf } from "./colours.ts";
import type { Held } from "./held.ts";

/** The button. */
export interface ListButtonProps {
  readonly list: number;
  readonly index: number;
  readonly entry: ExternalListEntry;
  readonly held: Held;
}

/** The button, held down for as long as a finger, the mouse or a key holds it. */
export function ListButton({ list, index, entry, held }: ListButtonProps) {
  const { label, disabled = false, _on } = entry;
  const reason = disabled ? textsOf(listsTexts).disabled : forbids("press");
  const isOn = _on || held.isHeld(list, index);
  const colours = disabled ? undefined : coloursOf(entry, theme.chosen.value);
  const nameOf = (what: string | number) => `${what}:${list}:${index}`;

  function press(what: string | number): void {
    if (reason === undefined) held.press(nameOf(what), list, index);
    else noticeBarred(reason);
  }

  const release = (what: string | number) => held.release(nameOf(what));
  // A button that is removed, for example with its page, is released.
  useEffect(() => () => held.releaseButton(list, index), [list, index]);

  const lifted = ({ pointerId }: PointerEvent) => release(pointerId);
  return (
    <button
      type="button"
      class={disabled ? "list-button off" : "list-button"}
      aria-pressed={isOn}
      aria-disabled={reason !== undefined}
      title={reason}
      style={{ background: colours?.ground, color: colours?.text }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press(event.pointerId);
      }}
      onPointerUp={lifted}
      onPointerCancel={lifted}
      onLostPointerCapture={lifted}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        if (!event.repeat) press(event.key);
      }}
      onKeyUp={(event) => {
        if (event.key !== " " && event.key !== "Enter") return;
        event.preventDefault();
        release(event.key);
      }}
      onBlur={() => {
        release(" ");
        release("Enter");
      }}
      onClick={({ detail }) => {
        // Other listeners handle fingers and keys: this click comes from a screen reader.
        if (detail !== 0) return;
        press("reader");
        release("reader");
      }}
    >
      <span>
        <bdi>{label}</bdi>
      </span>
    </button>
  );
}
