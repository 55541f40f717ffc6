import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  JSON_MEMBERS,
  MESSAGE_ID_CHARACTERS,
  MESSAGE_VALUES,
  PATH_CHARACTERS,
} from "../../core/limits.ts";
import { ask, statusOf } from "./requests.ts";
import { act, demoWith, formFile, type Json, startService, tokens } from "../service.ts";

const fader = "/audio/mixers/0/faders/0/fader";
const list = (count: number, of: string) => `[${Array(count).fill(of).join()}]`;
const object = (count: number, value = "1") =>
  `{${Array.from({ length: count }, (_, at) => `"m${at}":${value}`).join()}}`;
const rpc = (method: string, params: string) =>
  `{"method":"rpc","payload":{"method":"${method}","params":${params}}}`;

const values = `the message has more than ${MESSAGE_VALUES} values`;
const members = `the message has more than ${JSON_MEMBERS} members in an object or a list`;
const depth = "the message nests deeper than 64 levels";

/** Messages that are slow to parse or to answer, and the reason of their refusal with code 1. */
const costly: readonly (readonly [string, string, string])[] = [
  ["300,000 objects", `{"method":"get","path":"/","x":${list(300_000, "{}")}}`, members],
  ["50,000 objects, few in each", `{"method":"x","x":${list(20, list(2500, "{}"))}}`, values],
  ["55,000 unknown members", `{"method":"set","path":"/","payload":${object(55_000)}}`, members],
  ["55,000 parameters", rpc("savesnapshot", object(55_000)), members],
  ["40,000 members of ten objects", rpc("nosuch", object(10, object(4000))), values],
  [
    "a long list of buttons",
    rpc("setextlist", `{"list":1,"entries":${list(50_000, "{}")}}`),
    members,
  ],
  ["500,000 brackets", `{"method":${"[".repeat(500_000)}`, depth],
  ["brackets in a msgID", `{"method":"get","msgID":${"[".repeat(65)}${"]".repeat(65)}}`, depth],
  ["a snapshot of too many values", rpc("setsnapshot", list(20, list(2500, "{}"))), values],
];

Deno.test("a costly message is refused before it is parsed, with its msgID if that comes first, and the connection stays open", async () => {
  await using service = await startService();
  const socket = await service.open();
  for (const [what, message, sentence] of costly) {
    const answer = await socket.ask(message);
    const error = { code: 1, message: sentence };
    assertEquals([answer.success, answer.error], [false, error], what);
    const over = await ask(`${service.url}/api/rest`, { method: "POST", body: message });
    assertEquals([over.status, JSON.parse(over.text).error], [200, error]);
    const numbered = await socket.ask(message.replace("{", '{"msgID":7,'));
    assertEquals([numbered.msgID, numbered.error], [7, error], what);
    assert((await socket.ask({ method: "get", path: fader })).success);
  }
  const noObject = { method: "POST", body: "[".repeat(500_000) };
  const { status, text } = await ask(`${service.url}/api/rest`, noObject);
  assertEquals([status, JSON.parse(text).error.message], [400, depth]);
});

Deno.test("a path over the limit is error 3 on every interface, and is not echoed", async () => {
  await using service = await startService();
  const socket = await service.open();
  const long = "/".repeat(PATH_CHARACTERS + 1);
  const refused = (answer: Json) => {
    const message = `path: expected at most ${PATH_CHARACTERS} characters, got ${long.length}`;
    assertEquals(answer.error, { code: 3, message });
    assertEquals(answer.path, undefined);
  };
  for (const method of ["get", "set", "subscribe", "unsubscribe"]) {
    refused(await socket.ask({ method, path: long }));
  }
  refused(await service.post({ method: "get", path: long }));
  const tree = `${service.url}/api/rest`;
  refused(JSON.parse((await ask(tree + "/a".padEnd(long.length, "a"))).text));
  const slashes = "/".repeat(10_000);
  assertEquals(await statusOf(`${tree}${slashes}audio/pots/1${slashes}`), 200);
});

/** Values of `msgID`: a name, the number of characters as JSON, the value. */
const msgIDs: readonly (readonly [string, number, unknown])[] = [
  ["a text", 256, "x".repeat(254)],
  ["a text", 257, "x".repeat(255)],
  ["a text of control characters", 260, "\u0001".repeat(43)],
  ["a list", 255, Array(127).fill(1)],
  ["a list", 257, Array(128).fill(1)],
  ["a list in a list", 241, [Array(119).fill(7)]],
  ["an object", 24_006, { a: "x".repeat(23_998) }],
];

