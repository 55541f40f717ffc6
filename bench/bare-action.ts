/**
 * The peer of `actions.ts`: a bare `Deno.serve` that parses the query of a request and answers, and
 * does nothing else. Argument: the label it answers; with a `Name` in the query it echoes as JSON.
 *
 * @module
 */
import { print } from "./report.ts";

const label = Deno.args[0] ?? "";

Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => print(`http://127.0.0.1:${port}`),
}, (request) => {
  const { searchParams } = new URL(request.url);
  const ObjectID = Number(searchParams.get("ObjectID"));
  const Name = searchParams.get("Name");
  if (Name === null) {
    return new Response(label, { headers: { "content-type": "text/plain; charset=utf-8" } });
  }
  const Debug = { Firmware: "10.3.0", DurationMs: 0 };
  return new Response(JSON.stringify({ ObjectID, Name, Action: "setgloballabel", Debug }), {
    headers: { "content-type": "application/json" },
  });
});
