/** An address on which the service listens. */
export interface ListenAddress {
  readonly hostname: string;
  /** The port; 0 selects a free one. */
  readonly port: number;
}

/**
 * Reads an address like `127.0.0.1:8080` or `[::1]:8080`; undefined for any other text, and for a
 * port beyond 65535.
 */
export function readListenAddress(text: string): ListenAddress | undefined {
  const match = /^(?:\[([0-9a-fA-F:]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) return undefined;
  return { hostname: match[1] ?? match[2]!, port };
}
