/**
 * Each leaf of the control tree as a path of the OpenAPI document, so that generated clients have a
 * type for the value there.
 *
 * @module
 */
import { CONTROL_API_PATH } from "../../transport/control-api/control-api.ts";
import type { Described } from "./json-schema.ts";
import { everyNumbered } from "./numbered.ts";
import { anybody, json } from "./responses.ts";
import { describeTree } from "./tree.ts";

/** A leaf, as `describeTree` describes it. */
interface Leaf extends Described {
  readonly type: string;
  readonly readOnly?: boolean;
  readonly meter?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly unit?: string;
  /** The text that restores the default. */
  readonly reset?: string;
  /** The name of the sibling to which a written value is added. */
  readonly adds?: string;
  /** The name of the sibling that is an alias. */
  readonly same?: string;
}

/** The parts of the control tree by their names: the tags of the leaves. */
const parts: Readonly<Record<string, string>> = {
  general: "The device: its name, its versions, its clock, its state.",
  labels: "Global labels.",
  extlists: "External lists of buttons.",
  logics: "Logics: switches that other devices see and set.",
  gpis: "General purpose inputs.",
  gpos: "General purpose outputs.",
  pots: "Pots: levels of monitors, headphones and the like.",
  levels: "Level meters.",
  loudness: "Loudness meters.",
  routing: "Inputs, outputs, and which input is routed to each output.",
  selectors: "Selectors of sources, and the lists that they select from.",
  flexprocessings: "Processing that belongs to no fader.",
  mixers: "Virtual mixers.",
  faders: "Faders of virtual mixers, with their processing.",
};

/** The tags of the leaves, each with a sentence. */
export const leafTags: readonly Described[] = Object.entries(parts)
  .map(([name, description]) => ({ name, description }));

/**
 * The numeric path parameters, by their names in `components.parameters` of the OpenAPI document.
 */
export const pathParameters: Described = Object.fromEntries(
  everyNumbered.map(({ name, description }) => [name, {
    name,
    in: "path",
    required: true,
    description,
    schema: { type: "integer", minimum: 0 },
  }]),
);

/** Describes every leaf of the demo console, by its path over HTTP. */
export function describeLeaves(): Described {
  return Object.fromEntries(
    Object.entries(describeTree()).map(([path, leaf]) => [
      `${CONTROL_API_PATH}${path}`,
      pathItem(path, leaf as Leaf),
    ]),
  );
}

function pathItem(path: string, leaf: Leaf): Described {
  const numbers = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    $ref: `#/components/parameters/${name}`,
  }));
  return {
    ...(numbers.length === 0 ? {} : { parameters: numbers }),
    get: operation(path, leaf),
  };
}

function operation(path: string, leaf: Leaf): Described {
  const schema = schemaOf(leaf);
  const { readOnly = false } = leaf;
  return {
    operationId: path.slice(1).replaceAll("/", "_").replaceAll(/[{}]/g, ""),
    summary: readOnly ? `Read ${path}.` : `Read ${path}, or write it with ?set=.`,
    description: sentences(leaf),
    tags: [tagOf(path)],
    security: anybody,
    ...(readOnly ? {} : { parameters: [{ ...set, schema }] }),
    responses: {
      200: {
        description: "The bare value.",
        ...(readOnly ? {} : { headers: { Durable: { $ref: "#/components/headers/Durable" } } }),
        content: json(schema),
      },
      "4XX": { $ref: "#/components/responses/refused" },
      "5XX": { $ref: "#/components/responses/refused" },
    },
  };
}

const set: Described = {
  name: "set",
  in: "query",
  description: "The value to write; without it the value is read.",
};

/**
 * The part of the tree that a path is in: `faders` below a fader, otherwise the part closest to the
 * leaf.
 */
function tagOf(path: string): string {
  const found = path.split("/").findLast((member) => Object.hasOwn(parts, member));
  if (found === undefined) throw new Error(`${path} is in no part of the control tree`);
  return path.includes("/faders/") ? "faders" : found;
}

/**
 * Returns the JSON Schema of the values of a leaf. A number with a step of 1 and no unit is an
 * integer.
 */
function schemaOf({ type, min, max, step, unit, items }: Leaf): Described {
  if (type === "array") return { type, items };
  if (type === "string") return { type, ...(max === undefined ? {} : { maxLength: max }) };
  if (type !== "number") return { type };
  return {
    type: step === 1 && unit === undefined ? "integer" : type,
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  };
}

/** Describes the properties of a leaf that its schema cannot express. */
function sentences({ type, readOnly, meter, min, step, unit, reset, adds, same }: Leaf): string {
  return [
    ...(unit === undefined ? [] : [`In ${unit}.`]),
    ...(step === undefined ? [] : [`Its step is ${step}.`]),
    ...(min === undefined ? [] : ["Numbers out of range are clamped."]),
    ...(adds === undefined ? [] : [
      `A written number is added to the value of ${adds} in the same branch; ` +
      "this leaf itself always has the value 0.",
    ]),
    ...(same === undefined ? [] : [`An alias of ${same} in the same branch.`]),
    ...(reset === undefined ? [] : [`Writing the text "${reset}" restores the default.`]),
    ...(meter ? ["A value of a meter."] : []),
    ...(readOnly ? ["Read-only."] : []),
  ].join(" ") || `A ${type}.`;
}
