/**
 * Saves a snapshot: a new one, or over an existing one.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import { rpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Ends } from "../../parts/ends.tsx";
import { me } from "../../state/rights.ts";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { textsOf } from "../../texts/texts.ts";
import { DescriptionFields } from "./description.tsx";
import type { Description } from "./edited.ts";
import { DEFAULT_ID, type Listed, overwriteObstacle } from "./may.ts";
import { TargetField } from "./target-field.tsx";
import { type Target, type TypeName, TYPES } from "./targets.ts";

/** The snapshot to save. */
export interface SaveProps {
  readonly type: TypeName;
  /** The snapshot that is overwritten; undefined for a new one. */
  readonly over: Listed | undefined;
  readonly mixer: number;
  readonly targets: readonly Target[];
  /** Called when it is closed, with a sentence that says what was done. */
  readonly onClose: (done?: string) => void;
}

/** Asks for the source and the name; and once more if a snapshot of that name exists. */
export function SaveDialog({ type, over, mixer, targets, onClose }: SaveProps) {
  const own = textsOf(snapshotsTexts);
  const [target, setTarget] = useState(
    targets.find(({ params }) => type === "mixer" && params.mixer === mixer) ?? targets[0],
  );
  const [given, setGiven] = useState<Description>({
    name: "",
    writegroups: me.value?.groups || 1,
    readgroups: 0,
  });
  const [found, setFound] = useState<Listed>();
  const isUnderWay = useRef(false);
  if (target === undefined) return null;
  const name = given.name.trim();
  // Another name may have been typed while the console looked for it.
  const same = found?.name === name ? found : undefined;
  const store = async (params: Description & { readonly id: string }) => {
    const all = { ...params, type: TYPES[type], ...target.params };
    if (await rpc("savesnapshot", all) === undefined) return;
    onClose(own.saved(over?.name ?? name));
  };
  /** The list of the overwritten snapshot, or the list that a new one comes into. */
  const list = () => {
    const ofMixer = over === undefined ? target.params.mixer ?? 0 : mixer;
    return rpc("getsnapshotlist", { type: TYPES[type], mixer: ofMixer });
  };
  /** An overwritten snapshot keeps its name, and the groups that it has by now. */
  const overwrite = async (before: Listed) => {
    const entries = await list();
    if (entries === undefined) return;
    const { id, writegroups, readgroups } = entries.find(({ id }) => id === before.id) ?? before;
    await store({ id, name: "", writegroups: writegroups || given.writegroups, readgroups });
  };
  const saveNew = () => store({ id: "", ...given, name });
  const save = async () => {
    if (over !== undefined) return await overwrite(over);
    // The name exists already: the button names the consequence, and is not the same key again.
    if (same !== undefined) return;
    const entries = await list();
    const found = entries?.find((entry) => entry.name === name);
    if (found !== undefined) setFound(found);
    else if (entries !== undefined) await saveNew();
  };
  /** Two taps are one: the second would make a second snapshot. */
  const once = async (act: () => Promise<void>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    await act();
    isUnderWay.current = false;
  };
  const choose = (chosen: Target) => {
    setFound(undefined);
    setTarget(chosen);
  };
  const obstacle = same && overwriteObstacle(same, me.value!);
  return (
    <Dialog
      title={over === undefined ? own.saveTitle : own.overwriteTitle(over.name)}
      onClose={() => onClose()}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          once(save);
        }}
      >
        {over?.id === DEFAULT_ID
          ? <p>{target.name}</p>
          : <TargetField targets={targets} target={target} label={own.from} onChoose={choose} />}
        {over === undefined
          ? <DescriptionFields given={given} isNameNeeded={false} onChange={setGiven} />
          : <p>{own.overwriteHint}</p>}
        {same !== undefined && (
          <p role="alert">
            {own.sameName(same.name)}{" "}
            {obstacle === undefined ? own.overwriteHint : own.obstacles[obstacle]}
          </p>
        )}
        {same === undefined
          ? (
            <Ends onCancel={onClose}>
              <button type="submit" class="button primary">
                {over === undefined ? own.save : own.overwrite}
              </button>
            </Ends>
          )
          : (
            <div class="toolbar ends">
              <Button label={own.keepBoth} onPress={() => once(saveNew)} />
              <Button
                label={own.overwrite}
                kind="danger"
                reason={obstacle && own.obstacles[obstacle]}
                onPress={() => once(() => overwrite(same))}
              />
            </div>
          )}
      </form>
    </Dialog>
  );
}
