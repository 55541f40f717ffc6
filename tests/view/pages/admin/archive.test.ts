/** The preview of a backup, which the page reads before the backup is applied. */
import { assertEquals } from "@std/assert";
import { entriesOf, gzip, packed, tarOf } from "../../../core/backup/archives.ts";
import { readArchive } from "../../../../view/pages/admin/archive.ts";
import { testConsole } from "../../../service.ts";

const read = (bytes: Uint8Array<ArrayBuffer>) => readArchive(new Blob([bytes]).stream());

Deno.test("the page shows the device, the time and the tags of a backup", async () => {
  const { state } = await testConsole();
  const archive = (await read(await packed(state, ["NETWORK", "TLS", "USERS", "MXSNAPS"])))!;
  const { name, firmware } = state.configuration.device;
  assertEquals([archive.device, archive.firmware], [name, firmware]);
  assertEquals(Number.isNaN(Date.parse(archive.time!)), false);
  assertEquals(archive.tags.toSorted(), ["MXSNAPS", "NETWORK", "TLS", "USERS"]);
});

for (const name of ["tls.pem", "./tls.pem"]) {
  Deno.test(`an archive with only the certificate ${name} is TLS, from an unknown device`, async () => {
    const archive = await read(await gzip(tarOf([{ name, content: "pem" }])));
    const stated = { device: undefined, firmware: undefined, time: undefined };
    assertEquals(archive, { ...stated, tags: ["TLS"] });
  });
}

const whole = await gzip(tarOf(entriesOf([{ name: "log.json", content: "{}" }])));

/** Files that are not backups. */
const rows: readonly (readonly [what: string, bytes: Uint8Array<ArrayBuffer>])[] = [
  ["nothing", new Uint8Array()],
  ["text", new TextEncoder().encode("not a backup at all")],
  ["half an archive", whole.slice(0, whole.length / 2)],
  ["a gzip without a tar", await gzip(new TextEncoder().encode("x".repeat(2000)))],
  ["a tar with another first file", await gzip(tarOf([{ name: "readme.txt", content: "x" }]))],
  ["a manifest that is not JSON", await gzip(tarOf([{ name: "manifest.json", content: "{" }]))],
  ["a manifest without tags", await gzip(tarOf([{ name: "manifest.json", content: "{}" }]))],
  [
    "a manifest that claims to be huge",
    await gzip(tarOf([{ name: "manifest.json", content: "{}", size: 1e9 }])),
  ],
];

for (const [what, bytes] of rows) {
  Deno.test(`${what} is not a backup`, async () => assertEquals(await read(bytes), undefined));
}
