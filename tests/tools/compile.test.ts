import { assertEquals, assertRejects } from "@std/assert";
import { compile } from "../../tools/compile.ts";
import { temporaryFolder } from "../program/faderd.ts";

const RUNTIME = "https://dl.deno.land/release/v9.9.9/denort-x86_64-unknown-linux-gnu.zip";

Deno.test("if there is no network, task compile names the missing runtime and the variable for its path", async () => {
  await using folder = await temporaryFolder();
  const deno = `${folder.path}/deno`;
  const said = {
    [`Download ${RUNTIME}\nerror sending request for url (${RUNTIME})`]:
      `${RUNTIME} cannot be fetched: get it by other means, and set DENORT_BIN to its denort`,
    [`Download ${RUNTIME}\nno space left`]: "no space left",
  };
  for (const [text, expected] of Object.entries(said)) {
    const script = `#!/bin/sh\ncat >&2 <<'END'\n${text}\nEND\nexit 1\n`;
    await Deno.writeTextFile(deno, script, { mode: 0o755 });
    const file = new URL(`file://${folder.path}/faderd`);
    await assertRejects(() => compile(deno, file, file, {}), Error, expected);
  }
});

Deno.test("the binary has the client of NATS, which no import of the program names", async () => {
  await using folder = await temporaryFolder();
  const deno = `${folder.path}/deno`;
  await Deno.writeTextFile(deno, '#!/bin/sh\nprintf "%s\\n" "$@" >"$0.args"\n', { mode: 0o755 });
  const file = (name: string) => new URL(`file://${folder.path}/${name}`);
  await compile(deno, file("faderd.js"), file("faderd"), {});
  const args = (await Deno.readTextFile(`${deno}.args`)).trim().split("\n");
  assertEquals(args[args.indexOf("--include") + 1], `${folder.path}/hub-nats.js`);
  assertEquals(args.at(-1), `${folder.path}/faderd.js`);
});
