/**
 * Snapshot files (.sfp): one `snapshotdata` object as JSON (decisions.md, "REST actions"). What the
 * uploads and the downloads of the two types share.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import { MESSAGE_DEPTH, SNAPSHOT_FILE_BYTES } from "../../core/limits.ts";
import { nestsDeeper } from "../../core/nesting.ts";
import { getSnapshot } from "../../core/snapshots/get.ts";
import { findNumbered, uploadNumbered } from "../../core/snapshots/numbered.ts";

import { type Action, action } from "./action.ts";
import { file, FORM_AROUND_FILE_BYTES, snapshotId } from "./parameters.ts";

type FiledType = 1 | 2;

/** Only a mixer snapshot has a number 0, the default one. */
const lowestNumber = (type: FiledType) => type === 2 ? 0 : 1;

/** An action that takes a snapshot of a type from a file. */
export function uploadAction(name: string, type: FiledType, summary: string): Action {
  return action({
    name,
    summary,
    methods: ["POST"],
    parameters: { SnapshotID: snapshotId(lowestNumber(type)), file },
    token: "optional",
    deprecated: true,
    bodyBytes: SNAPSHOT_FILE_BYTES + FORM_AROUND_FILE_BYTES,
    names: { snapshotdata: "file" },
    run(console, { SnapshotID, file }, actor) {
      if (file.bytes.length > SNAPSHOT_FILE_BYTES) {
        return refuse("limitReached", `expected at most ${SNAPSHOT_FILE_BYTES} bytes`, "file");
      }
      const data = parseFile(file.bytes);
      if (data === undefined) {
        return refuse("invalidParameter", "expected a snapshot file (.sfp)", "file");
      }
      return console.dispatch(uploadNumbered({ type, number: SnapshotID }, data), actor);
    },
  });
}

/** An action that gives a snapshot of a type as a file. */
export function downloadAction(name: string, type: FiledType, summary: string): Action {
  return action({
    name,
    summary,
    methods: ["GET", "POST"],
    parameters: { SnapshotID: snapshotId(lowestNumber(type)) },
    token: "optional",
    deprecated: true,
    run({ state }, { SnapshotID }, actor) {
      const found = findNumbered(state, { type, number: SnapshotID });
      if (isRefusal(found)) return found;
      const given = getSnapshot(state, found, actor);
      if (isRefusal(given)) return given;
      const headers = {
        "content-type": "application/octet-stream",
        "content-disposition": `attachment; filename="snapshot-${SnapshotID}.sfp"`,
        "cache-control": "no-store",
      };
      return { result: new Response(JSON.stringify(given.snapshotdata), { headers }) };
    },
  });
}

function parseFile(bytes: Uint8Array): unknown {
  try {
    const data: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return nestsDeeper(data, MESSAGE_DEPTH) ? undefined : data;
  } catch {
    return undefined;
  }
}
