/** The descriptions that an editor shows for a configuration file, by its `$schema`. */
import { assertEquals } from "@std/assert";
import { describeConfiguration } from "../../program/api/configuration.ts";
import type { Json } from "../service.ts";

/** A member of the configuration, with its path; `[]` stands for each item of a list. */
interface Member {
  readonly path: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

function* membersOf(schema: Json, path = ""): Generator<Member> {
  for (const [name, inner] of Object.entries<Json>(schema.properties ?? {})) {
    const at = path === "" ? name : `${path}.${name}`;
    yield { path: at, schema: inner, isRequired: (schema.required ?? []).includes(name) };
    yield* membersOf(inner, at);
  }
  if (schema.items !== undefined) yield* membersOf(schema.items, `${path}[]`);
  for (const one of schema.anyOf ?? []) yield* membersOf(one, path);
}

const members = [...membersOf(describeConfiguration())];

function isNumber({ schema }: Member): boolean {
  return schema.type === "number" || schema.type === "integer";
}

/** Words for a number in a description: its unit, or the things that it counts or names. */
const UNIT = /\bdB\b|\bseconds?\b|\bminutes?\b|[Hh]ow many|\bnumber\b|\bID\b|\bbitmask\b/;

const rows: Readonly<Record<string, (member: Member) => boolean>> = {
  "a sentence": ({ schema }) => /^[A-Z].+\.$/.test(schema.description ?? ""),
  "a default, or a sentence about its absence": ({ schema, isRequired }) =>
    isRequired || "default" in schema || /\bWithout it\b/.test(schema.description ?? ""),
  "a unit, if it is a number": (member) =>
    !isNumber(member) || UNIT.test(member.schema.description ?? ""),
};

for (const [what, holds] of Object.entries(rows)) {
  Deno.test(`every member of the configuration has ${what}`, () => {
    assertEquals(members.filter((member) => !holds(member)).map(({ path }) => path), []);
  });
}

Deno.test("the tests above check all members, also in lists and short forms", () => {
  const paths = members.map(({ path }) => path);
  for (const path of ["limits.rest.burst", "mixers[].faders[].label", "processings[].name"]) {
    assertEquals(paths.includes(path), true, path);
  }
});
