/**
 * Pictures from `updatepic` to `/pictures/<id>`, over a real connection. `tests/core/pictures` has
 * the tables of valid PNGs and of the storage of pictures.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { pictureResponse } from "../../transport/pictures.ts";
import { end, header, pixels, png, smallPng } from "../core/pictures/made-png.ts";
import {
  act,
  formFile,
  startService,
  stillClock,
  type TestService,
  unlimitedWith,
} from "../service.ts";

const configuration = unlimitedWith();

/** Another valid PNG, of the maximum size. */
const largePng = png(header({ width: 4096, height: 4096 }), pixels, end);

function update(service: TestService, file: unknown, ObjectID = 1) {
  const given = file instanceof Uint8Array ? formFile(file, "logo.jpg") : file as File;
  return act(service, "updatepic", { ObjectID, file: given }, "multipart");
}

const get = (service: TestService, headers: Record<string, string> = {}, id = "1") =>
  fetch(`${service.url}/pictures/${id}`, { headers });

async function etagOf(service: TestService): Promise<string> {
  const response = await get(service);
  await response.body?.cancel();
  return response.headers.get("etag")!;
}

Deno.test("a picture is a PNG by its content, is served byte for byte, and has a new ETag after every replacement", async () => {
  await using service = await startService({ configuration });
  const tags: string[] = [];
  for (const content of [smallPng, largePng, smallPng]) {
    const { status, json } = await update(service, content);
    assertEquals([status, json.Error], [200, undefined]);
    const response = await get(service);
    const { etag, date: _, vary: __, ...headers } = Object.fromEntries(response.headers);
    assertEquals(headers, {
      "cache-control": "no-cache",
      "content-length": String(content.length),
      "content-type": "image/png",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    assertEquals(await response.bytes(), content);
    assertMatch(etag!, /^"[\w-]+"$/);
    assert(!tags.includes(etag!));
    const known = await get(service, { "if-none-match": `"x", ${etag}` });
    assertEquals([known.status, await known.text()], [304, ""]);
    for (const old of tags) {
      const changed = await get(service, { "if-none-match": old });
      assertEquals([changed.status, await changed.bytes()], [200, content]);
    }
    tags.push(etag!);
  }
  const head = await fetch(`${service.url}/pictures/1`, { method: "HEAD" });
  assertEquals([head.headers.get("etag"), await head.text()], [tags.at(-1), ""]);
  assertEquals(head.headers.get("content-length"), String(smallPng.length));
  const posted = await fetch(`${service.url}/pictures/1`, { method: "POST" });
  await posted.body?.cancel();
  assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
});

Deno.test("a client with the present ETag gets 304, a client with another or none gets the picture", () => {
  const table: readonly (readonly [string, number])[] = [
    ["", 200],
    ['W/"abc1"', 304],
    ['"old","abc1","older"', 304],
    [' "abc1" ', 304],
    ["*", 304],
    ['"ABC1"', 200],
    ["abc1", 200],
    ['"abc"', 200],
  ];
  for (const method of ["GET", "HEAD"]) {
    for (const [known, status] of table) {
      const headers = { "if-none-match": known };
      const request = new Request("http://127.0.0.1/pictures/1", { method, headers });
      const response = pictureResponse(request, smallPng, "abc1");
      assertEquals([known, response.status], [known, status]);
      assertEquals(response.headers.get("etag"), '"abc1"');
    }
  }
});

Deno.test("any other file is refused with the reason, and the old picture stays", async () => {
  await using service = await startService({ clock: stillClock(), configuration });
  await update(service, smallPng);
  const { state } = service.console;
  const etag = await etagOf(service);
  const file = formFile(smallPng, "logo.png");
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [new Uint8Array(), /^file .*empty/],
    [smallPng.subarray(0, -1), /^file .*cut off/],
    [[file, file], /^file: .*once.*2 times/],
    [undefined, /^file: .*missing/],
    [formFile("", ""), /^file: .*missing/],
    ["logo.png", /^file: .*got "logo\.png"/],
  ];
  for (const [content, reason] of refused) {
    const { status, json } = await update(service, content);
    assertEquals([status, json.ObjectID], [200, 1]);
    assertMatch(json.Error, reason);
  }
  assert(service.console.state === state);
  assertEquals(await etagOf(service), etag);
});

Deno.test("a resource that is not configured has no picture", async () => {
  await using service = await startService({ clock: stillClock(), configuration });
  const { state } = service.console;
  for (const id of [0, 2, -1]) {
    assertMatch((await update(service, smallPng, id)).json.Error, /^ObjectID: there is no res/);
  }
  assert(service.console.state === state);
  for (const id of ["1", "2", "", "x", "-1", "1.0", "1/", "%31", "__proto__", "9".repeat(30)]) {
    const response = await get(service, {}, id);
    assertEquals([id, response.status], [id, 404]);
    const { message } = (await response.json()).error;
    assertMatch(message, /resource|picture/);
    assert(!message.includes("NaN"), message);
  }
});
