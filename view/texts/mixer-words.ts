import { mixerTexts } from "./mixer.ts";
import { textsOnce } from "./texts.ts";

/** Returns the texts of the mixer, as `texts()` does those around every page. */
export const mixerWords = textsOnce(mixerTexts);
