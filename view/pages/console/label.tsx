import { LABEL_LENGTH } from "../../../core/limits.ts";
import { at } from "../../state/live.ts";
import { consoleTexts } from "../../texts/console.ts";
import { textsOf } from "../../texts/texts.ts";
import { TextField } from "./text-field.tsx";

/** An editable global label; an empty text brings the configured label back. */
export function Label({ id }: { readonly id: number }) {
  const label = at(`/control/labels/${id}`).value;
  if (label === undefined) return null;
  return (
    <TextField
      path={`/control/labels/${id}/label`}
      label={textsOf(consoleTexts).label(id, label._defaultlabel)}
      placeholder={label._defaultlabel}
      maxLength={LABEL_LENGTH.max}
      needs="operate"
    />
  );
}
