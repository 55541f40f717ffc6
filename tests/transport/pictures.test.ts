/** Pictures from `updatepic` to `/pictures/<id>`, over a real connection. */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { concat } from "@std/bytes/concat";
import {
  act,
  type ActionAnswer,
  formFile,
  heldStore,
  startService,
  stillClock,
  type TestService,
  tokens,
  unlimitedWith,
  until,
} from "../service.ts";
import { recordingStore } from "../core/stores.ts";
import {
  chunk,
  end,
  header,
  latin1,
  pixels,
  png,
  smallPng,
  uint32,
} from "../core/pictures/made-png.ts";

const configuration = unlimitedWith();
const MiB = 1024 * 1024;

/** Another whole PNG. */
const otherPng = png(header({ width: 5 }), pixels, end);

function update(service: TestService, content: Uint8Array, name = "logo.png", ObjectID = 1) {
  const file = formFile(content, name);
  return act(service, "updatepic", { ObjectID, file }, "multipart");
}

function get(service: TestService, headers: Record<string, string> = {}, path = "/pictures/1") {
  return fetch(service.url + path, { headers });
}

async function bytes(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer());
}

function paddedTo(size: number): Uint8Array {
  const around = png(header(), chunk("tEXt"), pixels, end).length;
  return png(header(), chunk("tEXt", new Uint8Array(size - around)), pixels, end);
}

const animated = png(
  header(),
  chunk("acTL", concat([uint32(1), uint32(0)])),
  chunk("fcTL", concat([uint32(0), uint32(3), uint32(2), new Uint8Array(14)])),
  pixels,
  end,
);

Deno.test("a picture is a PNG by its content, whatever its name: it is served as it was sent", async () => {
  await using service = await startService({ configuration });
  const pictures: readonly (readonly [string, Uint8Array, string])[] = [
    ["a PNG", smallPng, "logo.png"],
    ["a PNG named .jpg", otherPng, "logo.jpg"],
    ["an APNG", animated, "logo.png"],
    ["4 MiB", paddedTo(4 * MiB), "large.png"],
    ["4096 x 4096", png(header({ width: 4096, height: 4096 }), pixels, end), ""],
  ];
  for (const [what, content, name] of pictures) {
    const { status, json } = await update(service, content, name);
    assertEquals([what, status, json.Error], [what, 200, undefined]);
    const response = await get(service);
    assertEquals(response.headers.get("content-type"), "image/png");
    assert(indexedEqual(await bytes(response), content), what);
  }
});

function indexedEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at]);
}

Deno.test("anything else is refused with its reason, and the old picture stays", async () => {
  await using service = await startService({ clock: stillClock(), configuration });
  await update(service, smallPng);
  const { state } = service.console;
  const etag = await etagOf(service);
  const parts = [header(), chunk("tEXt", latin1("Title\0x")), pixels, end];
  const wrongCrc = parts.map((_, index) =>
    png(...parts.map((part, at) => {
      const copy = part.slice();
      if (at === index) copy[copy.length - 1]! ^= 1;
      return copy;
    }))
  );
  const refused: readonly (readonly [Uint8Array, RegExp])[] = [
    [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), /JPG/],
    [latin1("GIF89a\x01\0\x01\0"), /GIF/],
    [new Uint8Array(), /empty/],
    [png(header({ width: 5000, height: 10 }), pixels, end), /5000 x 10/],
    [png(header({ width: 10, height: 5000 }), pixels, end), /10 x 5000/],
    [paddedTo(4 * MiB + 1), /4194305/],
    [concat([smallPng, latin1("x")]), /after the end/],
    ...wrongCrc.map((content) => [content, /CRC/] as const),
    ...Array.from(
      smallPng.subarray(1),
      (_, cut) => [smallPng.subarray(0, cut + 1), /cut off/] as const,
    ),
  ];
  for (const [content, reason] of refused) {
    const { status, json } = await update(service, content);
    assertEquals([status, json.ObjectID, json.file], [200, 1, "logo.png"]);
    assertMatch(json.Error, reason);
    assertMatch(json.Error, /^file\b/);
  }
  assert(service.console.state === state);
  assertEquals(await etagOf(service), etag);
});

Deno.test("a 5 MiB PNG is too large: 413", async () => {
  await using service = await startService({ clock: stillClock(), configuration });
  const { state } = service.console;
  const { status, json } = await update(service, paddedTo(5 * MiB));
  assertEquals([status, json.Action], [413, "updatepic"]);
  assertMatch(json.Error, /too large/);
  assert(service.console.state === state);
});

