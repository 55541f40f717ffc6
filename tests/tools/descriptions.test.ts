import { assert, assertEquals } from "@std/assert";
import { descriptions } from "../../tools/descriptions.ts";

const folder = new URL("../../docs/api/", import.meta.url);

Deno.test("docs/api/ has each published description as it is now, and no other", async () => {
  const committed = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    committed.set(name, await Deno.readTextFile(new URL(name, folder)));
  }
  const published = descriptions();
  const command = "deno run --allow-read=. --allow-write=docs tools/descriptions.ts";
  for (const [name, text] of published) {
    assert(committed.get(name) === text, `${name} differs; if that is meant, run: ${command}`);
  }
  assertEquals([...committed.keys()].sort(), [...published.keys()].sort());
});
