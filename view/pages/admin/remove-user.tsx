/**
 * The question before a user is removed.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { tryRpc } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { texts } from "../../texts/texts.ts";

/** Whom it is about. */
export interface RemoveUserProps {
  readonly name: string;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks once more, and says what follows. */
export function RemoveUser({ name, onClose, onDone }: RemoveUserProps) {
  const own = texts().admin;
  const [refusal, setRefusal] = useState<string>();
  const remove = () => {
    tryRpc("removeuser", { name }).then(() => onDone(), (fault) => setRefusal(fault.message));
  };
  return (
    <Dialog title={own.removeUser(name)} onClose={onClose}>
      <p>{own.removeUserQuestion}</p>
      {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
      <div class="toolbar">
        <Button label={own.remove} icon="trash" kind="danger" onPress={remove} />
        <Button label={own.cancel} onPress={onClose} />
      </div>
    </Dialog>
  );
}
