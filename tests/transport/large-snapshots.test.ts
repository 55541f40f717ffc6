/** Whatever snapshot the console gives, it takes back. */
import { assert, assertEquals } from "@std/assert";
import { act, formFile, startService, tokens, unlimitedWith } from "../service.ts";

const FADERS = 800;
const MESSAGE_BYTES = 1024 * 1024;
const configuration = unlimitedWith({ mixers: [{ faders: FADERS, mutegroups: 8 }] });

/** A service with a saved mixer, whose snapshot is longer than any other message may be. */
async function largeMixer() {
  const service = await startService({ configuration });
  const label = "\u00e9".repeat(128);
  const faders = Object.fromEntries(
    Array.from({ length: FADERS }, (_, fader) => [fader, { fader: -fader / 7.1, label }]),
  );
  const set = { method: "set", path: "/audio/mixers/0/faders", payload: faders };
  assertEquals((await service.post(set)).success, true);
  await service.rpc("savesnapshot", { type: 2, id: "", name: "All", writegroups: 255 });
  const { payload: { result } } = await service.rpc("getsnapshotlist", { type: 2 });
  return { service, id: result.at(-1).id as string };
}

Deno.test("a snapshot of a mixer of 800 faders comes and goes over WebSocket", async () => {
  const { service, id } = await largeMixer();
  await using _ = service;
  const socket = await service.open();
  await socket.ask({ method: "auth", token: tokens.admin });
  const { payload: { result } } = await socket.rpc("getsnapshot", { id });
  assert(JSON.stringify(result).length > MESSAGE_BYTES);
  for (const kept of [true, false]) {
    if (!kept) await socket.rpc("removesnapshot", { id });
    const answer = await socket.rpc("setsnapshot", result);
    assertEquals([answer.success, answer.payload.result], [true, {}]);
  }
  const again = await socket.rpc("getsnapshot", { id });
  assertEquals(again.payload.result, result);
});

Deno.test("a snapshot of a mixer of 800 faders comes and goes over HTTP, as a message and as a file", async () => {
  const { service, id } = await largeMixer();
  await using _ = service;
  const { payload: { result } } = await service.rpc("getsnapshot", { id });
  assertEquals((await service.rpc("setsnapshot", result)).success, true);
  const Token = tokens.admin;
  const { text } = await act(service, "downloadmxsnap", { SnapshotID: 2, Token });
  assert(text.length > MESSAGE_BYTES);
  const file = formFile(text, "all.sfp");
  const uploaded = await act(service, "uploadmxsnap", { SnapshotID: 3, file, Token }, "multipart");
  assertEquals([uploaded.status, uploaded.json.Error], [200, undefined]);
  const copy = await act(service, "downloadmxsnap", { SnapshotID: 3, Token });
  assertEquals(JSON.parse(copy.text).content, JSON.parse(text).content);
});

Deno.test("any other message stays within limits.maxMessageBytes: 1009, over HTTP 413", async () => {
  await using service = await startService({ configuration });
  const long = "x".repeat(MESSAGE_BYTES);
  const messages = [
    { method: "set", path: "/audio/mixers/0/faders/0/label", payload: long },
    { method: "rpc", payload: { method: "setchannellabel", params: { sourceid: 1, label: long } } },
    { method: "rpc", payload: long },
  ];
  for (const message of messages) {
    const socket = await service.open();
    socket.send(message);
    assertEquals(await socket.closed, 1009);
    const body = JSON.stringify({ token: tokens.admin, ...message });
    const response = await fetch(`${service.url}/api/rest`, { method: "POST", body });
    assertEquals([response.status, (await response.json()).error.code], [413, 11]);
  }
});

const setsnapshot = (length: number) => ({
  method: "rpc",
  payload: { method: "setsnapshot", params: { snapshotdata: { content: "x".repeat(length) } } },
});

Deno.test("a long setsnapshot of nobody known is 1009, over HTTP 413: it is not even parsed, and a wrong token in it counts as one", async () => {
  let counted = 0;
  const wrongTokens = { count: () => (counted++, 0) };
  await using service = await startService({ configuration, wrongTokens });
  const message = setsnapshot(MESSAGE_BYTES);
  for (const token of [undefined, "", "aaaaaaaa-00000000-00000000-0000000f"]) {
    const socket = await service.open();
    socket.send({ ...message, token });
    assertEquals(await socket.closed, 1009);
    const response = await fetch(`${service.url}/api/rest`, {
      method: "POST",
      body: JSON.stringify({ ...message, token }),
    });
    assertEquals([response.status, (await response.json()).error.code], [413, 11]);
  }
  assertEquals(counted, 2);
});

for (const where of ["body", "query", "header", "auth"] as const) {
  Deno.test(`a long setsnapshot is answered where the token is known by ${where}, up to twice the largest snapshot`, async () => {
    await using service = await startService({ configuration });
    const token = tokens.admin;
    const most = 2 * service.console.state.snapshotBytes;
    for (const [length, code] of [[MESSAGE_BYTES, 10], [most, 11]] as const) {
      const message = setsnapshot(length);
      if (where === "auth") {
        const socket = await service.open();
        await socket.ask({ method: "auth", token });
        socket.send(message);
        if (code === 10) assertEquals((await socket.next()).error.code, 10);
        else assertEquals(await socket.closed, 1009);
        continue;
      }
      const response = await fetch(
        `${service.url}/api/rest${where === "query" ? `?token=${token}` : ""}`,
        {
          method: "POST",
          headers: where === "header" ? { authorization: `Bearer ${token}` } : {},
          body: JSON.stringify(where === "body" ? { ...message, token } : message),
        },
      );
      const { error } = await response.json();
      assertEquals([response.status, error.code], [code === 10 ? 200 : 413, code]);
    }
  });
}
