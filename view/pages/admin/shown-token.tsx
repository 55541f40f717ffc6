/**
 * A token that the console has just made: it is shown only this once.
 *
 * @module
 */
import { Button } from "../../parts/button.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { adminTexts } from "../../texts/admin.ts";
import { handOverTexts } from "../../texts/hand-over.ts";
import { textsOf } from "../../texts/texts.ts";

/** A token, and its user. */
export interface UserToken {
  readonly name: string;
  readonly token: string;
}

/** The content after the token. */
export interface ShownTokenProps extends UserToken {
  /** Hands the user over by a code instead, which makes another token. */
  readonly onHandOver: () => void;
  readonly onClose: () => void;
}

/** The token, to be copied; once this is closed it cannot be shown again. */
export function ShownToken({ name, token, onHandOver, onClose }: ShownTokenProps) {
  const own = textsOf(adminTexts);
  const { handOverByCode, handOverInstead } = textsOf(handOverTexts);
  return (
    <Dialog title={own.tokenOf(name)} onClose={onClose} isKept>
      <p>{own.tokenOnce}</p>
      <CopyField label={own.tokenOf(name)} text={token} />
      <p>{handOverInstead}</p>
      <Button label={handOverByCode} icon="phone" onPress={onHandOver} />
    </Dialog>
  );
}
