/**
 * JSON responses.
 *
 * @module
 */

/** A response with a JSON body. */
export function json(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return jsonText(JSON.stringify(value), status, headers);
}

/** A response with a JSON body that is written already. */
export function jsonText(
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(text, {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** The headers of an answer to a body that was not read to its end. */
export const CLOSE: Readonly<Record<string, string>> = { connection: "close" };
