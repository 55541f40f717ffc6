/** Serving of the files of the device view. */
import { assert, assertEquals } from "@std/assert";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { View, ViewFile } from "../../transport/view.ts";
import { startService, unlimitedWith } from "../service.ts";
import { ask, statusOf } from "./requests.ts";

const text = "<!DOCTYPE html><title>faderd</title>";

function file(type: string, isImmutable: boolean): ViewFile {
  return {
    type,
    isImmutable,
    version: "00ff",
    gzip: new Uint8Array(gzipSync(text)),
    brotli: new Uint8Array(brotliCompressSync(text)),
  };
}

const SCRIPT = "/view.0123456789ab.js";
const view: View = new Map([
  ["/", file("text/html; charset=utf-8", false)],
  [SCRIPT, file("text/javascript; charset=utf-8", true)],
]);

Deno.test("the page and its files are served without a token, with auth required, too", async () => {
  for (const auth of ["optional", "required"] as const) {
    await using service = await startService({ view, configuration: unlimitedWith({ auth }) });
    for (const [path, { type }] of view) {
      const answer = await ask(service.url + path);
      assertEquals([answer.text, answer.headers.get("content-type")], [text, type]);
    }
  }
});

Deno.test("a file with a hash in its name is cached for ever, the page is revalidated each time", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  const page = await ask(service.url);
  const script = await ask(service.url + SCRIPT);
  assertEquals(page.headers.get("cache-control"), "no-cache");
  assertEquals(script.headers.get("cache-control"), "public, max-age=31536000, immutable");
  const etag = page.headers.get("etag")!;
  for (const [sent, status] of [[etag, 304], ['"other"', 200]] as const) {
    const again = await ask(service.url, { headers: { "if-none-match": sent } });
    assertEquals([again.status, again.text], [status, status === 200 ? text : ""]);
  }
});

/** The `Accept-Encoding` of a browser, and the encoding of the answer. */
const encodings: readonly (readonly [accepted: string, sent: string | null])[] = [
  ["gzip, deflate, br, zstd", "br"],
  ["BR", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br;q=0.000, gzip;q=0", null],
  ["identity", null],
  ["brotli", null],
];

Deno.test("a file is sent in the best encoding that the browser accepts, else uncompressed", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  for (const [accepted, sent] of encodings) {
    const headers = { "accept-encoding": accepted };
    const head = await ask(service.url, { method: "HEAD", headers });
    assertEquals([accepted, head.headers.get("content-encoding")], [accepted, sent]);
    assertEquals([head.headers.get("vary"), head.text], ["accept-encoding", ""]);
    assertEquals((await ask(service.url, { headers })).text, text);
  }
});

Deno.test("the page may not load foreign content, run inline scripts, or be framed", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  const { headers } = await ask(service.url);
  const policy = headers.get("content-security-policy")!;
  const own = ["script-src 'self'", "style-src 'self'", "connect-src 'self'"];
  const none = ["default-src", "base-uri", "form-action", "frame-ancestors"];
  for (const rule of [...own, ...none.map((one) => `${one} 'none'`)]) {
    assert(policy.split("; ").includes(rule), rule);
  }
  assert(!/unsafe|https?:/.test(policy));
  const others = ["x-frame-options", "referrer-policy", "x-content-type-options"];
  assertEquals(others.map((name) => headers.get(name)), ["DENY", "no-referrer", "nosniff"]);
});

Deno.test("the page may use MIDI, and a page in it may not", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  const { headers } = await ask(service.url);
  assertEquals(headers.get("permissions-policy"), "midi=(self)");
});

Deno.test("files are read-only: another method than GET and HEAD is 405", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
    const { status, headers } = await ask(service.url, { method });
    assertEquals([status, headers.get("allow")], [405, "GET, HEAD"]);
  }
});

Deno.test("only the known paths are files of the view, and without the view / is 404", async () => {
  await using service = await startService({ view, configuration: unlimitedWith() });
  for (const path of ["/index.html", `${SCRIPT}.gz`, "/sources.txt", "/view/", "//"]) {
    assertEquals([path, await statusOf(service.url + path)], [path, 404]);
  }
  await using without = await startService({ configuration: unlimitedWith() });
  await using off = await startService({ view, configuration: unlimitedWith({ view: false }) });
  for (const { url } of [without, off]) {
    for (const path of ["/", SCRIPT]) {
      const answer = await ask(url + path);
      assertEquals([answer.status, JSON.parse(answer.text).error.code], [404, 6]);
    }
  }
});

Deno.test("a description is read on its first request, and sent in its only encoding", async () => {
  const { brotli: _, ...packed } = file("application/json", false);
  let reads = 0;
  const described = {
    ...packed,
    get gzip() {
      reads++;
      return packed.gzip;
    },
  };
  const view: View = new Map([["/api/openapi.json", described]]);
  await using service = await startService({ view, configuration: unlimitedWith() });
  const url = `${service.url}/api/openapi.json`;
  assertEquals(reads, 0);
  const etag = `W/"${described.version}"`;
  assertEquals(await statusOf(url, { headers: { "if-none-match": etag } }), 304);
  assertEquals(await statusOf(url, { method: "HEAD" }), 200);
  assertEquals(reads, 0);
  for (
    const [accepted, sent] of [["gzip, br", "gzip"], ["br", null], ["identity", null]] as const
  ) {
    const before = reads;
    const answer = await ask(url, { headers: { "accept-encoding": accepted } });
    assertEquals([answer.text, answer.headers.get("content-encoding")], [text, sent]);
    assertEquals(reads, before + 1);
  }
});
