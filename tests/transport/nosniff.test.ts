import { assertEquals } from "@std/assert";
import { smallPng } from "../core/pictures/made-png.ts";
import { act, formFile, startService, tokens, unlimitedWith } from "../service.ts";

Deno.test("no browser takes an answer for anything but what it says it is", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  await act(service, "updatepic", { ObjectID: 1, file: formFile(smallPng) }, "multipart");
  await act(service, "savech", { ObjectID: 1, SnapshotID: 1 });
  const calls: readonly (readonly [path: string, method?: string])[] = [
    ["/health"],
    ["/nothing"],
    ["/pictures/1"],
    ["/pictures/2"],
    ["/api/rest/general"],
    ["/api/rest/nothing"],
    ["/api/rest", "POST"],
    ["/api/rest", "PUT"],
    ["/api/ws"],
    ["/action/getgloballabel?ObjectID=1"],
    ["/action/getgloballabel?ObjectID=none"],
    ["/action/downloadchsnap?SnapshotID=1"],
    [`/action/backup?Tags=CONFIG&Token=${tokens.admin}`],
    ["/action/nothing"],
  ];
  for (const [path, method = "GET"] of calls) {
    const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" };
    const response = await fetch(service.url + path, { method, headers });
    await response.body?.cancel();
    const { status } = response;
    const said = response.headers.get("x-content-type-options");
    assertEquals([path, status, said], [path, status, "nosniff"]);
  }
});
