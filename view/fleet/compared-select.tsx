import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetDriftTexts } from "../texts/fleet-drift.ts";
import { textsOf } from "../texts/texts.ts";
import { type Compared, partsOf } from "./compared.ts";
import type { FleetConsole } from "./console.ts";
import { ConsoleOptions } from "./console-options.tsx";

/** The properties of the choice. */
export interface ComparedSelectProps {
  readonly all: readonly FleetConsole[];
  readonly templates: FleetRpcResult<"fleettemplatelist">;
  readonly other: Compared | undefined;
  readonly onChoose: (kind: string, name: string) => void;
}

/** The choice of the other side of the comparison: a template or a console. */
export function ComparedSelect(props: ComparedSelectProps) {
  const { all, templates, other, onChoose } = props;
  const own = textsOf(fleetDriftTexts);
  const { consoles } = textsOf(fleetTexts);
  return (
    <label class="field">
      <span>{own.other}</span>
      <select
        value={other === undefined ? "" : partsOf(other).join("/")}
        onChange={({ currentTarget: { value } }) => {
          const [kind, name] = value.split("/");
          if (name !== undefined) onChoose(kind!, name);
        }}
      >
        <option value="">{own.choose}</option>
        <optgroup label={own.templates}>
          {templates.map(({ name, from }) => (
            <option key={name} value={`template/${name}`}>{`${name} (${from})`}</option>
          ))}
        </optgroup>
        <optgroup label={consoles}>
          <ConsoleOptions all={all} prefix="console/" />
        </optgroup>
      </select>
    </label>
  );
}
