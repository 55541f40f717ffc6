/**
 * A field with a text to copy.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import { copyFieldTexts } from "../texts/copy-field.ts";
import { textsOf } from "../texts/texts.ts";
import { Button } from "./button.tsx";

/** The text in a field, and the button that copies it. */
export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  const own = textsOf(copyFieldTexts);
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const copy = () => {
    field.current!.select();
    // Browsers have no clipboard for pages that came over plain HTTP.
    const copied = navigator.clipboard?.writeText(text) ?? Promise.reject();
    copied.then(() => setSaid(own.copied), () => setSaid(own.notCopied));
  };
  return (
    <>
      <label class="field">
        <span>{label}</span>
        <input ref={field} class="token" readOnly value={text} spellcheck={false} />
      </label>
      <Button label={own.copy} kind="primary" onPress={copy} />
      <p role="status" class="small">{said}</p>
    </>
  );
}
