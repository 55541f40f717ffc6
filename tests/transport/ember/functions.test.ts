import { assertEquals } from "@std/assert";
import * as v from "valibot";
import { rpcMethods } from "../../../transport/control-api/rpc-methods.ts";
import type { FunctionElement } from "../../../transport/ember/element.ts";
import { functionElements } from "../../../transport/ember/functions.ts";

/** The functions as they were released: lines are only added, at the end. */
const released = Deno.readTextFileSync(new URL("functions.txt", import.meta.url))
  .trim().split("\n").map((line) => line.split(" "));

const functions = new Map(
  [...functionElements()].map(({ number, element }) => [
    `${number}`,
    element as FunctionElement,
  ]),
);

Deno.test("functions have the numbers and the arguments, in order, of every earlier version", () => {
  const now = released.map(([number, , ...args]) => {
    const { identifier, arguments: all } = functions.get(number!)!;
    const first = all.slice(0, args.length).map(({ name, type }) => `${name}:${type}`);
    return [number, identifier, ...first];
  });
  assertEquals(now, released);
  const unreleased = [...functions.keys()].slice(released.length);
  assertEquals(unreleased.filter((number) => Number(number) <= released.length), []);
});

Deno.test("no optional argument accepts a negative number, as that stands for an absent argument", () => {
  const taken = [...functions.values()].flatMap(({ identifier, arguments: args }) => {
    const { entries } = rpcMethods.get(identifier)!.params;
    return args.filter(({ name }) => {
      const schema = entries[name] as v.GenericSchema;
      return schema.type === "optional" && v.safeParse(schema, -1).success;
    }).map(({ name }) => `${identifier} ${name}`);
  });
  assertEquals(taken, []);
});
