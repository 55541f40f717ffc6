/** The preview of loading a snapshot equals the changes that the service then makes. */
import { assert, assertEquals } from "@std/assert";
import { differences } from "../../../../view/pages/snapshots/changes.ts";
import { number, type TextLeaf } from "../../../../core/tree/leaf.ts";
import { find } from "../../../../core/tree/tree.ts";
import { startService, tokens } from "../../../service.ts";

const dB = number(-160, { min: -160, max: 10, step: 0.1, unit: "dB" });
const whole = number(0, { step: 1 });
const text: TextLeaf = { type: "string", max: 128, default: "" };

Deno.test("the preview of a load is exactly what the load changes", async () => {
  await using service = await startService();
  const ask = async (method: string, params: object) =>
    (await service.rpc(method, params, tokens.admin)).payload.result;
  const read = async (path: string) => await (await fetch(`${service.url}/api/rest${path}`)).json();
  const set = (path: string, payload: object) =>
    fetch(`${service.url}/api/rest${path}`, {
      method: "POST",
      body: JSON.stringify({ method: "set", path, payload, token: tokens.admin }),
    }).then((answer) => answer.body?.cancel());
  const groups = { writegroups: 255, readgroups: 0 };
  await ask("savesnapshot", { type: 2, id: "", name: "Now", ...groups });
  const list = await ask("getsnapshotlist", { type: 2 });
  const { id } = list.at(-1);
  await set("/audio/mixers/0/faders/3", { fader: -12, on: true, sourceid: 5 });
  await set("/audio/mixers/0/faders/0/params/compressor", { threshold: -40 });
  const { snapshotdata } = await ask("getsnapshot", { id });
  const before = await read("/audio/mixers/0");
  const ranges = await read("/range/audio/mixers/0");
  const channels = before.sourcelist.map(({ _sourceid }: { _sourceid: number }) => _sourceid);
  const told = differences(before, ranges, snapshotdata.content, channels);
  assert(told.length >= 4, "the level, the key, the source, the threshold");
  await ask("loadsnapshot", { id });
  const after = await read("/audio/mixers/0");
  for (const { path, from, to } of told) {
    assertEquals(find(before, path), from, path.join("/"));
    assertEquals(find(after, path), to, path.join("/"));
  }
  assertEquals(differences(after, ranges, snapshotdata.content, channels), []);
});

Deno.test("the preview leaves out content that does not fit: a missing fader, a foreign channel with its label", () => {
  const fader = { fader: -10, sourceid: 4, label: "Phone" };
  const ranges = { faders: { 3: { fader: dB, sourceid: whole, label: text } } };
  const content = {
    faders: {
      3: { fader: 99, sourceid: 200, label: "Foreign" },
      4: { fader: 0 },
    },
  };
  const found = differences({ faders: { 3: fader } }, ranges, content, [4, 7]);
  assertEquals(found, [{ path: ["faders", "3", "fader"], from: -10, to: 10, leaf: dB }]);
});

Deno.test("the preview leaves out a foreign channel also of a forged snapshot of a channel that has faders", () => {
  const ranges = { sourceid: whole, label: text };
  const content = { sourceid: 200, label: "Foreign", faders: {} };
  assertEquals(differences({ sourceid: 4, label: "Phone" }, ranges, content, [4, 7]), []);
});
