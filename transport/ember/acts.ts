/**
 * The requests of a consumer of Ember+ that act on the console. Each is carried out as a request of
 * the control API.
 *
 * @module
 */
import type { Outcome } from "../../core/command.ts";
import { isRefusal } from "../../core/errors.ts";
import type { Envelope } from "../control-api/envelope.ts";
import type { Caller } from "../control-api/method.ts";
import { carryOut } from "../control-api/methods.ts";
import type { BerValue } from "./ber.ts";
import { keyOf } from "./change.ts";
import type { FunctionElement, MatrixElement, ParameterElement } from "./element.ts";
import { type Connect, operations } from "./glow.ts";
import type { Updates } from "./updates.ts";
import { type Connected, createGlowMessage, dispositions, resultMessage } from "./write-glow.ts";

/**
 * Writes an answer when it is sent, with the values then in force: while it waits for the answer to
 * an earlier request, an update with a newer value may be sent.
 */
export type WriteAnswer = () => Uint8Array;

/** The acting requests of one consumer. */
export interface Acts {
  /** Sets a parameter; it is always answered, with the value in force. */
  set(path: readonly number[], element: ParameterElement, value: BerValue): Promise<WriteAnswer>;
  /**
   * Changes connections of the matrix; each of a known target is answered with the source in force.
   */
  connect(
    path: readonly number[],
    matrix: MatrixElement,
    connections: readonly Connect[],
  ): Promise<WriteAnswer>;
  /** Calls a function; a call without an id has no answer. */
  invoke(
    element: FunctionElement,
    values: readonly BerValue[],
    id: number | undefined,
  ): Promise<Uint8Array | undefined>;
}

/** Makes the acts of a consumer, which the control API knows as `caller`. */
export function createActs(caller: Caller, updates: Pick<Updates, "forget">): Acts {
  /** Carries a request out as the control API does. */
  function asked(envelope: Envelope): Outcome<unknown> | Promise<Outcome<unknown>> {
    return carryOut(envelope, caller, false);
  }

  async function set(
    path: readonly number[],
    { setting, type, value }: ParameterElement,
    written: BerValue,
  ): Promise<WriteAnswer> {
    if (setting !== undefined) await asked(setting(written));
    return () => {
      // The answer says what an update would.
      updates.forget(keyOf(path));
      const message = createGlowMessage();
      message.value(path, type, value());
      return message.bytes();
    };
  }

  async function connect(
    path: readonly number[],
    matrix: MatrixElement,
    connections: readonly Connect[],
  ): Promise<WriteAnswer> {
    const changed: Omit<Connected, "source">[] = [];
    for (const connection of connections) {
      const { target } = connection;
      if (!matrix.targets.includes(target)) continue;
      const before = matrix.sourceOf(target);
      const wanted = wantedSource(connection, before);
      const outcome = wanted === before ? undefined : await asked(
        matrix.connecting(target, wanted),
      );
      const isRefused = outcome !== undefined && isRefusal(outcome);
      changed.push({
        target,
        disposition: isRefused ? dispositions.locked : dispositions.modified,
      });
    }
    return () => {
      const connected = changed.map((one): Connected => {
        // The answer says what an update would.
        updates.forget(keyOf([...path, one.target]));
        return { ...one, source: matrix.sourceOf(one.target) };
      });
      const message = createGlowMessage();
      message.connections(path, matrix.identifier, connected);
      return message.bytes();
    };
  }

  async function invoke(
    element: FunctionElement,
    values: readonly BerValue[],
    id: number | undefined,
  ): Promise<Uint8Array | undefined> {
    const outcome = await asked(element.calling(values));
    if (id === undefined) return undefined;
    if (isRefusal(outcome)) return resultMessage(id, false, outcome.message);
    const { result } = outcome.result as { readonly result: unknown };
    return resultMessage(id, true, JSON.stringify(result));
  }

  return { set, connect, invoke };
}

/** Returns the source that a target is to have; `before` is the one that it has now. */
function wantedSource(
  { sources, operation }: Connect,
  before: number | undefined,
): number | undefined {
  if (operation === operations.disconnect) {
    return before !== undefined && sources.includes(before) ? undefined : before;
  }
  const [source] = sources;
  return operation === operations.connect && source === undefined ? before : source;
}
