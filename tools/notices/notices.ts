/**
 * The lists of the third-party software in a package: `THIRD-PARTY-NOTICES`, which has the text of
 * each licence, and `sbom.cdx.json`, a software bill of materials in CycloneDX 1.6. Both list the
 * npm packages that esbuild names in the metafile of a bundle.
 *
 * @module
 */
import type { Metafile } from "esbuild";
import manifest from "../../deno.json" with { type: "json" };

/** The names of the two files. */
export const NOTICE_FILES = ["THIRD-PARTY-NOTICES", "sbom.cdx.json"] as const;

/** The package that the files describe. */
export interface Subject {
  readonly name: string;
  readonly type: "application" | "library";
}

/** An npm package that is contained in another package. */
export interface Component {
  /** A platform runs the program, as Deno does. */
  readonly type: "library" | "platform";
  /** The name, for example "@preact/signals". */
  readonly name: string;
  readonly version: string;
  /** The identifier of its licence by SPDX, for example "MIT". */
  readonly licence: string;
  /** The text of its licence. */
  readonly text: string;
}

/** The name of a file with a licence, or with a notice that the licence asks to pass on. */
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

const root = new URL("../../", import.meta.url);

/**
 * Returns the packages that have any byte in a bundle, in the order of their names. The paths of a
 * metafile begin at the root folder. Throws if a package has no text of its licence.
 */
export async function componentsOf(...metafiles: readonly Metafile[]): Promise<Component[]> {
  const inputs = metafiles.flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = new Set(inputs.flatMap(([path]) => packageFolder(path) ?? []));
  const found = await Promise.all(Array.from(folders, componentIn));
  const byName = new Map(found.map((one) => [`${one.name}@${one.version}`, one]));
  return [...byName].sort(([a], [b]) => a < b ? -1 : 1).map(([, one]) => one);
}

/**
 * Returns Deno as a component, from the npm package that contains it:
 * "@deno/linux-x64-glibc@2.9.6".
 */
export async function denoComponent(specifier: string): Promise<Component> {
  const at = specifier.lastIndexOf("@");
  const [name, version] = [specifier.slice(0, at), specifier.slice(at + 1)];
  return { type: "platform", name, version, licence: "MIT", text: await denoLicence() };
}

/** Writes both files into a folder. */
export async function writeNotices(
  folder: URL,
  subject: Subject,
  components: readonly Component[],
): Promise<void> {
  const [notices, sbom] = NOTICE_FILES;
  await Deno.writeTextFile(new URL(notices, folder), noticesOf(subject, components));
  await Deno.writeTextFile(new URL(sbom, folder), sbomOf(subject, components));
}

/** Returns the folder of the package of a source: in Deno's cache, or in `node_modules`. */
function packageFolder(path: string): string | undefined {
  return /^.*\/registry\.npmjs\.org\/(?:@[^/]+\/)?[^/]+\/[^/]+\/|^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+\//
    .exec(path)?.[0];
}

async function componentIn(path: string): Promise<Component> {
  const folder = new URL(path, root);
  const { name, version, license } = JSON.parse(
    await Deno.readTextFile(new URL("package.json", folder)),
  );
  const files = (await Array.fromAsync(Deno.readDir(folder), (entry) => entry.name))
    .filter((file) => LICENCE_FILE.test(file)).sort();
  const texts = files.map((file) => Deno.readTextFile(new URL(file, folder)));
  // Its sources name the licence of Deno, but the package lacks the text.
  if (name === "deno-std") texts.push(denoLicence());
  if (texts.length === 0) throw new Error(`${name} ${version} has no text of its licence`);
  const text = (await Promise.all(texts)).join("\n").trim();
  return { type: "library", name, version, licence: license, text };
}

function denoLicence(): Promise<string> {
  return Deno.readTextFile(new URL("deno-licence.txt", import.meta.url));
}

/**
 * Returns the notices. A text that several packages share, such as the Apache License, stands once.
 */
function noticesOf({ name }: Subject, components: readonly Component[]): string {
  const begin = `${name} ${manifest.version}`;
  if (components.length === 0) return `${begin} contains no software of others.\n`;
  const parts = Array.from(Map.groupBy(components, ({ text }) => text), ([text, those]) => {
    const names = those.map(({ name, version, licence }) => `${name} ${version} (${licence})\n`);
    return `${"-".repeat(79)}\n${names.join("")}\n${text}\n`;
  });
  return [`${begin} contains software of others, under the licences below.\n`, ...parts].join("\n");
}

function sbomOf({ name, type }: Subject, components: readonly Component[]): string {
  const { version, license } = manifest;
  const self = `${name}@${version}`;
  const component = {
    type,
    "bom-ref": self,
    name,
    version,
    licenses: [{ license: { id: license } }],
  };
  const listed = components.map(({ type, name, version, licence }) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    return { type, "bom-ref": purl, name, version, licenses: [{ license: { id: licence } }], purl };
  });
  const bom = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components: listed,
    dependencies: [{ ref: self, dependsOn: listed.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}
