/**
 * The bar that is shown while a touch of a strip assigns it to a group; its button ends that.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { link } from "../../../state/live.ts";
import { Button } from "../../../parts/button.tsx";
import { groupsTexts } from "../../../texts/groups.ts";
import { textsOf } from "../../../texts/texts.ts";

/** The properties of the bar. */
export interface AssignBarProps {
  /** The name of the group. */
  readonly title: string;
  readonly onDone: () => void;
}

/**
 * The assignment ends when its button or Escape is pressed, when the page is left, and when the
 * connection is lost.
 */
export function AssignBar({ title, onDone }: AssignBarProps) {
  const text = textsOf(groupsTexts);
  const isLive = link.value.state === "open";
  useEffect(() => {
    let before: Element | null = null;
    // This waits until the dialog has closed, because the dialog then gives the focus back.
    const timer = setTimeout(() => {
      before = document.activeElement;
      document.querySelector<HTMLElement>(".cover[tabindex='0']")?.focus();
    });
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === "Escape") onDone();
    };
    addEventListener("keydown", onKey);
    return () => {
      clearTimeout(timer);
      removeEventListener("keydown", onKey);
      onDone();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  useEffect(() => {
    if (!isLive) onDone();
  }, [isLive]);
  return (
    <div class="group-mode line">
      <Button label={text.done} icon="check" kind="primary" onPress={onDone} />
      <span class="small" role="status">
        <b>{title}</b>
        <span class="group-hint">
          <br />
          {text.assigning}
        </span>
      </span>
    </div>
  );
}
