/** The estimate of the bytes of a checkpoint, so that space is left for it. */
import { assert, assertEquals } from "@std/assert";
import { checkpointBytes } from "../../core/checkpoint-bytes.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { checkpointRecords } from "../../core/record.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import { setViewDocument } from "../../core/view-documents/setviewdocument.ts";
import { storedBytes } from "../../storage/records.ts";
import { testConsole, unlimitedWith } from "../service.ts";
import { actor, resultOf } from "./actors.ts";

const faders = 100;
const save = { type: 2, id: "", mixer: 0, readgroups: 0, writegroups: 1 } as const;

for (
  const [what, label] of [["ASCII", "Anna"], ["Greek", "Άννα"], ["Chinese", "安娜"], [
    "emoji",
    "🎤🎹",
  ]]
) {
  Deno.test(`the estimate of a checkpoint with ${what} labels is at least its bytes, and under twice that`, async () => {
    const console = await testConsole({ configuration: unlimitedWith({ mixers: [{ faders }] }) });
    const admin = actor(console, "admin");
    for (let fader = 1; fader <= faders; fader++) {
      await resultOf(console, setChannelLabel(fader, label!.repeat(30)), admin);
    }
    for (let name = 0; name < 4; name++) {
      await resultOf(console, saveSnapshot({ ...save, name: label! }), admin);
    }
    const taken = storedBytes(...checkpointRecords(console.state));
    const held = checkpointBytes(console.state);
    assert(held >= taken && held < 2 * taken, `${held} bytes for ${taken}`);
  });
}

Deno.test("the estimate of a checkpoint is a whole number of bytes, also with a view document of an odd length", async () => {
  const console = await testConsole();
  for (const document of [{ pages: [1] }, { pages: [10] }]) {
    const command = setViewDocument({ name: "pages", document });
    await resultOf(console, command, actor(console, "admin"));
    const held = checkpointBytes(console.state);
    assertEquals(held, Math.round(held));
    assert(held >= storedBytes(...checkpointRecords(console.state)));
  }
});
