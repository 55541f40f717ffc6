/**
 * The console accepts any snapshot that it gives out, of any size; all other messages have
 * `limits.maxMessageBytes`.
 */
import { assert, assertEquals } from "@std/assert";
import { act, formFile, startService, tokens, unlimitedWith } from "../service.ts";

const FADERS = 800;
const FILE_BYTES = 1024 * 1024;
const MESSAGE_BYTES = 128 * 1024;
const configuration = unlimitedWith({
  mixers: [{ faders: FADERS, mutegroups: 8 }],
  limits: { rest: { burst: 0 }, maxMessageBytes: MESSAGE_BYTES },
});
const known = tokens.admin;

Deno.test("a snapshot of a mixer of 800 faders is read and set, as a message and as a file", async () => {
  await using service = await startService({ configuration });
  const socket = await service.open();
  await socket.ask({ method: "auth", token: known });
  const label = "\u00e9".repeat(128);
  for (let first = 0; first < FADERS; first += 100) {
    const faders = Array.from(
      { length: 100 },
      (_, at) => [first + at, { fader: -at / 7.1, label }],
    );
    const payload = Object.fromEntries(faders);
    assert((await socket.ask({ method: "set", path: "/audio/mixers/0/faders", payload })).success);
  }
  await socket.rpc("savesnapshot", { type: 2, id: "", name: "All", writegroups: 255 });
  const { id } = (await socket.rpc("getsnapshotlist", { type: 2 })).payload.result.at(-1);
  const { payload: { result } } = await socket.rpc("getsnapshot", { id });
  assert(JSON.stringify(result).length > FILE_BYTES);
  for (const isKept of [true, false]) {
    if (!isKept) await socket.rpc("removesnapshot", { id });
    const answer = await socket.rpc("setsnapshot", result);
    assertEquals([answer.success, answer.payload.result], [true, {}]);
  }
  assertEquals((await socket.rpc("getsnapshot", { id })).payload.result, result);
  assert((await service.rpc("setsnapshot", result)).success);
  const { text } = await act(service, "downloadmxsnap", { SnapshotID: 2, Token: known });
  assertEquals(JSON.parse(text), result.snapshotdata);
  const given = { SnapshotID: 3, file: formFile(text, "all.sfp"), Token: known };
  const uploaded = await act(service, "uploadmxsnap", given, "multipart");
  assertEquals([uploaded.status, uploaded.json.Error], [200, undefined]);
  const copy = await act(service, "downloadmxsnap", { SnapshotID: 3, Token: known });
  assertEquals(JSON.parse(copy.text).content, JSON.parse(text).content);
});

const setsnapshot = (length: number) => ({
  method: "rpc",
  payload: { method: "setsnapshot", params: { snapshotdata: { content: "x".repeat(length) } } },
});

Deno.test("any other long message, and a long setsnapshot without a right token, is 1009, over HTTP 413: it is not parsed, and a wrong token is counted", async () => {
  let counted = 0;
  const wrongTokens = { count: () => (counted++, 0) };
  await using service = await startService({ configuration, wrongTokens });
  const long = "x".repeat(MESSAGE_BYTES);
  const label = { method: "setchannellabel", params: { sourceid: 1, label: long } };
  const messages = [
    { method: "set", path: "/audio/mixers/0/faders/0/label", payload: long, token: known },
    { method: "rpc", payload: label, token: known },
    { method: "rpc", payload: long, token: known },
    ...[undefined, "", "aaaaaaaa-00000000-00000000-0000000f"]
      .map((token) => ({ ...setsnapshot(MESSAGE_BYTES), token })),
  ];
  for (const message of messages) {
    const socket = await service.open();
    socket.send(message);
    assertEquals(await socket.closed, 1009);
    const init = { method: "POST", body: JSON.stringify(message) };
    const response = await fetch(`${service.url}/api/rest`, init);
    assertEquals([response.status, (await response.json()).error.code], [413, 11]);
  }
  assertEquals(counted, 2);
});

Deno.test("a long setsnapshot with a right token in any place is answered, up to twice the largest snapshot", async () => {
  await using service = await startService({ configuration });
  const most = 2 * service.console.state.snapshotBytes;
  for (const [length, code] of [[MESSAGE_BYTES, 10], [most, 11]] as const) {
    const message = setsnapshot(length);
    const socket = await service.open();
    await socket.ask({ method: "auth", token: known });
    socket.send(message);
    if (code === 10) assertEquals((await socket.next()).error.code, 10);
    else assertEquals(await socket.closed, 1009);
    const ways = [
      ["", {}, { ...message, token: known }],
      [`?token=${known}`, {}, message],
      ["", { authorization: `Bearer ${known}` }, message],
    ] as const;
    for (const [query, headers, sent] of ways) {
      const init = { method: "POST", headers, body: JSON.stringify(sent) };
      const response = await fetch(`${service.url}/api/rest${query}`, init);
      const { error } = await response.json();
      assertEquals([response.status, error.code], [code === 10 ? 200 : 413, code]);
    }
  }
});
