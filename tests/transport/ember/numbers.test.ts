import { assertEquals } from "@std/assert";
import { initialState } from "../../../core/state.ts";
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import { demoConfiguration } from "../../../core/configuration/demo.ts";
import { EMBER_ELEMENTS, type EmberElement } from "../../../core/configuration/ember-elements.ts";
import type { WrittenConfiguration } from "../../../core/configuration/schema.ts";
import { memberOf, numberOf, NUMBERS } from "../../../transport/ember/numbers.ts";

/** Reads the released names, one a line: lines are only added, at the end. */
const read = (file: string) =>
  Deno.readTextFileSync(new URL(file, import.meta.url)).trim().split("\n");

/** The names with the numbers 1, 2, 3 ... as they were released. */
const released = read("numbers.txt");

/** Configurations that together have every part of the tree. */
const configurations: Readonly<Record<string, WrittenConfiguration>> = {
  "a core": demoConfiguration,
  "an AES67 device": {
    ...demoConfiguration,
    device: { kind: "aes67" },
    aes67: { streams: [{ id: 1, name: "Programme" }] },
  },
};

function treeOf(configuration: WrittenConfiguration) {
  const read = readConfiguration(configuration);
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  const { range: _, ...rest } = initialState(read.configuration).tree;
  return rest;
}

/** All branches and lists of a tree, with their paths. */
function* branchesOf(node: object, path = ""): Generator<readonly [string, object]> {
  yield [path, node];
  for (const [member, value] of Object.entries(node)) {
    if (typeof value === "object") yield* branchesOf(value, `${path}/${member}`);
  }
}

Deno.test("names have the same numbers as in every earlier version", () => {
  assertEquals([...NUMBERS.keys()].slice(0, released.length), released);
  assertEquals(released.map((name) => NUMBERS.get(name)), released.map((_, index) => index + 1));
  assertEquals(new Set(NUMBERS.values()).size, NUMBERS.size);
});

for (const [what, configuration] of Object.entries(configurations)) {
  Deno.test(`every member of the control tree of ${what} has a number, unique in its branch`, () => {
    for (const [path, branch] of branchesOf(treeOf(configuration))) {
      const members = Object.keys(branch);
      const numbers = members.map(numberOf);
      assertEquals(members.filter((_, index) => numbers[index] === undefined), [], path);
      assertEquals(new Set(numbers).size, numbers.length, path);
      assertEquals(numbers.map((number) => memberOf(branch, number!)), members, path);
    }
  });
}

Deno.test("every name with a number is in one of these control trees, or in an entry of a list", () => {
  const trees = Object.values(configurations).map(treeOf);
  const named = new Set(
    trees.flatMap((tree) => [...branchesOf(tree)].flatMap(([, branch]) => Object.keys(branch))),
  );
  const ofEntries = "background color pagination disabled _on accessgroup".split(" ");
  assertEquals([...NUMBERS.keys()].filter((name) => !named.has(name)), ofEntries);
});

Deno.test("elements below Device have the same numbers as in every earlier version", () => {
  const released = read("elements.txt").map((line) => line.split(" "));
  const now = released.map(([, path]) => [`${EMBER_ELEMENTS[path as EmberElement]}`, path]);
  assertEquals(now, released);
});
