import { assertEquals } from "@std/assert";
import { startService, unlimitedWith } from "../service.ts";
import { openRaw } from "./raw-socket.ts";
import { ask } from "./requests.ts";

/** Headers and configurations that refuse other requests, but not `/health`. */
const headers: readonly Record<string, string>[] = [
  {},
  { authorization: "Bearer x" },
  { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
];

Deno.test("GET /health answers every client, under any Host, that the service is ready", async () => {
  for (const auth of ["optional", "required"] as const) {
    await using service = await startService({ configuration: unlimitedWith({ auth }) });
    for (const sent of headers) {
      const answer = await ask(`${service.url}/health`, { headers: sent });
      assertEquals(answer.status, 200);
      assertEquals(answer.headers.get("content-type"), "application/json");
      const expected = { live: true, ready: true, storage: "ok", engine: "none" };
      assertEquals(JSON.parse(answer.text), expected);
    }
    using asked = await openRaw(`${service.url}/health`, { host: "evil.example" });
    assertEquals(asked.status, 200);
  }
});

Deno.test("HEAD /health has no body, another method is 405, and another path is not /health", async () => {
  await using service = await startService();
  for (
    const [method, path, status] of [
      ["HEAD", "/health", 200],
      ["GET", "/health?x=1", 200],
      ["POST", "/health", 405],
      ["PUT", "/health", 405],
      ["OPTIONS", "/health", 405],
      ["GET", "/health/", 404],
      ["GET", "/health/x", 404],
      ["GET", "/Health", 404],
    ] as const
  ) {
    const answer = await ask(service.url + path, { method });
    assertEquals([method, path, answer.status], [method, path, status]);
    if (method === "HEAD") assertEquals(answer.text, "");
    if (status === 405) assertEquals(answer.headers.get("allow"), "GET, HEAD");
  }
});
