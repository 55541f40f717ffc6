/**
 * Glow, the vocabulary of Ember+: its tags, and the requests of a consumer.
 *
 * @module
 */
import { EMBER_DEPTH } from "../../core/limits.ts";
import {
  application,
  type BerElement,
  type BerValue,
  fieldOf,
  integerOf,
  pathOf,
  readBer,
  types,
  valueOf,
} from "./ber.ts";

/** The types of Glow by their numbers, as tags. */
export const tags = {
  root: application(0),
  parameter: application(1),
  command: application(2),
  node: application(3),
  collection: application(4),
  streamEntry: application(5),
  streams: application(6),
  qualifiedParameter: application(9),
  qualifiedNode: application(10),
  rootCollection: application(11),
  matrix: application(13),
  target: application(14),
  source: application(15),
  connection: application(16),
  qualifiedMatrix: application(17),
  label: application(18),
  function: application(19),
  qualifiedFunction: application(20),
  argument: application(21),
  invocation: application(22),
  invocationResult: application(23),
} as const;

/** The number of each command. */
const commands = { subscribe: 30, unsubscribe: 31, directory: 32, invoke: 33 } as const;

/** The operations of a connection of a matrix. */
export const operations = { absolute: 0, connect: 1, disconnect: 2 } as const;

/** A connection that a consumer asks for: the sources of a target. */
export interface Connect {
  readonly target: number;
  readonly sources: readonly number[];
  readonly operation: number;
}

/** A request of a consumer to the element at a path. */
export type Request = { readonly path: readonly number[] } & Asked;

type Asked =
  | { readonly kind: "directory" | "subscribe" | "unsubscribe" }
  | { readonly kind: "set"; readonly value: BerValue }
  | { readonly kind: "connect"; readonly connections: readonly Connect[] }
  | {
    readonly kind: "invoke";
    /** Without it no result is sent. */
    readonly id: number | undefined;
    readonly arguments: readonly BerValue[];
  };

/**
 * Reads the requests of a message, in their order. Everything else is left out, such as the
 * contents that one library sends with each request; undefined for bytes that are not BER.
 */
export function readRequests(ber: Uint8Array): readonly Request[] | undefined {
  const root = readBer(ber);
  if (root === undefined) return undefined;
  const requests: Request[] = [];
  if (root.tag !== tags.root) return requests;
  for (const collection of root.inside) {
    if (collection.tag === tags.rootCollection) readItems(collection, [], requests);
  }
  return requests;
}

/** Reads the items of a collection, each of which stands in a field of its own. */
function readItems(
  collection: BerElement,
  path: readonly number[],
  requests: Request[],
): void {
  for (const { inside } of collection.inside) {
    for (const element of inside) readElement(element, path, requests);
  }
}

function readElement(
  element: BerElement,
  above: readonly number[],
  requests: Request[],
): void {
  if (element.tag === tags.command) {
    const asked = readCommand(element);
    if (asked !== undefined) requests.push({ path: above, ...asked });
    return;
  }
  const path = placeOf(element, above);
  // Each child repeats the path: a long one with many children would take much memory.
  if (path === undefined || path.length > EMBER_DEPTH) return;
  const before = requests.length;
  const children = fieldOf(element, 2);
  if (children?.tag === tags.collection) readItems(children, path, requests);
  const isMatrix = element.tag === tags.matrix || element.tag === tags.qualifiedMatrix;
  const connections = isMatrix ? connectionsOf(fieldOf(element, 5)) : [];
  if (connections.length > 0) requests.push({ path, kind: "connect", connections });
  const isParameter = element.tag === tags.parameter || element.tag === tags.qualifiedParameter;
  // One library sends everything that it knows of a parameter with each command.
  if (!isParameter || requests.length > before) return;
  const contents = fieldOfContents(element);
  const value = contents && valueOf(fieldOf(contents, 2));
  if (value !== undefined) requests.push({ path, kind: "set", value });
}

/** Returns the contents of an element, which are a set and may be empty. */
function fieldOfContents(element: BerElement): BerElement | undefined {
  const contents = fieldOf(element, 1);
  return contents?.tag === types.set ? contents : undefined;
}

/**
 * The tags of elements that have only their own number, below another element; and of elements that
 * have a whole path (`QUALIFIED`).
 */
const NUMBERED: readonly number[] = [tags.node, tags.parameter, tags.matrix, tags.function];
const QUALIFIED: readonly number[] = [
  tags.qualifiedNode,
  tags.qualifiedParameter,
  tags.qualifiedMatrix,
  tags.qualifiedFunction,
];

function placeOf(element: BerElement, above: readonly number[]): readonly number[] | undefined {
  const place = fieldOf(element, 0);
  if (QUALIFIED.includes(element.tag)) return pathOf(place);
  if (!NUMBERED.includes(element.tag)) return undefined;
  const number = integerOf(place);
  return number === undefined ? undefined : [...above, number];
}

function readCommand(command: BerElement): Asked | undefined {
  switch (integerOf(fieldOf(command, 0))) {
    case commands.subscribe:
      return { kind: "subscribe" };
    case commands.unsubscribe:
      return { kind: "unsubscribe" };
    case commands.directory:
      return { kind: "directory" };
    case commands.invoke:
      return readInvocation(fieldOf(command, 2));
  }
}

function readInvocation(invocation: BerElement | undefined): Asked | undefined {
  if (invocation?.tag !== tags.invocation) return undefined;
  const given = fieldOf(invocation, 1)?.inside ?? [];
  const values = given.map(({ inside }) => valueOf(inside[0]));
  if (values.includes(undefined)) return undefined;
  const id = integerOf(fieldOf(invocation, 0));
  return { kind: "invoke", id, arguments: values as readonly BerValue[] };
}

function connectionsOf(collection: BerElement | undefined): Connect[] {
  const connections: Connect[] = [];
  for (const { inside: [element] } of collection?.inside ?? []) {
    const target = element?.tag === tags.connection ? integerOf(fieldOf(element, 0)) : undefined;
    if (element === undefined || target === undefined) continue;
    const sources = pathOf(fieldOf(element, 1)) ?? [];
    const operation = integerOf(fieldOf(element, 2)) ?? operations.absolute;
    connections.push({ target, sources, operation });
  }
  return connections;
}
