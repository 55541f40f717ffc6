/**
 * The bytes that hostile clients send.
 *
 * @module
 */
import { concat } from "@std/bytes/concat";

/** The bytes repeated this many times. */
export function repeated(bytes: Uint8Array, count: number): Uint8Array {
  return concat(new Array<Uint8Array>(count).fill(bytes));
}

/** Sends bytes again and again until the service has closed the connection. */
export async function sendUntilClosed(
  send: (bytes: Uint8Array) => Promise<void>,
  bytes: Uint8Array,
): Promise<void> {
  for (;;) {
    try {
      await send(bytes);
    } catch {
      return;
    }
  }
}
