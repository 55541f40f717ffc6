import { assertEquals } from "@std/assert";

/** The layers and files that each layer may import (docs/architecture.md). */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  "core": ["core", "fade"],
  "fade": ["fade"],
  "engine/meters": ["engine/meters", "core/limits.ts"],
  "engine/mixing": ["engine/mixing", "engine/meters", "core/tree/tree.ts"],
  "engine/simulated": [
    "engine/simulated",
    "engine/mixing",
    "engine/meters",
    "core/limits.ts",
    "core/ports.ts",
    "core/tree/tree.ts",
  ],
  "engine/web-audio": [
    "engine/web-audio",
    "engine/mixing",
    "engine/meters",
    "client",
    "fade",
    "core/tree/tree.ts",
  ],
  "storage": ["storage", "core/ports.ts", "core/cooperative-scheduler.ts", "core/crc32.ts"],
  "transport": ["transport", "core"],
  "client": ["client", "transport", "core/wire.ts"],
  "runtimes": ["runtimes", "client", "transport", "storage", "engine/simulated", "core"],
  "fleet": ["fleet", "client", "transport", "storage", "core"],
  "program": [
    "program",
    "fleet",
    "runtimes",
    "transport",
    "storage",
    "engine/simulated",
    "core",
    "fade",
    "client/rpcs.ts",
    "deno.json",
  ],
  "view": [
    "view",
    "client",
    "core",
    "fade/law.ts",
    "fade/limits.ts",
    "fleet/api/rpc-methods.ts",
    "fleet/hub/hub-core.ts",
  ],
  "view/state": ["view/state", "view/texts", "client", "core/tree/tree.ts"],
  "main.ts": ["program"],
  "mod.ts": [
    "core",
    "fade",
    "storage/contract.ts",
    "storage/memory.ts",
    "client/client.ts",
    "transport",
  ],
};

/** The layers that use no API of a runtime. */
const pure = ["core", "fade", "engine/meters", "engine/mixing", "engine/simulated"];

/** The packages that these layers may use; they use no API of a runtime either. */
const purePackages = /^(valibot|modern-tar|libsodium-wrappers|@std\/(bytes|crypto)\/.+)$/;

const root = new URL("../", import.meta.url);

const SOURCE = /\.tsx?$/;

function* sources(path: string): Generator<string> {
  if (SOURCE.test(path)) return yield path;
  for (const entry of Deno.readDirSync(new URL(`${path}/`, root))) {
    if (entry.isDirectory || SOURCE.test(entry.name)) yield* sources(`${path}/${entry.name}`);
  }
}

function importsOf(source: string): string[] {
  const text = Deno.readTextFileSync(new URL(source, root));
  const statements = text.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...statements].map((match) => match[1] ?? match[2]!);
}

function resolved(source: string, specifier: string): string {
  return new URL(specifier, new URL(source, root)).href.slice(root.href.length);
}

const layers = Object.keys(mayImport).flatMap((layer) =>
  [...sources(layer)].map((source) => ({ layer, source, imports: importsOf(source) }))
);

Deno.test("every layer has sources with imports to check", () => {
  for (const layer of Object.keys(mayImport)) {
    const found = layers.filter((entry) => entry.layer === layer);
    assertEquals(found.some((entry) => entry.imports.length > 0), true, layer);
  }
});

Deno.test("dependencies point one way: a layer imports only from the layers below it", () => {
  const wrong = layers.flatMap(({ layer, source, imports }) =>
    imports.filter((specifier) => specifier.startsWith("."))
      .map((specifier) => resolved(source, specifier))
      .filter((target) =>
        !mayImport[layer]!.some((allowed) => `${target}/`.startsWith(`${allowed}/`))
      )
      .map((target) => `${source} imports ${target}`)
  );
  assertEquals(wrong, []);
});

Deno.test("the pure layers import only packages without APIs of a runtime", () => {
  const wrong = layers.filter(({ layer }) => pure.includes(layer))
    .flatMap(({ source, imports }) =>
      imports.filter((specifier) => !specifier.startsWith(".") && !purePackages.test(specifier))
        .map((specifier) => `${source} imports ${specifier}`)
    );
  assertEquals(wrong, []);
});

Deno.test("a start of the service downloads no package that only the audio engine, several hubs or a test needs", () => {
  // All packages in deno.json or its lock file are downloaded at any start.
  for (const file of ["deno.json", "deno.lock"]) {
    const text = Deno.readTextFileSync(new URL(file, root));
    for (
      const name of [
        "node-web-audio-api",
        "playwright-core",
        "@sparticuz/chromium",
        "miniflare",
        "openapi-schema-validator",
        "@nats-io",
      ]
    ) {
      assertEquals(text.includes(name), false, `${name} in ${file}`);
    }
  }
  for (
    const [name, source] of [
      ["node-web-audio-api", "engine/web-audio/deno/web-audio.ts"],
      ["@nats-io", "fleet/nats/packages.ts"],
    ] as const
  ) {
    const using = layers.filter(({ imports }) => imports.some((one) => one.includes(name)));
    assertEquals(using.map(({ source }) => source), [source]);
  }
});

