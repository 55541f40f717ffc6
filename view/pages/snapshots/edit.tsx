/**
 * Giving a snapshot another name and other groups.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { rpc } from "../../state/live.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Ends } from "../../parts/ends.tsx";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { textsOf } from "../../texts/texts.ts";
import { DescriptionFields } from "./description.tsx";
import { changesOf, type Description } from "./edited.ts";
import type { Listed } from "./may.ts";

/** The snapshot to change. */
export interface EditProps {
  readonly entry: Listed;
  /** Called when it is closed, with a sentence that says what was done. */
  readonly onClose: (done?: string) => void;
}

/** Asks for another name and other groups. */
export function EditDialog({ entry, onClose }: EditProps) {
  const own = textsOf(snapshotsTexts);
  const { id, name, writegroups, readgroups } = entry;
  const [given, setGiven] = useState<Description>({ name, writegroups, readgroups });
  const change = async (event: Event) => {
    event.preventDefault();
    if (await rpc("modifysnapshot", { id, ...changesOf(entry, given) }) !== undefined) {
      onClose(own.changed(name, given.name));
    }
  };
  return (
    <Dialog title={own.editTitle(name)} onClose={() => onClose()}>
      <form class="form" onSubmit={change}>
        <DescriptionFields given={given} isNameNeeded onChange={setGiven} />
        <Ends onCancel={onClose}>
          <button type="submit" class="button primary">{own.change}</button>
        </Ends>
      </form>
    </Dialog>
  );
}
