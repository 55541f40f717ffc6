/**
 * The page of the snapshots: they are saved, loaded and edited here.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { at, onOpen, tryRpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { groupsIn } from "../../parts/group-masks.ts";
import { Question } from "../../parts/question.tsx";
import { forbids, me } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { textsOf } from "../../texts/texts.ts";
import { CompareDialog } from "./compare.tsx";
import { EditDialog } from "./edit.tsx";
import { downloadSnapshot, uploadSnapshot } from "./file.ts";
import { LoadDialog } from "./load.tsx";
import {
  changeObstacle,
  createObstacle,
  DEFAULT_ID,
  type Listed,
  loadObstacle,
  type Obstacle,
  overwriteObstacle,
} from "./may.ts";
import { SaveDialog } from "./save.tsx";
import {
  readResources,
  type Resources,
  type Target,
  targetsOf,
  type TypeName,
  TYPES,
} from "./targets.ts";
import { useSnapshotList } from "./use-snapshot-list.ts";

/** The open dialog, and its snapshot. */
interface Open {
  readonly what: "load" | "save" | "compare" | "more" | "overwrite" | "edit" | "remove";
  readonly entry?: Listed;
}

/** The snapshots that the address of the page names. */
export interface SnapshotsProps {
  readonly parts: readonly string[];
}

/** The page: `#/snapshots/mixer/0`, `#/snapshots/channel`, `#/snapshots/processing`. */
export function Snapshots({ parts: [given, mixerGiven] }: SnapshotsProps) {
  const own = textsOf(snapshotsTexts);
  const type: TypeName = given !== undefined && Object.hasOwn(TYPES, given)
    ? given as TypeName
    : "mixer";
  const [audio, setAudio] = useState<Resources>();
  const [open, setOpen] = useState<Open>();
  const [said, setSaid] = useState("");

  const targets = audio && targetsOf(type, audio);
  const mixers = audio === undefined ? [] : targetsOf("mixer", audio);
  // Without a number in the address it is the first mixer, which need not have the number 0.
  const isMixerKnown = mixerGiven !== undefined || audio !== undefined;
  const mixer = Number(mixerGiven ?? mixers[0]?.params.mixer) || 0;

  const [list, ask] = useSnapshotList(type, isMixerKnown ? mixer : undefined);
  useEffect(() => setSaid(""), [type, mixer]);
  useEffect(() => onOpen(() => void readResources().then((given) => given && setAudio(given))), []);

  const close = (done?: string) => {
    setOpen(undefined);
    if (done === undefined) return;
    setSaid(done);
    ask();
  };
  const reasonOf = (obstacle: Obstacle | undefined) =>
    forbids("operate") ?? (obstacle && own.obstacles[obstacle]);
  const saveReason = reasonOf(me.value && createObstacle(me.value));
  return (
    <div class="snapshots form">
      <div class="toolbar">
        <Choice
          label={own.type}
          items={Object.keys(TYPES) as TypeName[]}
          chosen={type}
          textOf={(item) => own.types[item]}
          onChoose={(item) => location.hash = addressOf("snapshots", item)}
        />
        {type === "mixer" && mixers.length > 1 && (
          <Choice
            label={own.mixer}
            items={mixers.map(({ params }) => String(params.mixer))}
            chosen={String(mixer)}
            textOf={(item) => mixers.find(({ params }) => String(params.mixer) === item)!.name}
            onChoose={(item) => location.hash = addressOf("snapshots", "mixer", item)}
          />
        )}
        <span class="space" />
        <Button
          label={own.compare}
          reason={list?.length && targets?.length ? undefined : own.none}
          onPress={() => setOpen({ what: "compare" })}
        />
        <FileButton
          label={own.upload}
          icon="upload"
          accept=".sfp,application/json"
          reason={saveReason}
          onChoose={async (file) => await uploadSnapshot(file, mixer) && ask()}
        />
        <Button
          label={own.saveAs}
          icon="plus"
          kind="primary"
          reason={saveReason ?? (targets?.length === 0 ? own.noTarget : undefined)}
          onPress={() => setOpen({ what: "save" })}
        />
      </div>
      <p role="status">{said}</p>
      {list?.length === 0 && <p class="muted">{own.none}</p>}
      <ul class="list">
        {list?.map((entry) => (
          <Row
            key={entry.id}
            entry={entry}
            lastPath={type === "mixer" ? `/audio/mixers/${mixer}/_lastloadedsnapid` : undefined}
            reason={reasonOf(me.value && loadObstacle(entry, me.value))}
            onLoad={() => setOpen({ what: "load", entry })}
            onMore={() => setOpen({ what: "more", entry })}
          />
        ))}
      </ul>
      {/* A press before the user and the targets are known opens its dialog once they are. */}
      {open !== undefined && targets !== undefined && me.value !== undefined && (
        <Opened {...{ open, type, mixer, targets, close, setOpen, reasonOf }} list={list ?? []} />
      )}
    </div>
  );
}