Deno.test("two file parts, none, an empty one, text in its place: an Error each", async () => {
  await using service = await startService({ clock: stillClock(), configuration });
  const { state } = service.console;
  const file = formFile(smallPng, "logo.png");
  const rows = [
    [[file, file], /^file: .*once.*2 times/],
    [undefined, /^file: .*missing/],
    [formFile("", ""), /^file: .*missing/],
    ["logo.png", /^file: .*got "logo\.png"/],
  ] as const;
  for (const [file, error] of rows) {
    const answer = await act(service, "updatepic", { ObjectID: 1, file }, "multipart");
    assertEquals(answer.status, 200);
    assertMatch(answer.json.Error, error);
  }
  assert(service.console.state === state);
});

Deno.test("a resource that the configuration does not name has no picture", async () => {
  await using service = await startService({ clock: stillClock(), configuration });
  const { state } = service.console;
  for (const id of [0, 2, -1]) {
    const { json } = await update(service, smallPng, "logo.png", id);
    assertMatch(json.Error, /^ObjectID: there is no resource/);
  }
  assert(service.console.state === state);
  for (const id of ["1", "2", "", "x", "-1", "1.0", "1/", "%31", "__proto__", "9".repeat(30)]) {
    const response = await get(service, {}, `/pictures/${id}`);
    assertEquals([id, response.status], [id, 404]);
    const { message } = (await response.json()).error;
    assertMatch(message, /resource|picture/);
    assert(!message.includes("NaN"), message);
  }
});

async function etagOf(service: TestService): Promise<string> {
  const response = await get(service);
  await response.body?.cancel();
  return response.headers.get("etag")!;
}

Deno.test("a picture has an ETag: 304 for who has it, another after every replacement", async () => {
  await using service = await startService({ configuration });
  const tags: string[] = [];
  for (const content of [smallPng, otherPng, smallPng]) {
    await update(service, content);
    const etag = await etagOf(service);
    assertMatch(etag, /^"[\w-]+"$/);
    assert(!tags.includes(etag));
    for (const known of [etag, `"x", ${etag}`, "*"]) {
      const response = await get(service, { "if-none-match": known });
      assertEquals([response.status, (await bytes(response)).length], [304, 0]);
    }
    for (const old of tags) {
      const response = await get(service, { "if-none-match": old });
      assertEquals(response.status, 200);
      assert(indexedEqual(await bytes(response), content));
    }
    tags.push(etag);
  }
  const head = await fetch(`${service.url}/pictures/1`, { method: "HEAD" });
  assertEquals([head.headers.get("etag"), await head.text()], [tags.at(-1), ""]);
  const posted = await fetch(`${service.url}/pictures/1`, { method: "POST" });
  await posted.body?.cancel();
  assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
});

Deno.test("replacing is all or nothing: the old picture until the new one is durable, and if that fails", async () => {
  const store = heldStore();
  await using service = await startService({ store, configuration });
  await update(service, smallPng);
  const etag = await etagOf(service);
  store.hold();
  for (const fails of [true, false]) {
    let answer: ActionAnswer | undefined;
    const updating = update(service, otherPng).then((come) => answer = come);
    await until(() => store.waiting === 1);
    const meanwhile = await get(service);
    assertEquals([meanwhile.headers.get("etag"), answer], [etag, undefined]);
    assertEquals(await bytes(meanwhile), smallPng);
    if (fails) store.fail("no space left on device");
    else store.store();
    const { status, json } = await updating;
    assertEquals([status, json.ObjectID], [200, 1]);
    if (fails) {
      assertMatch(json.Error, /no space left on device/);
      assertEquals([await etagOf(service), await bytes(await get(service))], [etag, smallPng]);
    } else {
      assertEquals(json.Error, undefined);
      assertNotEquals(await etagOf(service), etag);
      assertEquals(await bytes(await get(service)), otherPng);
    }
  }
});

Deno.test("a picture and its ETag are the same after a restart", async () => {
  const store = recordingStore();
  await using service = await startService({ store, configuration });
  for (const content of [smallPng, otherPng]) await update(service, content);
  await act(service, "setgloballabel", { ObjectID: 1, Name: "after it" });
  const etag = await etagOf(service);
  await using restarted = await startService({ records: store.records, configuration });
  const response = await get(restarted);
  assertEquals([response.headers.get("etag"), await bytes(response)], [etag, otherPng]);
  assertEquals((await act(restarted, "getgloballabel", { ObjectID: 1 })).text, "after it");
});

Deno.test("an uploaded picture has no token to it: who is not logged in may, a wrong token may not", async () => {
  await using service = await startService({ configuration });
  const file = formFile(smallPng);
  for (const [Token, accepted] of [[undefined, true], [tokens.none, true], ["x", false]] as const) {
    const { json } = await act(service, "updatepic", { ObjectID: 1, file, Token }, "multipart");
    assertEquals([Token, json.Error === undefined], [Token, accepted]);
  }
});
