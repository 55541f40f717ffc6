/**
 * Snapshot files (.sfp): one `snapshotdata` object as JSON (decisions.md, "REST actions"). The
 * common parts of the uploads and the downloads of the two types.
 *
 * @module
 */
import { isRefusal, refuse } from "../../core/errors.ts";
import { parseUtf8 } from "../../core/json.ts";
import { getSnapshot } from "../../core/snapshots/getsnapshot.ts";
import { findNumbered, uploadNumbered } from "../../core/snapshots/numbered.ts";
import { shown } from "../../core/shown.ts";
import { verifySnapshot } from "../../core/snapshots/setsnapshot.ts";
import { snapshotFileLimit, snapshotFileValues } from "../control-api/envelope.ts";
import { jsonOf } from "../json-answers.ts";
import { type Action, action } from "./action.ts";
import { namedFile, snapshotId } from "./action-parameters.ts";

type FiledType = 1 | 2;

/** The ending of the name of a snapshot file, and its media type. */
const ENDING = ".sfp";
const SNAPSHOT_MEDIA = "application/octet-stream";

/** Only a mixer snapshot has a number 0, the default one. */
const lowestNumber = (type: FiledType) => type === 2 ? 0 : 1;

/** Makes an action that stores a snapshot of a type from an uploaded file. */
export function uploadAction(name: string, type: FiledType, summary: string): Action {
  return action({
    name,
    summary,
    methods: ["POST"],
    parameters: {
      SnapshotID: snapshotId(lowestNumber(type)),
      file: namedFile("a snapshot file", [ENDING]),
    },
    deprecated: true,
    fileBytes: snapshotFileLimit,
    async run(console, { SnapshotID, file }, actor, { scheduler }) {
      const { name, bytes } = file;
      const most = snapshotFileLimit(console.state);
      if (bytes.length > most) {
        return refuse("limitReached", `expected at most ${most} bytes`, "snapshotdata");
      }
      const values = snapshotFileValues(console.state);
      const snapshotdata = parseUtf8(bytes, values);
      if (snapshotdata === undefined) {
        const sentence = `${shown(name)} is not JSON of at most ${values} values`;
        return refuse("invalidParameter", `expected a snapshot file; ${sentence}`, "snapshotdata");
      }
      const given = await scheduler.withMutex(
        actor.address,
        () => verifySnapshot(console.state, snapshotdata, scheduler),
      );
      if (isRefusal(given)) return given;
      return console.dispatch(uploadNumbered({ type, number: SnapshotID }, given), actor);
    },
  });
}

/** Makes an action that returns a snapshot of a type as a file. */
export function downloadAction(name: string, type: FiledType, summary: string): Action {
  return action({
    name,
    summary,
    reads: true,
    parameters: { SnapshotID: snapshotId(lowestNumber(type)) },
    media: SNAPSHOT_MEDIA,
    deprecated: true,
    async run({ state }, { SnapshotID }, actor, { scheduler, bodyOf }) {
      const found = findNumbered(state, { type, number: SnapshotID });
      if (isRefusal(found)) return found;
      const given = await scheduler.withMutex(
        actor.address,
        () => getSnapshot(state, found, actor),
      );
      if (isRefusal(given)) return given;
      const text = await jsonOf(given.snapshotdata, scheduler, actor.address);
      const headers = {
        "content-type": SNAPSHOT_MEDIA,
        "content-disposition": `attachment; filename="snapshot-${SnapshotID}${ENDING}"`,
        "cache-control": "no-store",
      };
      return { result: new Response(bodyOf(text, actor.address ?? ""), { headers }) };
    },
  });
}
