/**
 * The answers and updates of the provider, as Glow: a flat list of elements with whole paths.
 *
 * @module
 */
import { type BerValue, type BerWriter, createBerWriter, field, types } from "./ber.ts";
import {
  ACCESS,
  type Argument,
  type Element,
  type FunctionElement,
  type MatrixElement,
  type NodeElement,
  PARAMETER_TYPES,
  type ParameterElement,
  type ParameterType,
} from "./element.ts";
import { tags } from "./glow.ts";

/** The number of elements that are written in one step. */
export const ELEMENTS_IN_A_STEP = 32;

/**
 * Type and addressing of a matrix in Glow: each target has at most one source, and the numbers of
 * targets and sources need not be consecutive.
 */
const ONE_TO_N = 0;
const NON_LINEAR = 1;

/** The name of the only labels of a matrix. */
const LABELS = "Primary";

/** The outcome of a requested connection, by its number in Glow. */
export const dispositions = { tally: 0, modified: 1, locked: 3 } as const;

/** A connection of a matrix: a target and the source that it has. */
export interface Connected {
  readonly target: number;
  readonly source: number | undefined;
  readonly disposition: number;
}

/** A message that is being written. */
export interface GlowMessage {
  /** Adds an element with its contents, as one in a directory. */
  element(path: readonly number[], element: Element, stream?: number): void;
  /** Adds a function as the answer to the request for its own directory. */
  function(path: readonly number[], element: FunctionElement): void;
  /** Adds a node of the root by its number alone, as consumers expect those. */
  rootNode(number: number, element: NodeElement): void;
  /** Adds a node without its contents, which says that it has no children. */
  emptyNode(path: readonly number[]): void;
  /** Adds the value of a parameter; null says that it does not exist now. */
  value(path: readonly number[], type: ParameterType, value: BerValue): void;
  /** Adds a node that does not exist any more. */
  goneNode(path: readonly number[]): void;
  /** Adds a matrix with its contents, targets, sources and connections. */
  matrix(path: readonly number[], matrix: MatrixElement): void;
  /** Adds connections of a matrix, with its identifier, because one library needs that. */
  connections(
    path: readonly number[],
    identifier: string,
    connections: readonly Connected[],
  ): void;
  readonly isEmpty: boolean;
  bytes(): Uint8Array;
}

/** Begins a message. */
export function createGlowMessage(): GlowMessage {
  const writer = createBerWriter();
  const items = (tag: number, inside: () => void) =>
    writer.container(field(0), () => writer.container(tag, inside));
  const pathOf = (path: readonly number[]) => writer.container(field(0), () => writer.path(path));
  const contents = (inside: () => void) =>
    writer.container(field(1), () => writer.container(types.set, inside));

  // One library waits for the children of every element whose directory it asks for.
  const noChildren = () =>
    writer.container(field(2), () => writer.container(tags.collection, () => {}));

  return {
    element(path, element, stream) {
      items(QUALIFIED[element.kind], () => {
        pathOf(path);
        contents(() => writeContents(writer, element, stream));
      });
    },
    function(path, element) {
      items(tags.qualifiedFunction, () => {
        pathOf(path);
        contents(() => writeContents(writer, element, undefined));
        noChildren();
      });
    },
    rootNode(number, element) {
      items(tags.node, () => {
        writer.container(field(0), () => writer.integer(number));
        contents(() => writeContents(writer, element, undefined));
      });
    },
    emptyNode: (path) => items(tags.qualifiedNode, () => pathOf(path)),
    value(path, type, value) {
      items(tags.qualifiedParameter, () => {
        pathOf(path);
        contents(() => {
          if (value === null) writeField(writer, 9, false);
          else writer.container(field(2), () => writeValue(writer, type, value));
        });
      });
    },
    goneNode(path) {
      items(tags.qualifiedNode, () => {
        pathOf(path);
        contents(() => writeField(writer, 3, false));
      });
    },
    matrix(path, matrix) {
      items(tags.qualifiedMatrix, () => {
        pathOf(path);
        contents(() => writeContents(writer, matrix, undefined));
        noChildren();
        writeNumbers(writer, 3, tags.target, matrix.targets);
        writeNumbers(writer, 4, tags.source, matrix.sources);
        writeConnections(
          writer,
          matrix.targets.map((target) => ({
            target,
            source: matrix.sourceOf(target),
            disposition: dispositions.tally,
          })),
        );
      });
    },
    connections(path, identifier, connections) {
      items(tags.qualifiedMatrix, () => {
        pathOf(path);
        contents(() => writeField(writer, 0, identifier));
        writeConnections(writer, connections);
      });
    },
    get isEmpty() {
      return writer.length === 0;
    },
    bytes() {
      const inside = writer.bytes();
      const whole = createBerWriter();
      whole.container(
        tags.root,
        () => whole.container(tags.rootCollection, () => whole.raw(inside)),
      );
      return whole.bytes();
    },
  };
}

const QUALIFIED: Readonly<Record<Element["kind"], number>> = {
  node: tags.qualifiedNode,
  parameter: tags.qualifiedParameter,
  matrix: tags.qualifiedMatrix,
  function: tags.qualifiedFunction,
};

