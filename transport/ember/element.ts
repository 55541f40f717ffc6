/**
 * The elements of the tree of Ember+: nodes, parameters, functions and one matrix. They are made
 * when somebody asks for them, since a large console has a million.
 *
 * @module
 */
import type { Path } from "../../core/tree/tree.ts";
import type { Envelope } from "../control-api/envelope.ts";
import type { BerValue } from "./ber.ts";

/** An element of the tree. */
export type Element = NodeElement | ParameterElement | MatrixElement | FunctionElement;

interface Called {
  readonly identifier: string;
  readonly description?: string | undefined;
}

/** An element with its number among its siblings. */
export interface Numbered {
  readonly number: number;
  readonly element: Element;
}

/** A node. */
export interface NodeElement extends Called {
  readonly kind: "node";
  /** The path in the control tree of a node that is a part of it. */
  readonly path?: Path;
  children(): Iterable<Numbered>;
  child(number: number): Element | undefined;
}

/** The types of parameters and of the arguments of functions, by their numbers in Glow. */
export const PARAMETER_TYPES = {
  integer: 1,
  real: 2,
  string: 3,
  boolean: 4,
  enumeration: 6,
} as const;

/** A type of parameters. */
export type ParameterType = keyof typeof PARAMETER_TYPES;

/** The access of consumers to a parameter, by its number in Glow. */
export const ACCESS = { read: 1, readWrite: 3 } as const;

/** A parameter. */
export interface ParameterElement extends Called {
  readonly kind: "parameter";
  readonly type: ParameterType;
  readonly access: keyof typeof ACCESS;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The divisor of an integer for display. */
  readonly factor?: number | undefined;
  /** The format of the value, as in C, with the unit. */
  readonly format?: string | undefined;
  /** The texts of its values 0, 1 and so on. */
  readonly enumeration?: readonly string[] | undefined;
  /** The path of a meter, whose value is sent only as a stream. */
  readonly meter?: Path | undefined;
  /** The value in force; null while there is none, as of a channel that no fader carries. */
  value(): BerValue;
  /** The request of the control API that sets a value; without it the parameter cannot be set. */
  setting?(value: BerValue): Envelope;
}

/** A matrix of inputs and outputs, each known by its number. */
export interface MatrixElement extends Called {
  readonly kind: "matrix";
  readonly targets: readonly number[];
  readonly sources: readonly number[];
  /** The path of the node with the labels. */
  readonly labels: readonly number[];
  /** The source of a target in force; undefined if it has no source. */
  sourceOf(target: number): number | undefined;
  /** The request of the control API that gives a target a source, or none. */
  connecting(target: number, source: number | undefined): Envelope;
}

/** A function, which is an RPC of the control API. */
export interface FunctionElement extends Called {
  readonly kind: "function";
  readonly arguments: readonly Argument[];
  /** The request of the control API that calls it. */
  calling(values: readonly BerValue[]): Envelope;
}

/** An argument of a function. */
export interface Argument {
  readonly name: string;
  readonly type: ParameterType;
}

/** Makes a node of its children; `child` finds one of many children without making the others. */
export function nodeOf(
  { identifier, description }: Called,
  children: () => Iterable<Numbered>,
  child = (number: number) => {
    for (const one of children()) if (one.number === number) return one.element;
  },
): NodeElement {
  return { kind: "node", identifier, description, children, child };
}
