/**
 * Says that touched strips are assigned to a group, and ends that.
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

/** The assignment ends by its button, by Escape, when the page is left, and with the connection. */
export function AssignBar({ title, onDone }: AssignBarProps) {
  const text = textsOf(groupsTexts);
  const isLive = link.value.state === "open";
  useEffect(() => {
    let before: Element | null = null;
    // After the dialog, which gives the focus back when it closes.
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
