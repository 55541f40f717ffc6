/**
 * The undo of one of the last changes of the console.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { RequestError } from "../../client/client.ts";
import { Button } from "../parts/button.tsx";
import { openDialogs } from "../parts/dialog.tsx";
import { onOpen, tryRpc } from "../state/live.ts";
import { forbids, locked, noticeBarred } from "../state/rights.ts";
import { undoTexts } from "../texts/undo.ts";
import { textsOf } from "../texts/texts.ts";
import { UndoDialog } from "./dialog.tsx";

/** The code of an RPC that the console does not know. */
const UNKNOWN_METHOD = 2;

/** The elements in which Ctrl+Z belongs to the field. */
const FIELDS = "input, select, textarea";

const isAsked = signal(false);

/** The key in the header, which Ctrl+Z presses, too; none if the console cannot undo. */
export function UndoKey() {
  const own = textsOf(undoTexts);
  const [isKnown, setKnown] = useState(false);
  useEffect(
    () =>
      onOpen(() =>
        void tryRpc("getundolist", {}).then(() => setKnown(true), (fault) => {
          // A user who may not undo sees the key, too, which gives the reason.
          if (fault instanceof RequestError && typeof fault.code === "number") {
            setKnown(fault.code !== UNKNOWN_METHOD);
          }
        })
      ),
    [],
  );
  useEffect(() => {
    if (!isKnown) return;
    const press = (event: KeyboardEvent) => {
      if (event.key !== "z" || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
      if ((event.target as Element).matches(FIELDS)) return;
      if (openDialogs.peek() > 0 || locked.peek()) return;
      event.preventDefault();
      const reason = forbids("operate");
      if (reason === undefined) isAsked.value = true;
      else noticeBarred(reason);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isKnown]);
  if (!isKnown) return null;
  return (
    <Button
      label={own.undo}
      icon="undo"
      isBare
      hint={own.hint}
      needs="operate"
      onPress={() => isAsked.value = true}
    />
  );
}

/** The dialog, while it is open. */
export function Undo() {
  return isAsked.value ? <UndoDialog onClose={() => isAsked.value = false} /> : null;
}
