import { unknownPaths } from "../../core/configuration/unknown.ts";
import { type Check, note, well, wrong } from "./check.ts";

/**
 * Checks whether the log of a stopped service is whole; a running service reports it in its health.
 */
export const log: Check = ({ data, stored, unstored, isInUse }) => {
  if (stored === undefined) {
    if (unstored !== undefined) return wrong(unstored, "see faderd log verify --help");
    return isInUse ? well("the service that uses it has it") : note("there is none yet");
  }
  const { log: { recovery: { damage, records, bytes, cut, quarantined } }, state, unread } = stored;
  if (damage !== undefined) {
    const { file, offset, reason } = damage;
    return wrong(
      `${data}/${file} is damaged at offset ${offset}: ${reason}`,
      "copy the folder, then see faderd log repair --help",
    );
  }
  if (unread > 0) {
    return wrong(
      `${unread} records cannot be read by this version`,
      "run the version of faderd that wrote them; faderd log verify names them",
    );
  }
  if (quarantined !== undefined) {
    return note(`${data}/${quarantined.file} has no valid header`, "the next start quarantines it");
  }
  const says = `${records} records, ${bytes} bytes`;
  if (cut !== undefined) {
    return note(`${says}, and an unfinished write`, "the next start cuts it off");
  }
  const unknown = unknownPaths(state).length;
  return unknown === 0 ? well(says) : note(
    `${says}; the log has values of ${unknown} resources that the configuration lacks`,
    "faderd log drop-unknown removes their values for good",
  );
};
