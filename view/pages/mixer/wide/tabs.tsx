/**
 * The sections of a wide strip, one of which is shown.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

/** The properties of tabs. */
export interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly (readonly [name: Name, text: string])[];
  readonly shown: Name;
  readonly onShow: (name: Name) => void;
  /** The section that is shown. */
  readonly children: ComponentChildren;
}

/** Shows a tab for each section. The arrow keys, Home and End go to another section. */
export function Tabs<Name extends string>(
  { label, tabs, shown, onShow, children }: TabsProps<Name>,
) {
  const list = useRef<HTMLDivElement>(null);
  const index = tabs.findIndex(([name]) => name === shown);
  const after: Readonly<Record<string, number>> = {
    ArrowLeft: (index + tabs.length - 1) % tabs.length,
    ArrowRight: (index + 1) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  };
  return (
    <>
      <div
        ref={list}
        class="tabs"
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => {
          const next = after[event.key];
          if (next === undefined) return;
          event.preventDefault();
          (list.current!.children[next] as HTMLElement).focus();
          onShow(tabs[next]![0]);
        }}
      >
        {tabs.map(([name, text]) => (
          <button
            key={name}
            type="button"
            class="tab"
            id={`tab-${name}`}
            role="tab"
            tabIndex={name === shown ? 0 : -1}
            aria-selected={name === shown}
            aria-controls="wide-section"
            onClick={() => onShow(name)}
          >
            {text}
          </button>
        ))}
      </div>
      <div id="wide-section" class="wide-body" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        {children}
      </div>
    </>
  );
}
