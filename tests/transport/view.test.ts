/** How the files of the device view are served. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { View, ViewFile } from "../../transport/view.ts";
import { startService, unlimitedWith } from "../service.ts";

const text = "<!DOCTYPE html><title>faderd</title>";

function file(type: string, isImmutable: boolean): ViewFile {
  return {
    ...{ type, isImmutable, version: "00ff" },
    gzip: new Uint8Array(gzipSync(text)),
    brotli: new Uint8Array(brotliCompressSync(text)),
  };
}

const SCRIPT = "/view.0123456789ab.js";
const view: View = new Map([
  ["/", file("text/html; charset=utf-8", false)],
  [SCRIPT, file("text/javascript; charset=utf-8", true)],
]);

for (const auth of ["optional", "required"] as const) {
  Deno.test(`the page and its files are served without a token, with auth ${auth}`, async () => {
    await using service = await startService({ view, configuration: unlimitedWith({ auth }) });
    for (const [path, type] of [["/", "text/html"], [SCRIPT, "text/javascript"]] as const) {
      const response = await fetch(service.url + path);
      assertEquals(await response.text(), text);
      assertStringIncludes(response.headers.get("content-type")!, type);
    }
  });
}

Deno.test("a file whose name has its content in it is kept for ever, the page is asked for each time", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  const kept = async (path: string) => {
    const response = await fetch(service.url + path);
    await response.body?.cancel();
    return response.headers.get("cache-control");
  };
  assertEquals(await kept("/"), "no-cache");
  assertEquals(await kept(SCRIPT), "public, max-age=31536000, immutable");
});

Deno.test("what the browser has already is not sent again", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  const first = await fetch(service.url);
  await first.body?.cancel();
  const headers = { "if-none-match": first.headers.get("etag")! };
  const again = await fetch(service.url, { headers });
  assertEquals([again.status, await again.text()], [304, ""]);
  const other = await fetch(service.url, { headers: { "if-none-match": '"other"' } });
  assertEquals([other.status, await other.text()], [200, text]);
});

/** What a browser accepts, and what it is sent. */
const encodings: readonly (readonly [accepted: string, sent: string | null])[] = [
  ["gzip, deflate, br, zstd", "br"],
  ["BR", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br;q=0.000, gzip;q=0", null],
  ["identity", null],
  ["brotli", null],
];

for (const [accepted, sent] of encodings) {
  Deno.test(`who accepts "${accepted}" is sent ${sent ?? "the file unpacked"}`, async () => {
    await using service = await startService({ view, configuration: unlimitedWith() });
    const headers = { "accept-encoding": accepted };
    const response = await fetch(service.url, { method: "HEAD", headers });
    assertEquals(response.headers.get("content-encoding"), sent);
    assertEquals(response.headers.get("vary"), "accept-encoding");
    assertEquals(await (await fetch(service.url, { headers })).text(), text);
  });
}

Deno.test("the page may load nothing of others, run nothing written into it, and stand in no frame", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  const { headers, body } = await fetch(service.url);
  await body?.cancel();
  const policy = headers.get("content-security-policy")!.split("; ");
  const rules = {
    own: ["script-src 'self'", "style-src 'self'", "connect-src 'self'"],
    none: ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  };
  for (const rule of [...rules.own, ...rules.none]) {
    assertEquals(policy.includes(rule), true, rule);
  }
  assertEquals(/unsafe|https?:/.test(policy.join()), false);
  assertEquals(headers.get("x-frame-options"), "DENY");
  assertEquals(headers.get("referrer-policy"), "no-referrer");
  assertEquals(headers.get("x-content-type-options"), "nosniff");
});

Deno.test("files are read only: another method than GET and HEAD is 405", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const response = await fetch(service.url, { method });
    await response.body?.cancel();
    assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD"]);
  }
  const head = await fetch(service.url, { method: "HEAD" });
  assertEquals([head.status, await head.text()], [200, ""]);
});

Deno.test("without the view, or with view false in the configuration, nothing is at /", async () => {
  await using without = await startService({ configuration: unlimitedWith() });
  await using off = await startService({ view, configuration: unlimitedWith({ view: false }) });
  for (const { url } of [without, off]) {
    for (const path of ["/", SCRIPT]) {
      const response = await fetch(url + path);
      assertEquals([response.status, (await response.json()).error.code], [404, 6]);
    }
  }
});

Deno.test("only the names of files are files of the view", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  for (const path of ["/index.html", `${SCRIPT}.gz`, "/sources.txt", "/view/", "//"]) {
    const response = await fetch(service.url + path);
    await response.body?.cancel();
    assertEquals([path, response.status], [path, 404]);
  }
});
