/** The leaves of the control tree in the OpenAPI document. */
import { assert, assertEquals } from "@std/assert";
import { describeOpenApi } from "../../program/api/openapi.ts";
import { describeTree } from "../../program/api/tree.ts";
import { atDesk, type Desk } from "../fuzz/desk.ts";
import { type Json, startService, tokens, unlimitedWith } from "../service.ts";
import { checksOf, closed } from "./validators.ts";

const { paths, components }: Json = JSON.parse(JSON.stringify(describeOpenApi()));
const at = (path: string) => paths[`/api/rest${path}`];
const everyPath = Object.keys(describeTree());

/** The schema of the answer at a path. */
const schemaOf = (path: string) => at(path).get.responses[200].content["application/json"].schema;

/** Asks as an admin. */
async function ask(desk: Desk, path: string, query = ""): Promise<[number, Json]> {
  const headers = { authorization: `Bearer ${tokens.admin}` };
  const response = (await desk.ask(`/api/rest${path}${query}`, { headers }))!;
  return [response.status, await response.json()];
}

/** For each path of the OpenAPI document, the first leaf of a console that it describes. */
function leavesOf(tree: Json): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of everyPath) {
    let places: (readonly [string, Json])[] = [["", tree]];
    for (const member of path.slice(1).split("/")) {
      places = places.flatMap(([at, node]) =>
        Object.keys(node ?? {})
          .filter((name) => member.startsWith("{") ? /^\d+$/.test(name) : name === member)
          .map((name) => [`${at}/${name}`, node[name]] as const)
      );
    }
    if (places.length > 0) found.set(path, places[0]![0]);
  }
  return found;
}

Deno.test("each leaf of the demo console has a path with a type, beside the general path", () => {
  assert("/api/rest/{path}" in paths);
  assertEquals(schemaOf("/audio/mixers/{mixer}/faders/{fader}/fader"), {
    type: "number",
    minimum: -160,
    maximum: 10,
  });
  for (const path of everyPath) {
    assert(schemaOf(path).type !== undefined, path);
    const named = (at(path).parameters ?? []).map(({ $ref }: Json) =>
      `{${$ref.split("/").at(-1)}}`
    );
    assertEquals(named, path.match(/\{\w+\}/g) ?? [], path);
  }
  const names = Object.keys(components.parameters).sort();
  assertEquals(names, [...new Set(everyPath.join().match(/(?<=\{)\w+/g))].sort());
});

Deno.test("the value of each leaf fits its published schema, and values of the schema can be set", async () => {
  const check = checksOf({
    $defs: Object.fromEntries(everyPath.map((path, index) => [
      index,
      schemaOf(path),
    ])),
  });
  await atDesk(async (desk) => {
    const [, tree] = await ask(desk, "/");
    const leaves = leavesOf(tree);
    assertEquals(leaves.size, everyPath.length);
    for (const [index, path] of everyPath.entries()) {
      const leaf = leaves.get(path)!;
      const fault = (value: Json) => check(`#/$defs/${index}`, value);
      const [status, value] = await ask(desk, leaf);
      assertEquals([status, fault(value)], [200, undefined], `${leaf}: ${JSON.stringify(value)}`);
      const { parameters: [set] = [], description }: Json = at(path).get;
      if (set === undefined) {
        const [refused] = await ask(desk, leaf, "?set=0");
        assertEquals(refused, 400, `${leaf} is read-only`);
        continue;
      }
      for (const written of valuesOf(set.schema, value)) {
        assertEquals(fault(written), undefined);
        const [status, told] = await ask(desk, leaf, `?set=${encodeURIComponent(written)}`);
        assertEquals([status, fault(told)], [200, undefined], `${leaf}: ${written}`);
        // The description says so if a written number is added, or if a text restores the default.
        if (!/is added|restores the default/.test(description)) {
          assertEquals(told, written, leaf);
        }
      }
    }
  });
});

/** Values of a schema: both booleans, or both bounds; without bounds the present value. */
function valuesOf({ type, minimum, maximum }: Json, value: Json): readonly Json[] {
  if (type === "boolean") return [true, false];
  return minimum === undefined ? [value] : [minimum, maximum];
}

Deno.test("the entries of an external list fit their published schema", async () => {
  const path = "/control/extlists/{extlist}/_entries";
  const check = checksOf(closed({ $defs: { entries: schemaOf(path) } }));
  await using service = await startService({ configuration: unlimitedWith() });
  const socket = await service.open();
  await socket.rpc("registerextlist", { list: 1 });
  const entries = [{ label: "A" }, {
    label: "B",
    background: true,
    color: "ff00aa",
    pagination: true,
    disabled: true,
  }];
  await socket.rpc("setextlist", { list: 1, entries });
  const shown = await (await fetch(`${service.url}/api/rest/control/extlists/1/_entries`)).json();
  assertEquals([shown.length, check("#/$defs/entries", shown)], [2, undefined]);
});

Deno.test("the OpenAPI document says that every operation but /health needs a token", () => {
  for (const [path, item] of Object.entries<Json>(paths)) {
    for (const { operationId, security } of [item.get, item.post].filter(Boolean)) {
      assertEquals(security.length === 0, path === "/health", operationId);
    }
  }
});
