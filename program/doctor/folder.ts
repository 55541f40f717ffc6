import { expectOwnData } from "../whose-data.ts";
import { reasonOf } from "../print.ts";
import { type Check, note, well, wrong } from "./check.ts";

/** Checks whether the data folder exists and belongs to this console. */
export const folder: Check = ({ data, configuration, isNamed, source, isInUse }) => {
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
    expectOwnData(data, configuration, isNamed || source !== undefined);
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
