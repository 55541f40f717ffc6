/**
 * The list of the snapshots of a type.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { RequestError } from "../../../client/client.ts";
import { tryRpc } from "../../state/live.ts";
import { usePolling } from "../../state/polled.ts";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { textsOf } from "../../texts/texts.ts";
import { DEFAULT_ID, type Listed } from "./may.ts";
import { type TypeName, TYPES } from "./targets.ts";

/**
 * Asks for the snapshots of a type at intervals, and when the returned function is called. The list
 * is undefined until it is answered, and while the mixer is unknown; it is empty for a mixer that
 * does not exist. The name of the default snapshot is in the language of the page.
 */
export function useSnapshotList(
  type: TypeName,
  mixer: number | undefined,
): readonly [list: readonly Listed[] | undefined, ask: () => void] {
  const [list, setList] = useState<readonly Listed[]>();
  const shown = `${type}/${mixer}`;
  // A late answer may concern snapshots that are no longer shown.
  const latest = useRef(shown);
  latest.current = shown;
  const ask = async () => {
    if (mixer === undefined) return;
    try {
      const entries = await tryRpc("getsnapshotlist", { type: TYPES[type], mixer });
      if (latest.current === shown) setList(entries);
    } catch (fault) {
      // The list stays while there is no connection.
      const isRefused = fault instanceof RequestError && typeof fault.code === "number";
      if (isRefused && latest.current === shown) setList([]);
    }
  };
  useEffect(() => setList(undefined), [shown]);
  usePolling(ask, [shown]);
  const { isDefault } = textsOf(snapshotsTexts);
  return [list?.map((one) => one.id === DEFAULT_ID ? { ...one, name: isDefault } : one), ask];
}
