/**
 * Makes the Debian packages, `dist/faderd_VERSION_amd64.deb` and `…_arm64.deb`: `deno task deb`, or
 * one of them, by `deno task deb amd64`. They hold the bundle, and the Deno that runs it, which npm
 * brings. `tools/packaging/` has all other files, with @WORDS@ for values that are known only here.
 *
 * @module
 */
import { gzipSync } from "node:zlib";
import { descriptions } from "../program/api/descriptions.ts";
import { commands } from "../program/commands.ts";
import { completionScript } from "../program/completions.ts";
import { print } from "../program/print.ts";
import manifest from "../deno.json" with { type: "json" };
import { bundle, FILES, FLAGS } from "./bundle.ts";
import { type Component, denoComponent, writeNotices } from "./notices/notices.ts";
import { run } from "./run.ts";
import { shippedDocs } from "./shipped-docs.ts";

/** The npm package that has Deno for an architecture; not every version exists for each. */
const RUNTIMES = {
  amd64: "@deno/linux-x64-glibc@2.9.6",
  arm64: "@deno/linux-arm64-glibc@2.9.5",
} as const;
type Architecture = keyof typeof RUNTIMES;

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root);
const packaging = new URL("tools/packaging/", root);
const { version } = manifest;

if (import.meta.main) {
  const all = Object.keys(RUNTIMES) as Architecture[];
  const unknown = Deno.args.find((name) => !(name in RUNTIMES));
  if (unknown !== undefined) throw new Error(`expected ${all.join(" or ")}, got ${unknown}`);
  const { components } = await bundle(dist);
  for (const architecture of Deno.args.length > 0 ? Deno.args as Architecture[] : all) {
    await makePackage(architecture, components);
  }
}

async function makePackage(
  architecture: Architecture,
  components: readonly Component[],
): Promise<void> {
  const folder = new URL(`deb/${architecture}/`, dist);
  await Deno.remove(folder, { recursive: true }).catch(() => {});
  const doc = "usr/share/doc/faderd";
  await put(folder, "usr/lib/faderd/deno", await runtime(RUNTIMES[architecture]), 0o755);
  for (const name of FILES) await put(folder, `usr/lib/faderd/${name}`, new URL(name, dist));
  const command = await text("faderd.sh");
  const flags = FLAGS.filter((flag) => !["--allow-read", "--allow-write"].includes(flag));
  await put(folder, "usr/bin/faderd", command.replace("@FLAGS@", flags.join(" ")), 0o755);
  for (const name of ["faderd.service", "faderd-copy.service", "faderd-copy.timer"]) {
    await put(folder, `lib/systemd/system/${name}`, await text(`systemd/${name}`));
  }
  await put(folder, "usr/lib/sysusers.d/faderd.conf", await text("systemd/faderd.sysusers"));
  await put(folder, "etc/default/faderd", await text("debian/faderd.default"));
  // Others may not read it, because it may have the site key in it.
  await put(folder, "etc/faderd/console.json", await text("debian/console.json"), 0o640);
  await put(folder, `${doc}/copyright`, await text("debian/copyright"));
  const inside = [await denoComponent(RUNTIMES[architecture]), ...components];
  await writeNotices(new URL(`${doc}/`, folder), { name: "faderd", type: "application" }, inside);
  await put(folder, `${doc}/changelog.gz`, packed(await text("debian/changelog")));
  const manual = packed(await text("debian/faderd.1"));
  await put(folder, "usr/share/man/man1/faderd.1.gz", manual);
  await put(folder, "usr/share/lintian/overrides/faderd", await text("debian/lintian-overrides"));
  await put(folder, `${doc}/grafana/faderd.json`, await text("grafana/faderd.json"));
  const rules = "prometheus/faderd.rules.yml";
  await put(folder, `${doc}/${rules}`, await text(rules));
  for await (const [path, content] of shippedDocs()) await put(folder, `${doc}/${path}`, content);
  for (const [name, text] of descriptions()) await put(folder, `${doc}/api/${name}`, text);
  const completions = "usr/share/bash-completion/completions/faderd";
  await put(folder, completions, completionScript(commands, "bash"));
  const zsh = "usr/share/zsh/vendor-completions/_faderd";
  await put(folder, zsh, completionScript(commands, "zsh"));
  const fish = "usr/share/fish/vendor_completions.d/faderd.fish";
  await put(folder, fish, completionScript(commands, "fish"));
  await describe(folder, architecture);
  const name = `faderd_${version}_${architecture}.deb`;
  const options = ["--root-owner-group", "-Zxz", "--build", `deb/${architecture}`, name];
  await run("dpkg-deb", options, dist);
  print(`dist/${name}: ${(await Deno.stat(new URL(name, dist))).size} bytes`);
}

/** Writes the files of a package for dpkg: `DEBIAN/`. */
async function describe(folder: URL, architecture: Architecture): Promise<void> {
  const size =
    (await run("du", ["--summarize", "--apparent-size", folder.pathname], dist)).split("\t")[0];
  // Computed before DEBIAN/ is made, so that the sums are those of the installed files.
  const sums = await run("sh", ["-c", "find * -type f | sort | xargs md5sum"], folder);
  const control = (await text("debian/control")).replace("@VERSION@", version)
    .replace("@ARCHITECTURE@", architecture).replace("@SIZE@", size!);
  await put(folder, "DEBIAN/control", control);
  await put(folder, "DEBIAN/md5sums", sums);
  await put(folder, "DEBIAN/conffiles", await text("debian/conffiles"));
  for (const script of ["postinst", "prerm", "postrm"]) {
    await put(folder, `DEBIAN/${script}`, await text(`debian/${script}`), 0o755);
  }
}

/** Fetches the Deno of a package, unless that was done before: an existing file is whole. */
async function runtime(name: string): Promise<URL> {
  const folder = new URL(`deb/${name.replaceAll("/", "-")}/`, dist);
  const file = new URL("deno", folder);
  if (await Deno.stat(file).catch(() => undefined) !== undefined) return file;
  await Deno.mkdir(folder, { recursive: true });
  const archive = (await run("npm", ["pack", "--silent", name], folder)).trim();
  await run("tar", ["--extract", "--file", archive], folder);
  await Deno.rename(new URL("package/deno", folder), file);
  return file;
}

function text(name: string): Promise<string> {
  return Deno.readTextFile(new URL(name, packaging));
}

function packed(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(text, { level: 9 }));
}

/** Puts a file into a folder, which is made with its parents; anybody may read it. */
async function put(
  folder: URL,
  path: string,
  content: URL | string | Uint8Array<ArrayBuffer>,
  mode = 0o644,
): Promise<void> {
  const file = new URL(path, folder);
  await Deno.mkdir(new URL(".", file), { recursive: true, mode: 0o755 });
  if (content instanceof URL) await Deno.copyFile(content, file);
  else if (typeof content === "string") await Deno.writeTextFile(file, content);
  else await Deno.writeFile(file, content);
  await Deno.chmod(file, mode);
}
