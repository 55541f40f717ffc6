/**
 * The send buffer for one consumer of Ember+.
 *
 * @module
 */
import { type ByteOutput, createByteOutput } from "../byte-output.ts";
import { messagePackets } from "./s101.ts";

/** The output to a consumer. */
export interface Output extends Omit<ByteOutput, "send"> {
  /** Sends a message. */
  message(ber: Uint8Array): void;
  /** Sends a packet. */
  packet(bytes: Uint8Array): void;
}

/** Makes the output to a consumer, as {@linkcode createByteOutput} does. */
export function createOutput(...parts: Parameters<typeof createByteOutput>): Output {
  const { send: packet, ...output } = createByteOutput(...parts);
  return { ...output, packet, message: (ber) => packet(messagePackets(ber)) };
}
