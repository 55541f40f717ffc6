/**
 * Saving a snapshot: a new one, or over one that is there.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { SNAPSHOT_NAME_LENGTH } from "../../../core/limits.ts";
import { rpc } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { me } from "../../rights.ts";
import { texts } from "../../texts/texts.ts";
import { Groups } from "./groups.tsx";
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
  const [name, setName] = useState("");
  const [writegroups, setWritegroups] = useState(over?.writegroups || me.value?.groups || 1);
  const [readgroups, setReadgroups] = useState(over?.readgroups ?? 0);
  if (target === undefined) return null;
  const save = async (event: Event) => {
    event.preventDefault();
    const params = { id: over?.id ?? "", type: TYPES[type], name, writegroups, readgroups };
    if (await rpc("savesnapshot", { ...params, ...target.params }) !== undefined) onClose(true);
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
        {over === undefined && (
          <>
            <label class="field">
              <span>{own.name}</span>
              <input
                value={name}
                maxLength={SNAPSHOT_NAME_LENGTH.max}
                placeholder={own.nameHint}
                autofocus
                onInput={({ currentTarget: { value } }) => setName(value)}
              />
            </label>
            <GroupFields
              writegroups={writegroups}
              readgroups={readgroups}
              onWrite={setWritegroups}
              onRead={setReadgroups}
            />
          </>
        )}
        {over !== undefined && <p>{own.overwriteHint}</p>}
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

interface GroupFieldsProps {
  readonly writegroups: number;
  readonly readgroups: number;
  readonly onWrite: (mask: number) => void;
  readonly onRead: (mask: number) => void;
}

function GroupFields({ writegroups, readgroups, onWrite, onRead }: GroupFieldsProps) {
  const own = texts().snapshots;
  return (
    <details class="snapshot-who">
      <summary>{own.who}</summary>
      <div class="form">
        <Groups
          label={own.writegroups}
          hint={own.writeHint}
          mask={writegroups}
          onChange={(mask) => mask !== 0 && onWrite(mask)}
        />
        <Groups
          label={own.readgroups}
          hint={readgroups === 0 ? own.readAll : own.readHint}
          mask={readgroups}
          onChange={onRead}
        />
      </div>
    </details>
  );
}

/** What is to be changed. */
export interface EditProps {
  readonly entry: Listed;
  /** Is called when it is closed, and whether something was changed. */
  readonly onClose: (isChanged: boolean) => void;
}

/** Asks for another name and other groups. */
export function EditDialog({ entry, onClose }: EditProps) {
  const own = texts().snapshots;
  const [name, setName] = useState(entry.name);
  const [writegroups, setWritegroups] = useState(entry.writegroups);
  const [readgroups, setReadgroups] = useState(entry.readgroups);
  const change = async (event: Event) => {
    event.preventDefault();
    const params = { id: entry.id, name, writegroups, readgroups };
    if (await rpc("modifysnapshot", params) !== undefined) onClose(true);
  };
  return (
    <Dialog title={own.editTitle(entry.name)} onClose={() => onClose(false)}>
      <form class="form" onSubmit={change}>
        <label class="field">
          <span>{own.name}</span>
          <input
            value={name}
            required
            minLength={SNAPSHOT_NAME_LENGTH.min}
            maxLength={SNAPSHOT_NAME_LENGTH.max}
            autofocus
            onInput={({ currentTarget: { value } }) => setName(value)}
          />
        </label>
        <GroupFields
          writegroups={writegroups}
          readgroups={readgroups}
          onWrite={setWritegroups}
          onRead={setReadgroups}
        />
        <div class="toolbar">
          <span class="space" />
          <Button label={own.cancel} onPress={() => onClose(false)} />
          <button type="submit" class="button primary">{own.change}</button>
        </div>
      </form>
    </Dialog>
  );
}
