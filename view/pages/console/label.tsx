import { useState } from "preact/hooks";
import { LABEL_LENGTH } from "../../../core/limits.ts";
import { at, set } from "../../state/live.ts";
import { forbids } from "../../state/rights.ts";
import { consoleTexts } from "../../texts/console.ts";
import { textsOf } from "../../texts/texts.ts";

/**
 * A global label, to be written over. It is set by Enter or by going on; an empty one brings the
 * configured one back, and Escape what was there.
 */
export function Label({ id }: { readonly id: number }) {
  const label = at(`/control/labels/${id}`).value;
  const [draft, setDraft] = useState<string>();
  if (label === undefined) return null;
  const reason = forbids("operate");
  const take = async () => {
    if (draft !== undefined && draft !== label.label) {
      await set(`/control/labels/${id}/label`, draft);
    }
    // Text that was typed while the console answered stays.
    setDraft((now) => now === draft ? undefined : now);
  };
  return (
    <label class="field">
      <span>{textsOf(consoleTexts).label(id, label._defaultlabel)}</span>
      <input
        value={draft ?? label.label}
        placeholder={label._defaultlabel}
        maxLength={LABEL_LENGTH.max}
        readOnly={reason !== undefined}
        title={reason}
        onInput={({ currentTarget: { value } }) => setDraft(value)}
        onBlur={take}
        onKeyDown={({ key, currentTarget }) => {
          if (key === "Enter") take();
          if (key !== "Escape") return;
          setDraft(undefined);
          currentTarget.value = label.label;
        }}
      />
    </label>
  );
}
