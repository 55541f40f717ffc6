/**
 * The lock against touch: nothing on the page can be operated until a button has been held.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { isViewOnly, locked } from "../state/rights.ts";
import { texts } from "../texts/texts.ts";

/**
 * Time in ms for which the button has to be held to unlock: longer than a cloth or a sleeve rests
 * on it.
 */
const HOLD_MS = 800;

/** The button that locks the page, and the button that unlocks it. */
export function Lock() {
  const { shell } = texts();
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(locked.value);
  // Each button replaces the other, and takes its focus.
  useEffect(() => {
    if (locked.value !== before.current) place.current!.querySelector("button")!.focus();
    before.current = locked.value;
  }, [locked.value]);
  if (isViewOnly) {
    return (
      <span class="badge">
        <Icon name="eye" />
        {shell.viewOnly}
      </span>
    );
  }
  // A key that is still down from the button before goes on repeating: it does nothing on this
  // button.
  return (
    <div ref={place} onKeyDown={(event) => event.repeat && event.preventDefault()}>
      {locked.value
        ? <Unlock />
        : <Button label={shell.lock} icon="lock" isBare onPress={() => locked.value = true} />}
    </div>
  );
}

function Unlock() {
  const [isHeld, setHeld] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const press = () => {
    setHeld(true);
    // Another finger may hold it already.
    clearTimeout(timer.current);
    timer.current = setTimeout(() => locked.value = false, HOLD_MS);
  };
  const release = () => {
    setHeld(false);
    clearTimeout(timer.current);
  };
  return (
    <button
      type="button"
      class={`button unlock ${isHeld ? "held" : ""}`}
      onPointerDown={press}
      onPointerUp={release}
      onPointerLeave={release}
      onPointerCancel={release}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        if (!event.repeat) press();
      }}
      onKeyUp={(event) => {
        event.preventDefault();
        release();
      }}
      onBlur={release}
      onClick={({ detail }) => {
        // Other listeners handle fingers and keys: this click comes from a screen reader or from a
        // voice, which cannot hold a button.
        if (detail === 0) locked.value = false;
      }}
    >
      <Icon name="unlock" />
      <span>{texts().shell.unlock}</span>
    </button>
  );
}
