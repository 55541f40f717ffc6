/**
 * Saving a snapshot: a new one, or over one that is there.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { rpc } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { me } from "../../rights.ts";
import { texts } from "../../texts/texts.ts";
import { type Description, DescriptionFields } from "./description.tsx";
import type { Listed } from "./may.ts";
import { TargetField } from "./target-field.tsx";
import { type Target, type TypeName, TYPES } from "./targets.ts";

/** What is to be saved. */
export interface SaveProps {
  readonly type: TypeName;
  /** What is saved over; undefined for a new one. */
  readonly over: Listed | undefined;
  readonly mixer: number;
  readonly targets: readonly Target[];
  /** Is called when it is closed, and whether something was saved. */
  readonly onClose: (isSaved: boolean) => void;
}

/** Asks what to save, and as what. */
export function SaveDialog({ type, over, mixer, targets, onClose }: SaveProps) {
  const own = texts().snapshots;
  const [target, setTarget] = useState(
    targets.find(({ params }) => type === "mixer" && params.mixer === mixer) ?? targets[0],
  );
  const [given, setGiven] = useState<Description>({
    name: "",
    writegroups: over?.writegroups || me.value?.groups || 1,
    readgroups: over?.readgroups ?? 0,
  });
  if (target === undefined) return null;
  const save = async (event: Event) => {
    event.preventDefault();
    const params = { id: over?.id ?? "", type: TYPES[type], ...given, ...target.params };
    if (await rpc("savesnapshot", params) !== undefined) onClose(true);
  };
  return (
    <Dialog
      title={over === undefined ? own.saveTitle : own.overwriteTitle(over.name)}
      onClose={() => onClose(false)}
    >
      <form class="form" onSubmit={save}>
        {over?.id === "default"
          ? <p>{target.name}</p>
          : <TargetField targets={targets} target={target} label={own.from} onChoose={setTarget} />}
        {over === undefined
          ? <DescriptionFields given={given} isNameNeeded={false} onChange={setGiven} />
          : <p>{own.overwriteHint}</p>}
        <div class="toolbar">
          <span class="space" />
          <Button label={own.cancel} onPress={() => onClose(false)} />
          <button type="submit" class="button primary">
            {over === undefined ? own.save : own.overwrite}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
