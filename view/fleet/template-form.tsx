/**
 * The form of a new template: its name, the console from which it is read, and its sections.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { Check } from "../parts/check.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Ends } from "../parts/ends.tsx";
import { fleetDriftTexts } from "../texts/fleet-drift.ts";
import { textsOf } from "../texts/texts.ts";
import type { Section } from "./compared.ts";
import type { FleetConsole } from "./console.ts";
import { ConsoleOptions } from "./console-options.tsx";
import { hubRpc } from "./hub.ts";

/** The properties of the form. */
export interface TemplateFormProps {
  readonly all: readonly FleetConsole[];
  readonly templates: FleetRpcResult<"fleettemplatelist">;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

/** The sections that are ticked at first: users with the right to configure may read them. */
const FIRST: readonly Section[] = ["labels", "processing", "setup"];

/** The form. */
export function TemplateForm({ all, templates, onClose, onSaved }: TemplateFormProps) {
  const own = textsOf(fleetDriftTexts);
  const [name, setName] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isKnown = templates.some((one) => one.name === name.trim());
  const sections = Object.keys(own.sections) as Section[];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    hubRpc("fleettemplatesave", {
      name: name.trim(),
      console: String(fields.get("console")),
      sections: sections.filter((section) => fields.has(section)),
    }).then((saved) => onSaved(saved.name), ({ message }) => {
      setBusy(false);
      setRefusal(message);
    });
  };
  return (
    <Dialog title={own.save} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <label class="field">
          <span>{own.name}</span>
          <input
            value={name}
            required
            maxLength={64}
            autocomplete="off"
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <small>{isKnown ? own.replaces : own.nameHint}</small>
        </label>
        <label class="field">
          <span>{own.from}</span>
          <select name="console" required>
            <ConsoleOptions all={all} />
          </select>
        </label>
        <fieldset>
          <legend class="muted small">{own.has}</legend>
          {sections.map((section) => (
            <Check
              key={section}
              name={section}
              label={own.sections[section]}
              isOn={FIRST.includes(section)}
            />
          ))}
        </fieldset>
        {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
        <Ends onCancel={onClose}>
          <button
            type="submit"
            class={`button ${isKnown ? "danger" : "primary"}`}
            aria-disabled={isBusy}
          >
            {isBusy ? own.reading : own.save}
          </button>
        </Ends>
      </form>
    </Dialog>
  );
}
