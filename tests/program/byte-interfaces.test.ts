/** Ember+ and ECP cost nothing if they are not configured. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import { startFaderd } from "./faderd.ts";
import { sceneOf } from "./scene.ts";

const root = new URL("../../", import.meta.url).pathname;

Deno.test("a service without ember and ecp does not mention them", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: 2 }] });
  await using running = await startFaderd(...scene.options);
  assertEquals(/Ember|ECP/.test(running.stdout), false);
});

for (const name of ["ember", "ecp"]) {
  Deno.test(`only its own sources import ${name}, and the program loads it only if it is configured`, () => {
    const folders = ["program", "runtimes", "transport", "core", "storage"];
    const importing = [...sourcesIn(root, folders)]
      .filter((source) => !source.startsWith(`transport/${name}/`))
      .filter((source) =>
        new RegExp(`^(?:import|export) (?!type )[^;]*?from "[^"]*/${name}(?:/|\\.ts")`, "m").test(
          Deno.readTextFileSync(`${root}${source}`),
        )
      );
    assertEquals(importing, [`program/${name}.ts`]);
    const program = Deno.readTextFileSync(`${root}program/byte-interfaces.ts`);
    assertStringIncludes(program, `await import("./${name}.ts")`);
  });
}

Deno.test("ember and ecp listen on ports of their own", () => {
  const rows: readonly (readonly [ember: string, ecp: string, isValid: boolean])[] = [
    ["127.0.0.1:9000", "127.0.0.1:9000", false],
    ["0.0.0.0:9000", "127.0.0.1:9000", false],
    ["[::1]:9000", "[::]:9000", false],
    ["127.0.0.1:9000", "127.0.0.1:2008", true],
    ["127.0.0.1:9000", "127.0.0.2:9000", true],
    ["127.0.0.1:0", "127.0.0.1:0", true],
  ];
  for (const [ember, ecp, isValid] of rows) {
    const read = readConfiguration({ ember: { listen: ember }, ecp: { listen: ecp } });
    const faults = "faults" in read ? read.faults : [];
    const reason = "port 9000 is that of ember.listen";
    assertEquals(faults, isValid ? [] : [{ path: "ecp.listen", reason }], `${ember} ${ecp}`);
  }
});

function* sourcesIn(root: string, folders: readonly string[]): Generator<string> {
  for (const folder of folders) {
    for (const { name, isDirectory } of Deno.readDirSync(`${root}${folder}`)) {
      if (isDirectory) yield* sourcesIn(root, [`${folder}/${name}`]);
      else if (name.endsWith(".ts")) yield `${folder}/${name}`;
    }
  }
}
