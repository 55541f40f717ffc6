import type { ComponentChildren } from "preact";
import { recentText } from "../parts/time-text.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";
import type { FleetConsole } from "./console.ts";

/** The properties of a line. */
export interface ConsoleLineProps {
  readonly name: string;
  readonly site: string;
  /** Undefined for a console that has left the fleet. */
  readonly console: FleetConsole | undefined;
  /** The address of the opened console; without it the name is no link. */
  readonly href?: string | undefined;
  readonly lamp: "good" | "bad" | "open";
  /** Its standing in a few words, and the details. */
  readonly word: string;
  readonly text?: string | undefined;
  /** The buttons of the line. */
  readonly children?: ComponentChildren;
}

/** A console in a list: its state at the hub, and its standing. */
export function ConsoleLine(
  { name, site, console, href, lamp, word, text, children }: ConsoleLineProps,
) {
  const own = textsOf(fleetTexts);
  return (
    <div class={`fleet-line ${lamp}`}>
      <span class="lamp" />
      <div class="fleet-name">
        {href === undefined ? <bdi class="cut">{name}</bdi> : (
          <a class="cut" href={href}>
            <bdi>{name}</bdi>
          </a>
        )}
        <span class="muted small cut">{console === undefined ? own.left : stateText(console)}</span>
      </div>
      <bdi class="muted small cut fleet-site">{site === "" ? own.noSite : site}</bdi>
      <div class="fleet-name">
        <span class="cut">{word}</span>
        <bdi class="muted small cut" title={text}>{text}</bdi>
      </div>
      {children}
    </div>
  );
}

/** The state of a console at the hub, and since when. */
export function stateText({ _state, _since, _heard }: FleetConsole): string {
  const own = textsOf(fleetTexts);
  if (_state === "removed") return own.left;
  return (_heard ? own.since : own.awaited)(own.states[_state], recentText(_since));
}
