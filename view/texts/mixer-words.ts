import { mixerTexts } from "./mixer.ts";
import { textsOnce } from "./texts.ts";

/** Returns the texts of the mixer, in the way of `texts()`. */
export const mixerWords = textsOnce(mixerTexts);
