/** `task release`, in a copy of the files that it changes. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { release } from "../../tools/release.ts";
import { temporaryFolder } from "../program/faderd.ts";

const PATHS = [
  "deno.json",
  "CHANGELOG.md",
  "tools/packaging/debian/changelog",
  "docs/operating.md",
];
const NOW = new Date("2031-05-04T03:02:01Z");

/** A copy of the sources as of version 4.5.6, with the given notes of the next version. */
async function copy(heading: string, notes: string) {
  const folder = await temporaryFolder();
  const root = new URL(`file://${folder.path}/`);
  const sources = new URL("../../", import.meta.url);
  const { version } = JSON.parse(await Deno.readTextFile(new URL("deno.json", sources)));
  const read = (path: string) => Deno.readTextFile(new URL(path, root));
  for (const path of PATHS) {
    await Deno.mkdir(new URL(`${path}/..`, root), { recursive: true });
    const text = (await Deno.readTextFile(new URL(path, sources)))
      .replaceAll(new RegExp(`(?<!\\d)${RegExp.escape(version)}(?!\\d)`, "g"), "4.5.6");
    await Deno.writeTextFile(
      new URL(path, root),
      path === "CHANGELOG.md" ? `# Changelog\n\n## ${heading}\n\n${notes}\n\n## 4.5.6\n` : text,
    );
  }
  const all = async () => (await Promise.all(PATHS.map(read))).join("");
  return { root, read, all, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

Deno.test("a release replaces the version in each file, and dates the notes", async () => {
  for (const heading of ["Unreleased", "4.10.0, not yet released"]) {
    await using sources = await copy(heading, "- **Fades**: faster.");
    assertEquals(await release(sources.root, "4.10.0", NOW), PATHS);
    const [manifest, changelog, debian, page] = await Promise.all(PATHS.map(sources.read));
    assertEquals(JSON.parse(manifest!).version, "4.10.0");
    assertStringIncludes(changelog!, "\n## 4.10.0 (2031-05-04)\n\n- **Fades**: faster.");
    assertStringIncludes(debian!, "faderd (4.10.0) unstable");
    assertStringIncludes(debian!, "Sun, 04 May 2031 03:02:01 +0000\n\nfaderd (4.5.6)");
    assertStringIncludes(page!, "faderd_4.10.0_amd64.deb");
    assertEquals((await sources.all()).match(/4\.5\.6/g)?.length, 2, "both in the changelogs");
  }
});

Deno.test("a wrong version or missing notes are refused, and no file is changed", async () => {
  const refused = [
    ["Unreleased", "- A note.", "4.5.6", "after 4.5.6"],
    ["Unreleased", "- A note.", "4.5", 'got "4.5"'],
    ["Unreleased", "- A note.", "3.9.9", "after 4.5.6"],
    ["Unreleased", "", "4.6.0", "expected notes"],
    ["4.6.0 (2030-01-01)", "- A note.", "4.7.0", "expected notes"],
    ["5.0.0, not yet released", "- A note.", "4.6.0", "those of 5.0.0"],
  ] as const;
  for (const [heading, notes, version, said] of refused) {
    await using sources = await copy(heading, notes);
    const before = await sources.all();
    await assertRejects(() => release(sources.root, version, NOW), Error, said);
    assertEquals(await sources.all(), before);
  }
});
