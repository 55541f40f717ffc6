/**
 * A token that the console has just made: shown this once.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { adminTexts } from "../../texts/admin.ts";
import { textsOf } from "../../texts/texts.ts";

/** A token, and whose it is. */
export interface UserToken {
  readonly name: string;
  readonly token: string;
}

/** The token, to be copied; it is nowhere any more once this is closed. */
export function ShownToken(
  { name, token, onClose }: UserToken & { readonly onClose: () => void },
) {
  const own = textsOf(adminTexts);
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const copy = () => {
    field.current!.select();
    // Browsers have no clipboard for pages that came over plain HTTP.
    const copied = navigator.clipboard?.writeText(token) ?? Promise.reject();
    copied.then(() => setSaid(own.copied), () => setSaid(own.notCopied));
  };
  return (
    <Dialog title={own.tokenOf(name)} onClose={onClose} isKept>
      <p>{own.tokenOnce}</p>
      <label class="field">
        <span>{own.tokenOf(name)}</span>
        <input ref={field} class="token" readOnly value={token} spellcheck={false} />
      </label>
      <Button label={own.copy} kind="primary" onPress={copy} />
      <p role="status" class="small">{said}</p>
    </Dialog>
  );
}