/** Returns the message with values of streams, each by its identifier. */
export function streamsMessage(values: Iterable<readonly [number, number]>): Uint8Array {
  const writer = createBerWriter();
  writer.container(tags.root, () =>
    writer.container(tags.streams, () => {
      for (const [id, value] of values) {
        writer.container(field(0), () =>
          writer.container(tags.streamEntry, () => {
            writer.container(field(0), () => writer.integer(id));
            writer.container(field(1), () => writer.integer(value));
          }));
      }
    }));
  return writer.bytes();
}

/** Returns the message with the result of a call: a text. */
export function resultMessage(id: number, success: boolean, result: string): Uint8Array {
  const writer = createBerWriter();
  writer.container(tags.root, () =>
    writer.container(tags.invocationResult, () => {
      writer.container(field(0), () => writer.integer(id));
      writer.container(field(1), () => writer.boolean(success));
      writer.container(field(2), () =>
        writer.container(types.sequence, () =>
          writer.container(field(0), () =>
            writer.text(result))));
    }));
  return writer.bytes();
}

/** The result of every function is a text, which is JSON. */
const RESULT: readonly Argument[] = [{ name: "result", type: "string" }];

function writeContents(writer: BerWriter, element: Element, stream: number | undefined): void {
  writeField(writer, 0, element.identifier);
  writeField(writer, 1, element.description);
  switch (element.kind) {
    case "node":
      return writeField(writer, 3, true);
    case "parameter":
      return writeParameter(writer, element, stream);
    case "matrix":
      return writeMatrix(writer, element);
    case "function":
      return writeFunction(writer, element);
  }
}

function writeParameter(
  writer: BerWriter,
  { type, access, min, max, format, enumeration, factor, value }: ParameterElement,
  stream: number | undefined,
): void {
  const current = value();
  const typed = (number: number, value: BerValue | undefined) => {
    if (value === undefined || value === null) return;
    writer.container(field(number), () => writeValue(writer, type, value));
  };
  typed(2, current);
  typed(3, min);
  typed(4, max);
  writeField(writer, 5, ACCESS[access]);
  writeField(writer, 6, format);
  writeField(writer, 7, enumeration?.join("\n"));
  writeField(writer, 8, factor);
  writeField(writer, 9, current !== null);
  writeField(writer, 13, PARAMETER_TYPES[type]);
  writeField(writer, 14, stream);
}

function writeMatrix(writer: BerWriter, { targets, sources, labels }: MatrixElement): void {
  writeField(writer, 2, ONE_TO_N);
  writeField(writer, 3, NON_LINEAR);
  // One library only takes numbers below the count, even if the numbers are not consecutive.
  writeField(writer, 4, Math.max(-1, ...targets) + 1);
  writeField(writer, 5, Math.max(-1, ...sources) + 1);
  writer.container(
    field(10),
    () =>
      writer.container(
        types.sequence,
        () =>
          writer.container(field(0), () =>
            writer.container(tags.label, () => {
              writer.container(field(0), () => writer.path(labels));
              writeField(writer, 1, LABELS);
            })),
      ),
  );
}

function writeFunction(writer: BerWriter, { arguments: args }: FunctionElement): void {
  for (const [number, items] of [[2, args], [3, RESULT]] as const) {
    writer.container(field(number), () =>
      writer.container(types.sequence, () => {
        for (const { name, type } of items) {
          writer.container(field(0), () =>
            writer.container(tags.argument, () => {
              writeField(writer, 0, PARAMETER_TYPES[type]);
              writeField(writer, 1, name);
            }));
        }
      }));
  }
}

function writeNumbers(
  writer: BerWriter,
  number: number,
  tag: number,
  numbers: readonly number[],
): void {
  writer.container(field(number), () =>
    writer.container(types.sequence, () => {
      for (const one of numbers) {
        writer.container(field(0), () => writer.container(tag, () => writeField(writer, 0, one)));
      }
    }));
}

function writeConnections(writer: BerWriter, connections: readonly Connected[]): void {
  writer.container(field(5), () =>
    writer.container(types.sequence, () => {
      for (const { target, source, disposition } of connections) {
        writer.container(field(0), () =>
          writer.container(tags.connection, () => {
            writeField(writer, 0, target);
            writer.container(field(1), () => writer.path(source === undefined ? [] : [source]));
            writeField(writer, 2, 0);
            writeField(writer, 3, disposition);
          }));
      }
    }));
}

/** Writes a field of an integer, a boolean or a text, if there is one. */
function writeField(
  writer: BerWriter,
  number: number,
  value: number | boolean | string | undefined,
): void {
  if (value === undefined) return;
  writer.container(field(number), () => {
    if (typeof value === "number") writer.integer(value);
    else if (typeof value === "boolean") writer.boolean(value);
    else writer.text(value);
  });
}

/**
 * Writes a value by the type of its parameter: the value alone does not tell an integer from a
 * real.
 */
function writeValue(writer: BerWriter, type: ParameterType, value: NonNullable<BerValue>): void {
  if (typeof value === "boolean") writer.boolean(value);
  else if (typeof value === "string") writer.text(value);
  else if (typeof value !== "number") writer.octets(value);
  else if (type === "real") writer.real(value);
  else writer.integer(Math.round(value));
}
