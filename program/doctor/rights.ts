import { reasonOf } from "../../core/errors.ts";
import { type Check, type Finding, note, well, wrong } from "./check.ts";

/** Bits of the mode of a file: the permissions of everybody, and those of others than the owner. */
const EVERYBODY = 0o777;
const OTHERS = 0o077;

/**
 * Checks whether only the owner has access to the data folder, may write to it, and owns all of its
 * files.
 */
export const rights: Check = async ({ data, source }): Promise<Finding> => {
  let mode: number | null;
  let uid: number | null;
  try {
    ({ mode, uid } = Deno.statSync(data));
  } catch {
    return note(`${data} cannot be looked at`);
  }
  try {
    const trial = await Deno.makeTempFile({ dir: data, prefix: "doctor-", suffix: ".new" });
    await Deno.remove(trial);
  } catch (fault) {
    return wrong(
      `${data} takes no files: ${reasonOf(fault)}`,
      "run faderd doctor as the user of the service, and give the folder to that user; or mount it for writing",
    );
  }
  const strange = [...Deno.readDirSync(data)].map(({ name }) => name)
    .find((name) => ownerOf(`${data}/${name}`) !== uid);
  if (strange !== undefined) {
    return wrong(
      `${data}/${strange} belongs to another user than the folder`,
      `chown -R --reference=${data} ${data}`,
    );
  }
  if (mode !== null && (mode & OTHERS) !== 0) {
    return wrong(
      `${data} is open to others on this machine (mode ${(mode & EVERYBODY).toString(8)})`,
      `chmod 700 ${data}`,
    );
  }
  const secret = source === undefined ? null : modeOf(source);
  if (secret !== null && (secret & 0o007) !== 0) {
    return note(`${source} can be read by anybody on this machine`, `chmod o= ${source}`);
  }
  return well(`${data} is for its owner alone, and takes files`);
};

function ownerOf(path: string): number | null {
  try {
    return Deno.lstatSync(path).uid;
  } catch {
    return null;
  }
}

function modeOf(path: string): number | null {
  try {
    return Deno.statSync(path).mode;
  } catch {
    return null;
  }
}