Deno.test("a msgID has at most 256 characters as JSON; a longer one is refused (1), and not echoed", async () => {
  for (const [what, characters, msgID] of msgIDs) {
    await using service = await startService();
    const socket = await service.open();
    assertEquals(JSON.stringify(msgID).length, characters, what);
    const isRefused = characters > MESSAGE_ID_CHARACTERS;
    const message = `msgID: expected at most 256 characters as JSON, got ${characters}`;
    const expected = isRefused
      ? { method: "set", path: fader, success: false, error: { code: 1, message } }
      : { msgID, method: "set", path: fader, payload: -7, success: true };
    const set = { msgID, method: "set", path: fader, payload: -7 };
    assertEquals([await socket.ask(set), await service.post(set)], [expected, expected]);
    const left = await socket.ask({ method: "get", path: fader });
    assertEquals(left.payload, isRefused ? -160 : -7, "what is refused changes nothing");
  }
});

Deno.test("a number as msgID whose last digits would be lost is refused (1), and not echoed; others are echoed", async () => {
  await using service = await startService();
  const socket = await service.open();
  const answerTo = (msgID: string) => {
    const text = `{"msgID":${msgID},"method":"get","path":"${fader}"}`;
    return fetch(`${service.url}/api/rest`, { method: "POST", body: text });
  };
  const lost = ["638671234567890123", "-9007199254740992", "1e400"];
  for (const msgID of [...lost, "[9007199254740993]", '{"a":[1,{"b":1e400}]}']) {
    const { success, error, ...rest } = await (await answerTo(msgID)).json();
    assertEquals([success, error.code, "msgID" in rest], [false, 1, false], msgID);
    assertEquals(error.message.startsWith("msgID: expected a number of at most 9007"), true);
  }
  for (const msgID of [9007199254740991, 0.1, -1, 1.5e-300, [0.1, { a: null }]]) {
    assertEquals((await socket.ask({ msgID, method: "get", path: fader })).msgID, msgID);
  }
});

Deno.test("runs of slashes in a URL take no time", async () => {
  await using service = await startService();
  const begun = performance.now();
  await ask(`${service.url}/api/rest/${"/".repeat(50_000)}x`);
  // Searching each run again from each of its slashes took 5 s.
  assert(performance.now() - begun < 2000);
});

Deno.test("a list of 1000 buttons, and a set of all values of a mixer, are within the limits", async () => {
  const mixers = [{ faders: 128, mutegroups: 32, automix: 8, cleanfeeds: 8 }];
  await using service = await startService({ configuration: demoWith({ mixers }) });
  const socket = await service.open();
  const entry = { background: true, color: "ff0000", pagination: false, disabled: false };
  await socket.rpc("registerextlist", { list: 1 });
  const entries = Array.from({ length: 1000 }, (_, at) => ({ label: `Line ${at}`, ...entry }));
  const filled = await socket.rpc("setextlist", { list: 1, entries });
  assertEquals([filled.success, filled.error], [true, undefined]);
  const writable = await socket.ask({ method: "get", path: "/audio/mixers/0" });
  const range = await socket.ask({ method: "get", path: "/range/audio/mixers/0" });
  const payload = writablePart(writable.payload, range.payload);
  const answer = await socket.ask({ method: "set", path: "/audio/mixers/0", payload });
  assertEquals([answer.success, answer.error], [true, undefined]);
});

function writablePart(value: Json, range: Json): Json {
  if (typeof range.type === "string") return value;
  const part = Object.entries(range as object)
    .map(([member, inner]) => [member, writablePart(value[member], inner)]);
  return Object.fromEntries(part);
}

Deno.test("a snapshot file has a maximum of values, and a snapshot of this console is within it", async () => {
  const mixers = [{ faders: 256 }];
  const limits = { rest: { burst: 0 } };
  await using service = await startService({ configuration: demoWith({ mixers, limits }) });
  const upload = (content: string) =>
    act(service, "uploadmxsnap", {
      Token: tokens.admin,
      SnapshotID: 7,
      file: formFile(content, "a.sfp"),
    }, "multipart");
  const { json } = await upload(list(300_000, "{}"));
  assertStringIncludes(
    json.Error,
    'file: expected a snapshot file; "a.sfp" is not JSON of at most',
  );
  const saved = await act(service, "savemx", { Token: tokens.admin, ObjectID: 0, SnapshotID: 3 });
  assertEquals([saved.status, saved.json.Error], [200, undefined]);
  const { text } = await act(service, "downloadmxsnap", { SnapshotID: 3 });
  assertEquals((await upload(text)).json.Error, undefined);
  const set = await service.rpc("setsnapshot", { snapshotdata: JSON.parse(text) });
  assertEquals(set.error, undefined);
});
