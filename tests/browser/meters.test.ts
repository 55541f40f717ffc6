/** Meters in the view, many at a time: `deno task bench view-meters` in short. */
import { assert } from "@std/assert";
import { drawing } from "../../bench/drawing.ts";
import { browserTest } from "./browser.ts";

const FADERS = 64;

/** Of the frames that the same browser draws of an empty page at the same time, so many. */
const LEAST_SHARE = 0.5;

/** In so short a time a page still grows a little, more so on a busy machine. */
const MOST_GROWN = 1.1;

browserTest(
  "64 moving stereo meters are drawn on and on, and the page holds no more than before",
  async (desk) => {
    const browser = (await desk.open("#/lists")).context().browser()!;
    const time = { canvases: 0, warmUp: 8000, length: 8000 };
    const blank = { ...time, url: "about:blank" };
    const meters = { ...time, url: desk.service.url, canvases: FADERS };
    const [{ frames: most }, { frames, before, after }] = await Promise.all([
      drawing(browser, blank),
      drawing(browser, meters),
    ]);
    assert(frames >= most * LEAST_SHARE, `${frames} frames a second, ${most} of an empty page`);
    assert(after <= before * MOST_GROWN, `${before} bytes before, ${after} after`);
  },
  { configuration: { mixers: [{ faders: FADERS }], engine: "simulated" } },
);
