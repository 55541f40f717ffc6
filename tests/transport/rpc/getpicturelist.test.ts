/** The list of pictures: the RPC `getpicturelist`. */
import { assertEquals, assertNotEquals } from "@std/assert";
import { demoWith, startService } from "../../service.ts";
import { smallPng } from "../../core/pictures/made-png.ts";

Deno.test("getpicturelist has each resource with its name and its picture", async () => {
  const resources = [{ id: 1, name: "Logo" }, { id: 9 }];
  await using service = await startService({ configuration: demoWith({ resources }) });
  const list = async () => (await service.rpc("getpicturelist", {})).payload.result;
  const none = { version: null, bytes: 0 };
  assertEquals(await list(), [{ id: 1, name: "Logo", ...none }, {
    id: 9,
    name: "Resource 9",
    ...none,
  }]);
  const upload = async () => {
    const form = new FormData();
    form.set("file", new File([smallPng], "a.png"));
    const url = `${service.url}/action/updatepic?ObjectID=9`;
    const answer = await fetch(url, { method: "POST", body: form });
    assertEquals((await answer.json()).Error, undefined);
    return (await list())[1];
  };
  const first = await upload();
  assertEquals(first.bytes, smallPng.length);
  assertNotEquals((await upload()).version, first.version);
});
