/**
 * The package `faderd-service`: the program as `tools/bundle.ts` makes it, because it is run and
 * never imported. It brings no Deno, which is much larger than the package: the user installs it.
 *
 * @module
 */
import { bundle, FLAGS, removeMaps } from "../bundle.ts";
import { NOTICE_FILES } from "../notices/notices.ts";
import { packageFolder, root, writeManifest } from "./places.ts";

/** The runtime of the service: the last Deno that npm has for x86-64 and for ARM64. */
const DENO = "2.9.5";

/** The folder of the package. */
export const service: URL = packageFolder("faderd-service");

/** Makes the package. */
export async function makeService(): Promise<void> {
  const made = new URL("lib/", service);
  const { components } = await bundle(made);
  await removeMaps(made);
  // The package has these files beside its licence instead.
  for (const name of NOTICE_FILES) await Deno.remove(new URL(name, made));
  const command = await Deno.readTextFile(new URL("tools/npm/service/faderd.js", root));
  const script = command.replace("...FLAGS", FLAGS.map((flag) => JSON.stringify(flag)).join(", "))
    .replace("DENO_VERSION", JSON.stringify(DENO));
  await Deno.mkdir(new URL("bin/", service));
  await Deno.writeTextFile(new URL("bin/faderd.js", service), script, { mode: 0o755 });
  await writeManifest(
    service,
    {
      name: "faderd-service",
      description: "The control service of an audio mixing console, with all its commands",
      engines: { node: ">=20" },
      bin: { faderd: "bin/faderd.js" },
      exports: { "./package.json": "./package.json" },
      peerDependencies: { deno: ">=2.9.0" },
      peerDependenciesMeta: { deno: { optional: true } },
    },
    new URL("tools/npm/service/README.md", root),
    components,
  );
}
