/**
 * Makes a release of the unreleased changes: `deno task release 0.2.0`. It writes the version into
 * all files that name it, and dates its notes in `CHANGELOG.md`; if a file is not as expected it
 * refuses, and changes nothing.
 *
 * @module
 */
import { print, warn } from "../program/print.ts";

/** Exit status of a wrong command line. */
const MISUSED = 2;

const VERSION = /^\d+\.\d+\.\d+$/;

/** The heading of the unreleased changes, with or without the expected version. */
const UNRELEASED = /^## (?:Unreleased|(\d+\.\d+\.\d+), not yet released)\n/m;

/** A file with the version in it: its path, and its new content. */
interface Change {
  readonly path: string;
  change(text: string): string;
}

if (import.meta.main) {
  const [version = ""] = Deno.args;
  try {
    const paths = await release(new URL("../", import.meta.url), version, new Date());
    print(`${version} stands in ${paths.join(", ")}`);
    print(
      `next: deno task test, git commit --all --message "Release ${version}", git tag v${version}`,
    );
  } catch (fault) {
    warn((fault as Error).message);
    Deno.exit(MISUSED);
  }
}

/**
 * Makes `version`, three numbers, the version of the sources in a folder. Returns the paths of the
 * changed files. Throws, with nothing changed, if `version` is not a version after the present one,
 * or if there are no notes.
 */
export async function release(root: URL, version: string, now: Date): Promise<string[]> {
  const { version: before } = JSON.parse(await Deno.readTextFile(new URL("deno.json", root)));
  if (!VERSION.test(version) || !isLater(version, before)) {
    throw new Error(
      `VERSION: expected three numbers after ${before}, like 1.0.0, got "${version}"`,
    );
  }
  const written = await Promise.all(
    changesOf(before, version, now).map(async ({ path, change }) => {
      const text = await Deno.readTextFile(new URL(path, root));
      const changed = change(text);
      if (changed === text) throw new Error(`${path}: expected the version ${before} in it`);
      return [path, changed] as const;
    }),
  );
  for (const [path, text] of written) await Deno.writeTextFile(new URL(path, root), text);
  return written.map(([path]) => path);
}

/** Says whether a version comes after another version. */
function isLater(version: string, before: string): boolean {
  const [one, other] = [version, before].map((text) => text.split(".").map(Number));
  const at = one!.findIndex((number, at) => number !== other![at]);
  return at !== -1 && one![at]! > other![at]!;
}

function changesOf(before: string, version: string, now: Date): readonly Change[] {
  return [
    {
      path: "deno.json",
      change: (text) => text.replace(`"version": "${before}"`, `"version": "${version}"`),
    },
    { path: "CHANGELOG.md", change: (text) => dated(text, version, now) },
    {
      path: "tools/packaging/debian/changelog",
      change: (text) => debianEntry(version, now) + text,
    },
    {
      path: "docs/operating.md",
      change: (text) =>
        text.replaceAll(`faderd_${before}_`, `faderd_${version}_`)
          .replaceAll(`version=${before} `, `version=${version} `),
    },
  ];
}

/** Puts the version and the date over the notes of the unreleased changes. */
function dated(text: string, version: string, now: Date): string {
  const found = UNRELEASED.exec(text);
  const expected = found?.[1] ?? version;
  const notes = found === null ? "" : text.slice(found.index + found[0].length).split(/^## /m)[0]!;
  if (notes.trim() === "") {
    throw new Error("CHANGELOG.md: expected notes of what is not yet released");
  }
  if (expected !== version) {
    throw new Error(`CHANGELOG.md: the notes are those of ${expected}, got ${version}`);
  }
  return text.replace(UNRELEASED, `## ${version} (${now.toISOString().slice(0, 10)})\n`);
}

function debianEntry(version: string, now: Date): string {
  const date = now.toUTCString().replace("GMT", "+0000");
  return `faderd (${version}) unstable; urgency=medium

  * CHANGELOG.md of the sources says what is new.

 -- the faderd founders <faderd@faderd.invalid>  ${date}

`;
}