interface RowProps {
  readonly entry: Listed;
  /** The path of the id of the snapshot that was loaded last. */
  readonly lastPath: string | undefined;
  readonly reason: string | undefined;
  readonly onLoad: () => void;
  readonly onMore: () => void;
}

function Row({ entry, lastPath, reason, onLoad, onMore }: RowProps) {
  const own = textsOf(snapshotsTexts);
  const { id, name, factory, readgroups } = entry;
  const isDefault = id === DEFAULT_ID;
  return (
    <li class="line">
      <span class="snapshot-name toolbar">
        <bdi>{name}</bdi>
        {lastPath !== undefined && <Last path={lastPath} id={id} />}
        {isDefault && <small>{own.defaultHint}</small>}
        {factory && !isDefault && <span class="badge">{own.isFactory}</span>}
        {readgroups !== 0 && (
          <span class="badge">{own.forGroups(groupsIn(readgroups).join(", "))}</span>
        )}
      </span>
      <Button label={own.load} reason={reason} onPress={onLoad}>
        <span class="hidden">{name}</span>
      </Button>
      <Button label={own.moreOf(name)} icon="settings" isBare onPress={onMore} />
    </li>
  );
}

function Last({ path, id }: { readonly path: string; readonly id: string }) {
  const last = at(path as string).value;
  return last === id ? <span class="badge last">{textsOf(snapshotsTexts).last}</span> : null;
}

interface OpenedProps {
  readonly open: Open;
  readonly type: TypeName;
  readonly mixer: number;
  readonly targets: readonly Target[];
  readonly list: readonly Listed[];
  readonly close: (done?: string) => void;
  readonly setOpen: (open: Open) => void;
  readonly reasonOf: (obstacle: Obstacle | undefined) => string | undefined;
}

function Opened(props: OpenedProps) {
  const { open, type, mixer, targets, list, close, setOpen, reasonOf } = props;
  const own = textsOf(snapshotsTexts);
  const { what, entry } = open;
  const common = { type, mixer, targets };
  if (what === "compare") {
    const { value: user } = me;
    const loadable = list.filter((one) => loadObstacle(one, user!) === undefined);
    return <CompareDialog {...common} list={loadable} onClose={() => close()} />;
  }
  if (entry === undefined) return <SaveDialog {...common} over={undefined} onClose={close} />;
  const who = me.value!;
  if (what === "load") {
    const { id, name } = entry;
    return <LoadDialog {...common} id={id} name={name} onClose={close} />;
  }
  if (what === "overwrite") return <SaveDialog {...common} over={entry} onClose={close} />;
  if (what === "edit") return <EditDialog entry={entry} onClose={close} />;
  if (what === "remove") {
    return (
      <Question
        title={own.removeTitle(entry.name)}
        sentence={own.removeHint}
        label={own.remove}
        onYes={() =>
          tryRpc("removesnapshot", { id: entry.id }).then(() => close(own.removed(entry.name)))}
        onClose={() => close()}
      />
    );
  }
  const changing = reasonOf(changeObstacle(entry, who));
  return (
    <Dialog title={entry.name} onClose={() => close()}>
      <div class="form">
        <Button
          label={own.overwrite}
          icon="check"
          reason={reasonOf(overwriteObstacle(entry, who))}
          onPress={() => setOpen({ what: "overwrite", entry })}
        />
        <Button
          label={own.edit}
          icon="edit"
          reason={changing}
          onPress={() => setOpen({ what: "edit", entry })}
        />
        <Button
          label={own.download}
          icon="download"
          reason={loadObstacle(entry, who) && own.obstacles[loadObstacle(entry, who)!]}
          onPress={() => downloadSnapshot(entry.id, entry.name, mixer)}
        />
        <Button
          label={own.remove}
          icon="trash"
          kind="danger"
          reason={changing}
          onPress={() => setOpen({ what: "remove", entry })}
        />
      </div>
    </Dialog>
  );
}
