/**
 * The form of a request to many consoles.
 *
 * @module
 */
import { Check } from "../parts/check.tsx";
import { Choice } from "../parts/choice.tsx";
import { fleetDoTexts } from "../texts/fleet-do.ts";
import { textsOf } from "../texts/texts.ts";
import { DEEDS, type Draft, isUnheard } from "./order.ts";

/** The properties of the form. */
export interface OrderFormProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
}

type TextMember = "mixer" | "fader" | "label" | "name" | "path" | "value";

/** The fields that each kind of request needs. */
const FIELDS = {
  label: ["mixer", "fader", "label"],
  load: ["mixer", "name"],
  save: ["mixer", "name"],
  set: ["path", "value"],
} as const;

/** The form. */
export function OrderForm({ draft, onChange }: OrderFormProps) {
  const own = textsOf(fleetDoTexts);
  return (
    <>
      <Choice
        label={own.what}
        items={DEEDS}
        chosen={draft.deed}
        textOf={(deed) => own.deeds[deed]}
        onChoose={(deed) => onChange({ deed })}
      />
      <div class="toolbar fleet-look">
        {FIELDS[draft.deed].map((member: TextMember) => (
          <label key={member} class={`field fleet-${member}`}>
            <span>{own.fields[member]}</span>
            <input
              value={draft[member]}
              inputMode={member === "mixer" || member === "fader" ? "numeric" : "text"}
              autocomplete="off"
              onInput={({ currentTarget }) =>
                onChange({ [member]: currentTarget.value })}
            />
          </label>
        ))}
        {isUnheard(draft.deed)
          ? (
            <Check
              label={own.keep}
              isOn={draft.isKept}
              onChange={(isKept) => onChange({ isKept })}
            />
          )
          : (
            <>
              <Check
                label={own.together}
                isOn={draft.isTogether}
                onChange={(isTogether) => onChange({ isTogether })}
              />
              <Check
                label={own.force}
                isOn={draft.isForced}
                onChange={(isForced) => onChange({ isForced })}
              />
            </>
          )}
      </div>
    </>
  );
}
