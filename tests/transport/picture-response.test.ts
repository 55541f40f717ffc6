import { assertEquals } from "@std/assert";
import { pictureResponse } from "../../transport/pictures.ts";
import { smallPng } from "../core/pictures/made-png.ts";

const address = "http://127.0.0.1/pictures/1";

function answer(method: string, ifNoneMatch?: string) {
  const headers = ifNoneMatch === undefined ? undefined : { "if-none-match": ifNoneMatch };
  return pictureResponse(
    new Request(address, { method, headers: headers ?? {} }),
    smallPng,
    "abc1",
  );
}

Deno.test("a picture is served as a PNG with a strong ETag, to be asked about each time, and to no page of others", async () => {
  const response = answer("GET");
  assertEquals(response.status, 200);
  assertEquals(Object.fromEntries(response.headers), {
    "cache-control": "no-cache",
    "content-length": String(smallPng.length),
    "content-type": "image/png",
    "cross-origin-resource-policy": "same-origin",
    "etag": '"abc1"',
    "x-content-type-options": "nosniff",
  });
  assertEquals(new Uint8Array(await response.arrayBuffer()), smallPng);
});

Deno.test("HEAD has the headers of GET and no body", async () => {
  const response = answer("HEAD");
  assertEquals([...response.headers], [...answer("GET").headers]);
  assertEquals((await response.arrayBuffer()).byteLength, 0);
});

Deno.test("who has the picture gets 304, who has another or none gets it", async () => {
  const table: readonly (readonly [string | undefined, number])[] = [
    [undefined, 200],
    ["", 200],
    ['"abc1"', 304],
    ['W/"abc1"', 304],
    ['"old", "abc1"', 304],
    ['"old","abc1","older"', 304],
    [' "abc1" ', 304],
    ["*", 304],
    ['"old"', 200],
    ['"ABC1"', 200],
    ["abc1", 200],
    ['"abc"', 200],
  ];
  for (const method of ["GET", "HEAD"]) {
    for (const [ifNoneMatch, status] of table) {
      const response = answer(method, ifNoneMatch);
      assertEquals([ifNoneMatch, response.status], [ifNoneMatch, status]);
      assertEquals(response.headers.get("etag"), '"abc1"');
      assertEquals(response.headers.get("cache-control"), "no-cache");
      if (status === 304) assertEquals((await response.arrayBuffer()).byteLength, 0);
    }
  }
});

Deno.test("over a real socket GET, HEAD and 304 come as they should", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => pictureResponse(request, smallPng, "abc1"),
  );
  const url = `http://127.0.0.1:${server.addr.port}/pictures/1`;
  const got = await fetch(url);
  assertEquals(new Uint8Array(await got.arrayBuffer()), smallPng);
  const head = await fetch(url, { method: "HEAD" });
  assertEquals(head.headers.get("content-length"), String(smallPng.length));
  assertEquals(await head.text(), "");
  const again = await fetch(url, { headers: { "if-none-match": got.headers.get("etag")! } });
  assertEquals([again.status, await again.text()], [304, ""]);
  await server.shutdown();
});
