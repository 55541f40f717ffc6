import { assertEquals } from "@std/assert";
import { startService, unlimitedWith } from "../service.ts";
import { openRaw } from "./raw-socket.ts";

/** Whatever keeps others out: health is told. */
const rows: readonly (readonly [what: string, headers: Record<string, string>])[] = [
  ["without a token", {}],
  ["with a wrong token", { authorization: "Bearer x" }],
  ["to a page of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
];

for (const auth of ["optional", "required"] as const) {
  for (const [what, headers] of rows) {
    Deno.test(`GET /health says that the service is ready ${what}, with auth ${auth}`, async () => {
      await using service = await startService({ configuration: unlimitedWith({ auth }) });
      const response = await fetch(`${service.url}/health`, { headers });
      assertEquals([response.status, response.headers.get("content-type")], [
        200,
        "application/json",
      ]);
      assertEquals(await response.json(), {
        live: true,
        ready: true,
        storage: "ok",
        engine: "none",
      });
    });
  }
}

Deno.test("GET /health is answered by whatever name the service is called", async () => {
  await using service = await startService();
  using asked = await openRaw(`${service.url}/health`, { host: "evil.example" });
  assertEquals(asked.status, 200);
});

Deno.test("HEAD /health has no body; another method is 405; no other path is health", async () => {
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
    const response = await fetch(service.url + path, { method });
    const text = await response.text();
    assertEquals([method, path, response.status], [method, path, status]);
    if (method === "HEAD") assertEquals(text, "");
    if (status === 405) assertEquals(response.headers.get("allow"), "GET, HEAD");
  }
});
