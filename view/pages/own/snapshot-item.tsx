/**
 * The key of an own page that loads a snapshot.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { RequestError } from "../../../client/client.ts";
import { Button } from "../../parts/button.tsx";
import { at, rpc, tryRpc } from "../../state/live.ts";
import { usePolling } from "../../state/polled.ts";
import { forbids, me } from "../../state/rights.ts";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { LoadDialog } from "../snapshots/load.tsx";
import { DEFAULT_ID, type Listed, loadObstacle } from "../snapshots/may.ts";
import {
  readResources,
  type Target,
  targetsOf,
  type TypeName,
  TYPES,
} from "../snapshots/targets.ts";
import { faderText, nameAt } from "./item-text.ts";
import { Missing } from "./missing.tsx";
import type { SnapshotItemOf } from "./own-page.ts";

/** The type of snapshot that each kind of item loads. */
const TYPE_OF: Readonly<Record<SnapshotItemOf["kind"], TypeName>> = {
  snapshot: "mixer",
  channelsnapshot: "channel",
  processingsnapshot: "processing",
};

/** The lists that are being asked for, by type and mixer. */
const asked = new Map<string, Promise<readonly Listed[]>>();

/** Asks once for all keys of a page, which may be many, at the same time. */
function listOf(type: TypeName, mixer: number): Promise<readonly Listed[]> {
  const key = `${type}/${mixer}`;
  const list = asked.get(key) ?? tryRpc("getsnapshotlist", { type: TYPES[type], mixer })
    .finally(() => asked.delete(key));
  asked.set(key, list);
  return list;
}

/** Loads the snapshot, at once or after its changes were shown; lit if it was loaded last. */
export function SnapshotItem({ item }: { readonly item: SnapshotItemOf }) {
  const { id, asks } = item;
  const type = TYPE_OF[item.kind];
  const params = paramsOf(item);
  const { mixer = 0 } = params;
  const own = textsOf(snapshotsTexts);
  /** The snapshot; undefined until it is known, null if there is no such snapshot. */
  const [listed, setListed] = useState<Listed | null>();
  const [targets, setTargets] = useState<readonly Target[]>();
  // For a fader and a processing the console reports no id, and names are not unique.
  const isLast = item.kind === "snapshot" &&
    at(`/audio/mixers/${mixer}/_lastloadedsnapid`).value === id;
  const ask = async () => {
    try {
      const list = await listOf(type, mixer);
      setListed(list.find((one) => one.id === id) ?? null);
    } catch (fault) {
      // Without a connection the last answer stays.
      if (fault instanceof RequestError && typeof fault.code === "number") setListed(null);
    }
  };
  usePolling(ask, [type, mixer, id]);
  // The dialog must not open again by itself once the snapshot is back.
  useEffect(() => listed === null ? setTargets(undefined) : undefined, [listed === null]);
  if (listed === undefined) return <p class="own-missing muted">{texts().shell.loading}</p>;
  if (listed === null) return <Missing item={item} />;
  const name = id === DEFAULT_ID ? own.isDefault : listed.name;
  const target = targetText(item);
  const label = target === undefined ? name : `${name} → ${target}`;
  const obstacle = me.value && loadObstacle(listed, me.value);
  const press = async () => {
    if (asks) {
      const resources = await readResources();
      if (resources === undefined) return;
      setTargets(
        targetsOf(type, resources).filter((one) =>
          JSON.stringify(one.params) === JSON.stringify(params)
        ),
      );
    } else if (await rpc("loadsnapshot", { id, type: TYPES[type], ...params }) === undefined) ask();
  };
  return (
    <>
      <Button
        class="own-key own-snapshot"
        label={label}
        name={`${own.load} ${label}`}
        icon="snapshots"
        reason={forbids("operate") ?? (obstacle && own.obstacles[obstacle])}
        hint={isLast ? own.last : undefined}
        isOn={item.kind === "snapshot" ? isLast : undefined}
        onPress={press}
      />
      {targets !== undefined && (
        <LoadDialog
          type={type}
          id={id}
          name={name}
          mixer={mixer}
          targets={targets}
          onClose={() => setTargets(undefined)}
        />
      )}
    </>
  );
}

/** The parameters of the target, in the order in which `targetsOf` has them. */
function paramsOf(item: SnapshotItemOf): Target["params"] {
  if (item.kind === "processingsnapshot") return { fp: item.fp };
  const { mixer } = item;
  return item.kind === "snapshot" ? { mixer } : { mixer, fader: item.fader };
}

/** Names the target of a snapshot; a mixer snapshot has its mixer in its own name. */
function targetText(item: SnapshotItemOf): string | undefined {
  if (item.kind === "snapshot") return undefined;
  return item.kind === "channelsnapshot"
    ? faderText(item.mixer, item.fader)
    : nameAt(`/audio/flexprocessings/${item.fp}`, item.fp);
}
