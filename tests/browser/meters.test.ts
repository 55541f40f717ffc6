/** Meters in the view, many at a time: `deno task bench view-meters` in short. */
import { assert } from "@std/assert";
import { drawing } from "../../bench/drawing.ts";
import { browserTest } from "./browser.ts";

const FADERS = 64;

/** A machine that does other work, too, draws as many frames a second at least. */
const LEAST_FRAMES = 10;

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
    assert(after <= before * 1.1, `${before} bytes before, ${after} after`);
  },
  { configuration: { mixers: [{ faders: FADERS }], engine: "simulated" } },
);
