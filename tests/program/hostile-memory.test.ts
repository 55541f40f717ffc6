import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { entriesOf, gzip, tarOf } from "../core/backup/archives.ts";
import { MANIFEST } from "../../core/backup/manifest.ts";
import { memoryOf, startFaderd, temporaryFolder } from "./faderd.ts";
import { adminOf, restoreTo } from "./restores.ts";

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;
/** How much more than idle a service may take, whatever archive comes. */
const OVER_IDLE = 64 * MiB;

/** A gzip of a beginning and then so many zeros. */
function bomb(beginning: Uint8Array<ArrayBuffer>, zeros: number) {
  const piece = new Uint8Array(4 * MiB);
  let left = zeros;
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(beginning),
    pull(controller) {
      if (left <= 0) return controller.close();
      controller.enqueue(piece.subarray(0, left));
      left -= piece.length;
    },
  });
  return new Response(stream.pipeThrough(new CompressionStream("gzip"))).arrayBuffer()
    .then((bytes) => new Uint8Array(bytes));
}

const withoutEnd = (tar: Uint8Array<ArrayBuffer>) => tar.slice(0, -1024);
const ID = "0f0c0002-0000-4000-8000-00000000000a";
const [manifest] = entriesOf([], ["NETWORK", "MXSNAPS"]);
const manySnapshots = Array.from({ length: 100_000 }, (_, at) => ({
  name: `mxsnaps/00000000-0000-4000-8000-${String(at).padStart(12, "0")}.sfp`,
}));

const archives: Readonly<Record<string, () => Promise<Uint8Array<ArrayBuffer>>>> = {
  "1 GiB of zeros": () => bomb(new Uint8Array(), GiB),
  "1 GiB of zeros after a whole archive": () =>
    bomb(tarOf(entriesOf([{ name: "network.json", content: "{}" }], ["NETWORK", "MXSNAPS"])), GiB),
  "1 GiB of zeros in a file": () =>
    bomb(withoutEnd(tarOf([manifest!, { name: "network.json", size: GiB }])), GiB),
  "zeros in a snapshot of 8 MiB": () =>
    bomb(withoutEnd(tarOf([manifest!, { name: `mxsnaps/${ID}.sfp`, size: 8 * MiB }])), 8 * MiB),
  "1 GiB of zeros in the manifest": () =>
    bomb(withoutEnd(tarOf([{ name: MANIFEST, size: 64 * 1024 }])), GiB),
  "100,000 empty entries": () => gzip(tarOf([manifest!, ...manySnapshots])),
  "100,000 entries of one byte": () =>
    gzip(tarOf([manifest!, ...manySnapshots.map((one) => ({ ...one, content: "x" }))])),
  "a snapshot of 8 MiB of empty lists": () => {
    const content = `{"number":1,"snapshotdata":[${"[],".repeat(2_700_000)}[]]}`;
    return gzip(tarOf(entriesOf([{ name: `mxsnaps/${ID}.sfp`, content }], ["NETWORK", "MXSNAPS"])));
  },
  "a snapshot of as many values as there may be": () => {
    const content = `{"number":1,"snapshotdata":[${"{},".repeat(249_000)}{}]}`;
    return gzip(tarOf(entriesOf([{ name: `mxsnaps/${ID}.sfp`, content }], ["NETWORK", "MXSNAPS"])));
  },
  "a long name of 8 MiB": () =>
    gzip(tarOf([manifest!, { name: "x", type: "L", content: "a".repeat(8 * MiB) }, manifest!])),
};

Deno.test("whatever archive comes, memory stays under 64 MiB over idle, and nothing is changed", async (t) => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/config.json`;
  await Deno.writeTextFile(config, '{"mixers":[{"faders":2}],"limits":{"rest":{"burst":0}}}');
  for (const [what, make] of Object.entries(archives)) {
    await t.step(what, async () => {
      const archive = await make();
      await using service = await startFaderd(
        "--data",
        `${folder.path}/${what}`,
        "--config",
        config,
      );
      const token = adminOf(service);
      const idle = (await memoryOf(service.pid)).peak;
      for (const tags of [["NETWORK"], ["MXSNAPS"]] as const) {
        const { Error } = await restoreTo(service, archive, tags, token);
        assertStringIncludes(String(Error), "file: ");
      }
      const over = (await memoryOf(service.pid)).peak - idle;
      assert(over < OVER_IDLE, `${Math.round(over / MiB)} MiB over idle`);
      const list = await fetch(`${service.url}/api/rest/general/_api_version`);
      assertEquals(await list.json(), "1.0.0");
    });
  }
});
