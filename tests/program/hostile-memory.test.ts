import { concat } from "@std/bytes/concat";
import { constants, deflateRawSync } from "node:zlib";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { MANIFEST } from "../../core/backup/manifest.ts";
import type { Tag } from "../../core/backup/tags.ts";
import { entriesOf, gzip, tarOf } from "../core/backup/archives.ts";
import { memoryOf, startFaderd, temporaryFolder } from "./faderd.ts";
import { adminOf, restoreTo } from "./restores.ts";

const MiB = 1024 * 1024;
/** Maximum memory over idle that a service may take for an archive, in bytes. */
const OVER_IDLE = 64 * MiB;

const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);

/** Compressed bytes without the end of the gzip stream. */
function packed(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH });
}

/** A gzip of a beginning and 1 GiB of zeros, without its end. */
function bomb(beginning: Uint8Array) {
  const zeros: Uint8Array[] = Array(256).fill(packed(new Uint8Array(4 * MiB)));
  return concat([GZIP_HEADER, packed(beginning), ...zeros]);
}

const withoutEnd = (tar: Uint8Array<ArrayBuffer>) => tar.slice(0, -1024);
const TAGS: readonly Tag[] = ["NETWORK", "MXSNAPS"];
const ID = "0f0c0002-0000-4000-8000-00000000000a";
const [manifest] = entriesOf([], TAGS);
const network = { name: "network.json", content: "{}" };
const manySnapshots = Array.from({ length: 100_000 }, (_, at) => ({
  name: `mxsnaps/00000000-0000-4000-8000-${String(at).padStart(12, "0")}.sfp`,
}));

type Archive = Uint8Array<ArrayBuffer>;

/** Files of more than 256 MiB together, none of which is too large. */
const TOO_MUCH = "33 files of 8 MiB";

/** A backup whose one snapshot has this content. */
function snapshotOf(snapshotdata: string): Promise<Archive> {
  const content = `{"number":1,"snapshotdata":${snapshotdata}}`;
  return gzip(tarOf(entriesOf([{ name: `mxsnaps/${ID}.sfp`, content }], TAGS)));
}

const archives: Readonly<Record<string, () => Archive | Promise<Archive>>> = {
  "1 GiB of zeros after a whole archive": () => bomb(tarOf(entriesOf([network], TAGS))),
  "1 GiB of zeros in a file": () =>
    bomb(withoutEnd(tarOf([manifest!, { name: "network.json", size: 1024 * MiB }]))),
  "zeros in a snapshot of 8 MiB": () =>
    bomb(withoutEnd(tarOf([manifest!, { name: `mxsnaps/${ID}.sfp`, size: 8 * MiB }]))),
  "zeros in the manifest": () => bomb(withoutEnd(tarOf([{ name: MANIFEST, size: 64 * 1024 }]))),
  "100,000 empty entries": () => gzip(tarOf([manifest!, ...manySnapshots])),
  "100,000 entries of one byte": () =>
    gzip(tarOf([manifest!, ...manySnapshots.map((one) => ({ ...one, content: "x" }))])),
  "a snapshot of 8 MiB of empty lists": () => snapshotOf(`[${"[],".repeat(2_700_000)}[]]`),
  "a snapshot with the maximum number of values": () => snapshotOf(`[${"{},".repeat(249_000)}{}]`),
  [TOO_MUCH]: () => {
    const header = (at: number) => tarOf([{ ...manySnapshots[at]!, size: 8 * MiB }]).slice(0, 512);
    const zeros = packed(new Uint8Array(8 * MiB));
    const files = Array.from({ length: 33 }, (_, at) => concat([packed(header(at)), zeros]));
    return concat([GZIP_HEADER, packed(withoutEnd(tarOf([manifest!]))), ...files]);
  },
  "a long name of 8 MiB": () =>
    gzip(tarOf([manifest!, { name: "x", type: "L", content: "a".repeat(8 * MiB) }, manifest!])),
};

Deno.test("for every hostile archive memory stays under 64 MiB over idle, and nothing is changed", async (t) => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/config.json`;
  await Deno.writeTextFile(config, '{"mixers":[{"faders":2}],"limits":{"rest":{"burst":0}}}');
  for (const [what, make] of Object.entries(archives)) {
    await t.step(what, async () => {
      const archive = await make();
      const data = `${folder.path}/${what}`;
      // Each archive has its own service, as the peak of a process includes earlier archives.
      await using service = await startFaderd("--data", data, "--config", config);
      const token = adminOf(service);
      const idle = (await memoryOf(service.pid)).peak;
      const { Error } = await restoreTo(service, archive, [
        what === TOO_MUCH ? "NETWORK" : "MXSNAPS",
      ], token);
      const reason = what === TOO_MUCH ? "it unpacks to more than 268435456 bytes" : "file: ";
      assertStringIncludes(String(Error), reason);
      const over = (await memoryOf(service.pid)).peak - idle;
      assert(over < OVER_IDLE, `${Math.round(over / MiB)} MiB over idle`);
      const list = await fetch(`${service.url}/api/rest/general/_api_version`);
      assertEquals(await list.json(), "1.0.0");
    });
  }
});
