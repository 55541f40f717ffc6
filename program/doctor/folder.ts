import { reasonOf } from "../../core/errors.ts";
import { expectOwnData } from "../../runtimes/whose-data.ts";
import { NAME_IT } from "../configuration-file.ts";
import { folderTexts } from "../private-file.ts";
import { type Check, note, well, wrong } from "./check.ts";

/** Checks whether the data folder exists and belongs to this console. */
export const folder: Check = async ({ data, configuration, isNamed, source, isInUse }) => {
  try {
    if (!Deno.statSync(data).isDirectory) {
      return wrong(`${data} is not a folder`, "name the data folder with --data");
    }
  } catch (fault) {
    if (!(fault instanceof Deno.errors.NotFound)) {
      return wrong(
        `${data} cannot be looked at: ${reasonOf(fault)}`,
        "run faderd doctor as its owner, or as root",
      );
    }
    return note(`${data} is not there`, "the first start makes it; else name it with --data");
  }
  try {
    if (!isNamed && source === undefined) {
      await expectOwnData(folderTexts(data), configuration, NAME_IT);
    }
  } catch (fault) {
    return wrong(reasonOf(fault), "name the configuration of that console with --config");
  }
  const kept = [...Deno.readDirSync(data)].map(({ name }) => name)
    .filter((name) => /\.damaged(-\d+)?$/.test(name));
  if (kept.length > 0) {
    return note(
      `${data} keeps ${kept.sort().join(", ")} of an unfinished write or a repair`,
      "nothing reads them: look at them, and remove them",
    );
  }
  return well(`${data} is there${isInUse ? ", and a service uses it" : ""}`);
};
