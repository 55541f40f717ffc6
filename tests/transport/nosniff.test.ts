import { assertEquals } from "@std/assert";
import { smallPng } from "../core/pictures/made-png.ts";
import { ask } from "./requests.ts";
import { act, formFile, startService, tokens, unlimitedWith } from "../service.ts";

Deno.test("every answer has X-Content-Type-Options: nosniff", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  await act(service, "savech", { ObjectID: 1, SnapshotID: 1 });
  const paths = [
    ..."/health /nothing /pictures/1 /pictures/2 /api/rest/general /api/rest/nothing".split(" "),
    ..."/api/ws /action/getgloballabel?ObjectID=1 /action/getgloballabel?ObjectID=none".split(" "),
    ..."/action/downloadchsnap?SnapshotID=1 /action/nothing".split(" "),
    `/action/backup?Tags=CONFIG&Token=${tokens.admin}`,
  ];
  const calls = [...paths.map((path) => ["GET", path]), ["POST", "/api/rest"], [
    "PUT",
    "/api/rest",
  ]];
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" };
  for (const [method, path] of calls) {
    const answer = await ask(service.url + path, { method: method!, headers });
    assertEquals(answer.headers.get("x-content-type-options"), "nosniff", `${method} ${path}`);
  }
});
