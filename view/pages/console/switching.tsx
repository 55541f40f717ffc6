/**
 * The switching inputs and outputs of the console (GPI, GPO).
 *
 * @module
 */
import { LABEL_LENGTH } from "../../../core/limits.ts";
import { at } from "../../state/live.ts";
import { consoleTexts } from "../../texts/console.ts";
import { textsOf } from "../../texts/texts.ts";
import { TextField } from "./text-field.tsx";

/** The properties of an input or an output. */
export interface SwitchingPortProps {
  readonly kind: "gpis" | "gpos";
  readonly id: number;
}

/** An input or an output: its name, whether it is on, and the channel of the hardware. */
export function SwitchingPort({ kind, id }: SwitchingPortProps) {
  const path = `/control/${kind}/${id}` as const;
  const port = at(path).value;
  const own = textsOf(consoleTexts);
  if (port === undefined) return null;
  const { _label, _state } = port;
  const title = _label || `${id}`;
  return (
    <div class="switching">
      <p class="line">
        <span class="space">{title}</span>
        <span class={`lamp ${_state ? "open" : "dark"}`} aria-hidden="true" />
        <span class="switching-state">{_state ? own.on : own.off}</span>
      </p>
      <TextField
        path={`${path}/channel`}
        label={own.channel}
        name={own.channelOf(title)}
        maxLength={LABEL_LENGTH.max}
        needs="configure"
      />
    </div>
  );
}
