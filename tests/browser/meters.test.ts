/** Meters in the view, many at a time: `deno task bench view-meters` in short. */
import { assert } from "@std/assert";
import { drawing } from "../../bench/drawing.ts";
import { browserTest } from "./browser.ts";

const FADERS = 64;

/** A machine that does other work, too, draws as many frames a second at least. */
const LEAST_FRAMES = 10;

/**
 * In so short a time a page still grows a little, more so on a busy machine. One small object that
 * stays for each meter and frame would be more.
 */
const MOST_GROWN = 1.25;

browserTest(
  "64 moving stereo meters are drawn on and on, and the page holds no more than before",
  async (desk) => {
    const page = await desk.open();
    const { frames, before, after } = await drawing(page.context().browser()!, {
      url: desk.service.url,
      canvases: FADERS,
      warmUp: 3000,
      length: 8000,
    });
    assert(frames >= LEAST_FRAMES, `${frames} frames a second`);
    assert(after <= before * MOST_GROWN, `${before} bytes before, ${after} after`);
  },
  { configuration: { mixers: [{ faders: FADERS }], engine: "simulated" } },
);
