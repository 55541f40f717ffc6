import { mixerTexts } from "./mixer.ts";
import { textsOnce } from "./texts.ts";

/** Returns the texts of the mixer in the selected language, as `texts()` does. */
export const mixerWords = textsOnce(mixerTexts);
