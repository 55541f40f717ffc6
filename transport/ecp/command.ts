/**
 * The type of the commands of ECP.
 *
 * @module
 */
import type { State } from "../../core/state.ts";
import type { Envelope } from "../control-api/envelope.ts";

/** The data of a block. */
export type Data = readonly number[] | Uint8Array;

/** The action that a block asks for. */
export interface Action {
  /**
   * Returns the request to the control API; undefined if nothing is to be changed, or the block
   * names something that does not exist. Without it the block only reads.
   */
  asking?(state: State): Envelope | undefined;
  /** Whether it may start while earlier ones for which this is true are being stored. */
  readonly overlaps?: true;
  /** The logic that it sets: if the client is told of its change, that is the answer. */
  readonly logic?: number;
  /** Whether its client is told of levels from now on. */
  readonly levels?: boolean;
  /**
   * Returns the data of the blocks that answer, with the values then in force; none if the block
   * names something that does not exist. `isDone` says whether the request was carried out.
   */
  answer(state: State, isDone: boolean): readonly Data[];
}

/** A command. */
export interface EcpCommand {
  /** The number of the command in its blocks. */
  readonly number: number;
  /** Its variants, by the length of their data; undefined for data that it does not know. */
  readonly variants: Readonly<Record<number, (data: Uint8Array) => Action | undefined>>;
}
