/** The notices and the SBOM of a package. */
import { assertEquals, assertRejects } from "@std/assert";
import { componentsOf, writeNotices } from "../../tools/notices/notices.ts";
import { temporaryFolder } from "../program/faderd.ts";

/** A metafile of a bundle with some bytes of sources. */
function metafileOf(bytes: Readonly<Record<string, number>>) {
  const inputs = Object.entries(bytes).map(([path, bytesInOutput]) => [path, { bytesInOutput }]);
  const output = { bytes: 0, imports: [], exports: [], inputs: Object.fromEntries(inputs) };
  return { inputs: {}, outputs: { "out.js": output } };
}

Deno.test("every package with a byte in a bundle is listed with its licence; without a licence text it is refused", async () => {
  await using folder = await temporaryFolder();
  const at = `${folder.path}/node_modules/@some/part`;
  await Deno.mkdir(at, { recursive: true });
  const described = { name: "@some/part", version: "1.2.3", license: "ISC" };
  await Deno.writeTextFile(`${at}/package.json`, JSON.stringify(described));
  const metafile = metafileOf({ [`${at}/lib/index.js`]: 7, "core/console.ts": 9 });
  await assertRejects(
    () => componentsOf(metafile),
    Error,
    "@some/part 1.2.3 has no text of its licence",
  );

  await Deno.writeTextFile(`${at}/COPYING`, "Do as you like.\n");
  const expected = { type: "library", name: "@some/part", version: "1.2.3", licence: "ISC" };
  assertEquals(await componentsOf(metafile), [{ ...expected, text: "Do as you like." }] as never);
  assertEquals(await componentsOf(metafileOf({ [`${at}/lib/index.js`]: 0 })), []);
});

Deno.test("the notices of a package without software of others say so", async () => {
  await using folder = await temporaryFolder();
  const into = new URL(`file://${folder.path}/`);
  await writeNotices(into, { name: "faderd-client", type: "library" }, []);
  const notices = await Deno.readTextFile(`${folder.path}/THIRD-PARTY-NOTICES`);
  assertEquals(notices.replace(/ \d\S+/, ""), "faderd-client contains no software of others.\n");
  const sbom = JSON.parse(await Deno.readTextFile(`${folder.path}/sbom.cdx.json`));
  assertEquals([sbom.metadata.component.type, sbom.components], ["library", []]);
});
