/**
 * Loads a snapshot, after a list of its changes.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Ranges } from "../../../core/tree/leaf.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { at, onOpen, read, rpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DifferenceLines } from "../../parts/difference-lines.tsx";
import { Ends } from "../../parts/ends.tsx";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { differences } from "./changes.ts";
import { TargetField } from "./target-field.tsx";
import { type Target, type TypeName, TYPES } from "./targets.ts";
import { useSnapshot } from "./use-snapshot.ts";

/** The snapshot to load. */
export interface LoadProps {
  readonly type: TypeName;
  readonly id: string;
  readonly name: string;
  /** The mixer under which it is listed. */
  readonly mixer: number;
  readonly targets: readonly Target[];
  /** Called when it is closed, with a sentence that says what was done. */
  readonly onClose: (done?: string) => void;
}

/** Asks for the target, lists the changes there, and loads. */
export function LoadDialog({ type, id, name, mixer, targets, onClose }: LoadProps) {
  const own = textsOf(snapshotsTexts);
  const [target, setTarget] = useState(
    targets.find(({ params }) => type === "mixer" && params.mixer === mixer) ?? targets[0],
  );
  const { content, refusal } = useSnapshot(id, mixer) ?? {};
  if (target === undefined) return null;
  // A default snapshot belongs to the mixer to which it is loaded: the service knows no other.
  const isDefault = id === "default";
  const load = async () => {
    const params = { id, type: TYPES[type], ...target.params };
    if (await rpc("loadsnapshot", params) === undefined) return;
    onClose(own.loaded(name, target.name));
  };
  return (
    <Dialog title={own.loadTitle(name)} onClose={() => onClose()}>
      {isDefault
        ? <p>{target.name}</p>
        : <TargetField targets={targets} target={target} label={own.to} onChoose={setTarget} />}
      {refusal === undefined
        ? <Changes target={target} content={content} />
        : <p role="alert" class="refusal">{refusal}</p>}
      <Ends onCancel={onClose}>
        <Button label={own.load} kind="primary" needs="operate" reason={refusal} onPress={load} />
      </Ends>
    </Dialog>
  );
}

interface ChangesProps {
  readonly target: Target;
  readonly content: Branch | undefined;
}

/** The lines; they are live, because the console may change while one reads. */
function Changes({ target, content }: ChangesProps) {
  const text = texts();
  const own = textsOf(snapshotsTexts);
  const node = at(target.path as string).value as Branch | undefined;
  const [ranges, setRanges] = useState<{ readonly path: string; readonly ranges: Ranges }>();
  useEffect(() => {
    const { path } = target;
    // Repeated after a loss of the connection: the request may not have arrived.
    return onOpen(async () => {
      const ranges = await read(`/range${path}` as string);
      if (ranges !== undefined) setRanges({ path, ranges: ranges as Ranges });
    });
  }, [target.path]);
  if (node === undefined || content === undefined || ranges?.path !== target.path) {
    return <p class="muted">{text.shell.loading}</p>;
  }
  const found = differences(node, ranges.ranges, content, target.channels);
  if (found.length === 0) return <p>{own.noChange}</p>;
  return <DifferenceLines found={found} names={target.names} />;
}
