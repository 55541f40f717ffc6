import { assert, assertEquals, assertMatch } from "@std/assert";
import { errorCodes, isRefusal } from "../../../core/errors.ts";
import type { Picture } from "../../../core/pictures/picture.ts";
import { findPicture, updatePicture } from "../../../core/pictures/resource.ts";
import type { Console } from "../../../core/console.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { demoWith, refusalOf, result, testConsole } from "../../service.ts";
import { actor, resultOf } from "../actors.ts";
import { recordingStore, settled, stagedStore } from "../stores.ts";
import { check, checked, end, header, latin1, pixels, png, smallPng } from "./made-png.ts";

const otherPng = png(header({ width: 7 }), pixels, end);
const twoResources = demoWith({ resources: [{ id: 1 }, { id: 9 }] });

function pictureOf({ state }: Pick<Console, "state">, id = 1): Picture {
  const found = findPicture(state, id);
  if (isRefusal(found)) throw new Error(found.message);
  return found;
}

Deno.test("a picture is kept byte for byte, with a version that is new after each replacement", async () => {
  const console = await testConsole({ configuration: twoResources });
  const versions = new Set<string>();
  for (const bytes of [smallPng, otherPng, otherPng]) {
    await result(console, updatePicture(1, checked(bytes)));
    const picture = pictureOf(console);
    assertEquals(picture.bytes, bytes);
    assertMatch(picture.version, /^[\w-]+$/);
    versions.add(picture.version);
  }
  assertEquals(versions.size, 3);
  await result(console, updatePicture(9, checked(smallPng)));
  assertEquals([pictureOf(console).bytes, pictureOf(console, 9).bytes], [otherPng, smallPng]);
});

Deno.test("a picture may be replaced without a token, and by a user in no group", async () => {
  const console = await testConsole();
  for (const [name, bytes] of [["nobody", smallPng], ["none", otherPng]] as const) {
    await resultOf(console, updatePicture(1, checked(bytes)), actor(console, name));
    assertEquals(pictureOf(console).bytes, bytes);
  }
});

Deno.test("a picture does not keep its request in memory", async () => {
  const console = await testConsole({ configuration: twoResources });
  const request = new Uint8Array(1024 + smallPng.length);
  request.set(smallPng, 1024);
  await result(console, updatePicture(1, checked(request.subarray(1024))));
  assertEquals(pictureOf(console).bytes.buffer.byteLength, smallPng.length);
});

Deno.test("a checked picture is kept without a copy, and found again after a restart", async () => {
  const store = recordingStore();
  const console = await testConsole({ configuration: twoResources, store });
  await result(console, updatePicture(9, checked(otherPng)));
  assert(pictureOf(console, 9).bytes === otherPng);
  const again = await testConsole({ configuration: twoResources, records: store.records });
  assertEquals(pictureOf(again, 9), pictureOf(console, 9));
});

Deno.test("a resource that is not configured is error 6, a file that is not a PNG error 3; nothing changes", async () => {
  const console = await testConsole();
  await result(console, updatePicture(1, checked(smallPng)));
  const { state } = console;
  const rows = [
    [2, smallPng, errorCodes.noSuchObject],
    [-1, smallPng, errorCodes.noSuchObject],
    [2, latin1("GIF89a"), errorCodes.invalidParameter],
    [1, latin1("GIF89a"), errorCodes.invalidParameter],
    [1, smallPng.subarray(0, -1), errorCodes.invalidParameter],
    [1, new Uint8Array(), errorCodes.invalidParameter],
  ] as const;
  for (const [id, bytes, code] of rows) {
    const picture = check(bytes);
    const outcome = isRefusal(picture)
      ? picture
      : refusalOf(await console.dispatch(updatePicture(id, picture), {}));
    assertEquals(outcome.code, code);
    assertMatch(outcome.message, code === errorCodes.noSuchObject ? /^id: / : /^file\b/);
  }
  assert(console.state === state);
});

Deno.test("a resource without an upload has no picture, nor has an unknown resource: error 6", async () => {
  const { state } = await testConsole();
  for (const id of [1, 2, NaN]) {
    const found = findPicture(state, id);
    assert(isRefusal(found) && found.code === errorCodes.noSuchObject);
  }
});

Deno.test("the old picture stays until the new one is on the medium, and stays if the write fails", async () => {
  const store = stagedStore();
  const console = await testConsole({ store });
  await result(console, updatePicture(1, checked(smallPng)));
  const before = pictureOf(console);
  store.hold();
  const failing = console.dispatch(updatePicture(1, checked(otherPng)), {});
  await settled();
  assert(pictureOf(console) === before);
  await store.fail("no space");
  const outcome = await failing;
  assert(isRefusal(outcome) && outcome.code === errorCodes.notStored);
  assertMatch(outcome.message, /no space/);
  assert(pictureOf(console) === before);
  const storing = console.dispatch(updatePicture(1, checked(otherPng)), {});
  await store.release();
  await storing;
  assertEquals(pictureOf(console).bytes, otherPng);
});

Deno.test("pictures survive a restart through their records, whatever bytes they hold", async () => {
  const store = recordingStore();
  const console = await testConsole({ store, configuration: twoResources });
  await result(console, updatePicture(1, checked(smallPng)));
  await result(console, updatePicture(9, checked(smallPng)));
  await result(console, updatePicture(1, checked(otherPng)));
  await result(console, addUser({ name: "after", groups: 1, admin: false }));
  const { records } = store;
  const restarted = await testConsole({ records, configuration: twoResources });
  assertEquals(restarted.state.pictures, console.state.pictures);
  assert(restarted.state.users.has("after"));
  assert(records.length > 0 && records.some((record) => record.length < 4 * smallPng.length));
});

Deno.test("a picture whose resource the configuration no longer has is not found", async () => {
  const store = recordingStore();
  const console = await testConsole({ store, configuration: twoResources });
  await result(console, updatePicture(9, checked(smallPng)));
  const restarted = await testConsole({ records: store.records });
  assert(isRefusal(findPicture(restarted.state, 9)));
});