Deno.test("packages that take much memory are imported only on first use", () => {
  for (const [name, source] of [["libsodium-wrappers", "core/sodium.ts"]] as const) {
    const using = layers.filter(({ imports }) => imports.includes(name));
    assertEquals(using.map(({ source }) => source), [source]);
    const file = source.slice(source.lastIndexOf("/"));
    const statically = new RegExp(`^(?:import|export) (?!type )[^;]*? from "[^"]*${file}"`, "m");
    const wrong = layers.filter(({ source }) =>
      statically.test(Deno.readTextFileSync(new URL(source, root)))
    );
    assertEquals(wrong.map(({ source }) => source), [], name);
  }
});

Deno.test("a console outside of fleets loads no source of fleets", () => {
  const statically = /^(?:import|export) (?!type )[^;]*? from "(\.[^"]+)"/gm;
  const loaded = new Set<string>();
  const load = (source: string) => {
    if (loaded.has(source)) return;
    loaded.add(source);
    const text = Deno.readTextFileSync(new URL(source, root));
    for (const [, specifier] of text.matchAll(statically)) load(resolved(source, specifier!));
  };
  load("main.ts");
  assertEquals(loaded.has("program/serve.ts"), true);
  assertEquals([...loaded].filter((source) => source.startsWith("fleet/")), []);
});

Deno.test("the client imports only types from the service, and the merging of patches", () => {
  const values = /^import (?!type )[^;]*? from "\.\.\/([^"]+)"/gm;
  const taken = layers.filter(({ layer }) => layer === "client").flatMap(({ source }) =>
    [...Deno.readTextFileSync(new URL(source, root)).matchAll(values)].map((match) => match[1]!)
  );
  assertEquals([...new Set(taken)], ["core/wire.ts"]);
});

/** The folders whose sources may use the global `Deno`. */
const knowsDeno = [
  "program/",
  "runtimes/deno/",
  "engine/web-audio/deno/",
  "bench/",
  "tests/",
  "tools/",
  "docs/examples/",
];

/** A source without its comments, which may mention Deno. */
function codeOf(source: string): string {
  return Deno.readTextFileSync(new URL(source, root))
    .replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/(^|\s)\/\/ .*$/gm, "");
}

Deno.test("only the program, runtimes/deno and the audio engine for Deno use the global Deno", () => {
  const entries = [...Deno.readDirSync(root)].filter(({ name }) => !/^(\.|data$|dist$)/.test(name));
  const all = entries.filter(({ isDirectory, name }) => isDirectory || name.endsWith(".ts"))
    .flatMap(({ name }) => [...sources(name)]);
  const using = all.filter((source) => /\bDeno\b/.test(codeOf(source)));
  assertEquals(using.filter((source) => !knowsDeno.some((place) => source.startsWith(place))), []);
  assertEquals(using.includes("runtimes/deno/file-system.ts"), true);
});

Deno.test("the transport waits only by the timer and the scheduler, and has no global variables", () => {
  const wrong = layers.filter(({ layer }) => layer === "transport").flatMap(({ source }) => {
    const text = Deno.readTextFileSync(new URL(source, root));
    const found = text.match(
      /\b(?:set|clear)(?:Timeout|Interval|Immediate)\(|^(?:export )?let .*/gm,
    );
    return (found ?? []).map((what) => `${source}: ${what}`);
  });
  assertEquals(wrong, []);
});

Deno.test("Deno.serve appears in one file", () => {
  const using = layers.map(({ source }) => source).filter((source) =>
    Deno.readTextFileSync(new URL(source, root)).includes("Deno.serve(")
  );
  assertEquals(using, ["runtimes/deno/server.ts"]);
});

Deno.test("there are no circular imports, types included", () => {
  const below = new Map(
    layers.map(({ source, imports }) => [
      source,
      imports.filter((specifier) => specifier.startsWith("."))
        .map((specifier) => resolved(source, specifier)),
    ]),
  );
  const done = new Set<string>();
  function circleFrom(source: string, above: readonly string[]): readonly string[] {
    if (above.includes(source)) return [...above.slice(above.indexOf(source)), source];
    if (done.has(source)) return [];
    done.add(source);
    for (const target of below.get(source) ?? []) {
      const circle = circleFrom(target, [...above, source]);
      if (circle.length > 0) return circle;
    }
    return [];
  }
  assertEquals([...below.keys()].flatMap((source) => circleFrom(source, [])), []);
});
