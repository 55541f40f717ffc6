/** The published descriptions in foreign tools. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { descriptions } from "../../program/api/descriptions.ts";
import { type Json, startService } from "../service.ts";
import { FETCH, oas, Parser, Spectral, typesOf } from "./packages.ts";

const published = descriptions();
const openApi: Json = JSON.parse(published.get("openapi.json")!);
const asyncApi: Json = JSON.parse(published.get("asyncapi.json")!);

/** The severity of remarks: faults are 0, warnings 1. */
const REMARK = 2;

/** A fault or a warning, in one line. */
function line({ code, path, message }: Json): string {
  return `${code} at ${path.join("/")}: ${message}`;
}

async function warningsOf(document: Json): Promise<readonly string[]> {
  const linter = new Spectral();
  linter.setRuleset({ extends: [oas] });
  return (await linter.run(document)).map(line);
}

Deno.test("Spectral reports no fault and no warning about the OpenAPI document", async () => {
  assertEquals(await warningsOf(openApi), []);
});

Deno.test("Spectral warns of an operation without a description", async () => {
  const { description: _, ...get } = openApi.paths["/health"].get;
  const warnings = await warningsOf({ ...openApi, paths: { "/health": { get } } });
  assert(warnings.some((warning) => warning.startsWith("operation-description at ")));
});

/** Parses by the parser of AsyncAPI; returns the number of operations, and the warnings. */
async function parsed(document: Json): Promise<[number | undefined, readonly string[]]> {
  const { document: read, diagnostics } = await new Parser().parse(JSON.stringify(document));
  const warnings = diagnostics.filter(({ severity }: Json) => severity < REMARK).map(line);
  return [read?.operations().all().length, warnings];
}

Deno.test("the parser of AsyncAPI accepts the document of the WebSocket without a warning", async () => {
  assertEquals(await parsed(asyncApi), [Object.keys(asyncApi.operations).length, []]);
});

Deno.test("the parser of AsyncAPI refuses an operation with an unknown message", async () => {
  const [get, none] = [asyncApi.operations.get, { $ref: "#/channels/socket/messages/none" }];
  const operations = { get: { ...get, messages: [none] } };
  const [found, warnings] = await parsed({ ...asyncApi, operations });
  assertEquals(found, undefined);
  assert(warnings.length > 0);
});

const PROGRAM = `
import createClient from "${FETCH}";
import type { paths } from "./openapi.d.ts";

const client = createClient<paths>({ baseUrl: Deno.args[0]! });
const { data: level } = await client.GET(
  "/api/rest/audio/mixers/{mixer}/faders/{fader}/fader",
  { params: { path: { mixer: 0, fader: 0 }, query: { set: -20 } } },
);
console.log(level!.toFixed(1));
`;

Deno.test("a client generated from the OpenAPI document knows that the level of a fader is a number", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/openapi.d.ts`, await typesOf(openApi));
    await using service = await startService();
    const run = async (program: string) => {
      await Deno.writeTextFile(`${folder}/client.ts`, program);
      const near = (path: string) => new URL(path, import.meta.url).pathname;
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: [
          ..."run --check --frozen --no-prompt --allow-net=127.0.0.1".split(" "),
          `--config=${near("../../deno.json")}`,
          `--lock=${near("deno.lock")}`,
          `${folder}/client.ts`,
          service.url,
        ],
        env: { NO_COLOR: "1" },
      }).output();
      return [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    };
    const [level, fault] = await run(PROGRAM);
    assertEquals(level, "-20.0\n", fault);
    const [printed, said] = await run(PROGRAM.replace("toFixed(1)", "toUpperCase()"));
    assertEquals(printed, "");
    assertStringIncludes(said!, "Property 'toUpperCase' does not exist on type 'number'");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
