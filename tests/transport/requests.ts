/**
 * Requests over HTTP for tests.
 *
 * @module
 */

/** Sends a request, by default a GET, and reads its answer to the end. */
export async function ask(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

/** The status of the answer to a request. */
export async function statusOf(url: string, init?: RequestInit): Promise<number> {
  return (await ask(url, init)).status;
}

/** Sends the text of a request to a server, and reads its answer until the server ends it. */
export async function askAsText(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  using connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(text));
  return await new Response(connection.readable).text();
}
