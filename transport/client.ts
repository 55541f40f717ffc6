/**
 * Which client a request came from, for the limits that count per client.
 *
 * @module
 */

/**
 * The client's address: that of the connection, or, behind a trusted proxy
 * (`limits.rest.trustProxy`), the one that the proxy added to `X-Forwarded-For`: the last, for the
 * ones before it are whatever the client sent. An IPv4 address mapped into IPv6 is the same client.
 */
export function clientOf(request: Request, address: string, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers.get("x-forwarded-for") : null;
  const client = forwarded?.split(",").at(-1)?.trim() || address;
  return client.includes(":") ? client.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "") : client;
}
