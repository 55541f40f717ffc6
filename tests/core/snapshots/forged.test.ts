/** Snapshots forged by somebody who knows the site key, such as the published default key. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { canonicalJson } from "../../../core/json.ts";
import { loadSnapshot } from "../../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { verifySnapshot } from "../../../core/snapshots/setsnapshot.ts";
import { canonicalData, macOfSite } from "../../../core/snapshots/snapshotdata.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { type Json, result, testConsole } from "../../service.ts";
import { actor, codeOf, refusal, valueAt } from "../actors.ts";
import { editor, simulatedConsole } from "../fades/simulated-console.ts";
import { codeOfSetting, dataOf, saved, verified } from "./saved.ts";

const console = await testConsole();
const admin = actor(console, "admin");
const mixer = await dataOf(console, await saved(console, {}));
const channel = await dataOf(console, await saved(console, { type: 1, fader: 0 }));
const byDefault = await dataOf(console, "default");
const macOf = await macOfSite(undefined);

/** The data with some members replaced (undefined: left out) and a valid mac. */
async function forged(data: object, members: Json): Promise<Json> {
  const { mac: _, content, ...rest } = JSON.parse(JSON.stringify({ ...data, ...members }));
  return {
    ...rest,
    content,
    mac: await macOf(canonicalData(canonicalJson(rest), canonicalJson(content))),
  };
}

/** A snapshot, its forged members, and the message of the refusal. */
const table: readonly (readonly [object, Json, RegExp])[] = [
  [mixer, { writegroups: 0 }, /expected writegroups to be an integer from 1 to 255, got 0$/],
  [mixer, { writegroups: 256 }, /expected writegroups .* 1 to 255, got 256$/],
  [mixer, { writegroups: 1.5 }, /expected writegroups .*, got 1\.5$/],
  [mixer, { writegroups: "1" }, /expected writegroups .*, got "1"$/],
  [mixer, { writegroups: undefined }, /expected a member writegroups, it is missing$/],
  [channel, { writegroups: 0 }, /expected writegroups .*, got 0$/],
  [mixer, { readgroups: -1 }, /expected readgroups to be an integer from 0 to 255, got -1$/],
  [mixer, { readgroups: 256 }, /expected readgroups .*, got 256$/],
  [
    mixer,
    { name: "a\u0007b" },
    /expected name to be text of at most 64 characters, none a control/,
  ],
  [mixer, { name: "a\u009bb" }, /expected name/],
  [mixer, { name: "a".repeat(65) }, /expected name to be text of at most 64/],
  [mixer, { name: 1 }, /expected name .*, got 1$/],
  [mixer, { name: null }, /expected name .*, got null$/],
  [byDefault, { name: "a\nb" }, /expected name/],
  [byDefault, { writegroups: 1 }, /expected writegroups to be 0, got 1$/],
  [byDefault, { type: 1 }, /expected type to be 2, got 1$/],
  [mixer, { id: "A" }, /expected id to be a UUID in lower case, got "A"$/],
  [mixer, { id: channel.id.toUpperCase() }, /expected id/],
  [mixer, { id: undefined }, /expected a member id, it is missing$/],
  [mixer, { type: 4 }, /expected type to be 1, 2 or 3, got 4$/],
  [mixer, { mixer: -1 }, /expected mixer to be an integer from 0 to \d+, got -1$/],
  [mixer, { mixer: 1e300 }, /expected mixer/],
  [channel, { mixer: 0 }, /expected no member "mixer"$/],
  [mixer, { factory: true }, /expected no member "factory"$/],
];

for (const [data, members, message] of table) {
  const what = JSON.stringify(members, (_, value) => value === undefined ? "(missing)" : value);
  Deno.test(`snapshotdata with ${what.slice(0, 60)} is refused (3), though its mac is right`, async () => {
    const { state } = console;
    const given = refusal(await verifySnapshot(state, await forged(data, members), withoutPauses));
    assertEquals([given.code, given.parameter], [3, "snapshotdata"]);
    assertMatch(given.message, message);
    const altered = { ...await forged(data, members), mac: "0".repeat(64) };
    assertEquals(await codeOfSetting(console, altered, admin), 10, "the mac comes first");
    assert(console.state === state);
  });
}

for (const fader of [null, "off", true, [5], { dB: 5 }]) {
  const what = JSON.stringify(fader);
  Deno.test(`a load skips the forged level ${what} also if the fader moves, and its fade goes on`, async () => {
    const { console, fade, level, restingLevel, time } = simulatedConsole();
    const data = await forged(channel, { content: { fader, on: true } });
    assertEquals(await codeOfSetting(console, data, editor), 0);
    await fade({ value: 0, seconds: 2 });
    time.runTo(1000);
    const before = level();
    await result(console, loadSnapshot({ id: channel.id, fader: 0 }));
    assertEquals([level(), valueAt(console, "/audio/mixers/0/faders/0/on")], [before, true]);
    time.runTo(2000);
    assertEquals([level(), restingLevel()], [0, 0]);
  });
}

Deno.test("a load skips a channel that the mixer does not have also if the forged content has faders", async () => {
  const console = await testConsole();
  const data = await forged(channel, { content: { sourceid: 999, label: "Nobody", faders: {} } });
  assertEquals(await codeOfSetting(console, data, actor(console, "admin")), 0);
  await result(console, loadSnapshot({ id: channel.id, fader: 1 }));
  const carried = ["sourceid", "label"];
  const [fader, fresh] = [console, await testConsole()]
    .map((one) => carried.map((member) => valueAt(one, `/audio/mixers/0/faders/1/${member}`)));
  assertEquals(fader, fresh);
});

Deno.test("a forged name in another Unicode form is kept in NFC", async () => {
  const given = await verified(console, await forged(mixer, { name: "Zoe\u0308" }));
  assertEquals(given.name, "Zoë");
});

Deno.test("an admin who is in no group may overwrite, modify and remove a snapshot, but not make one", async () => {
  const console = await testConsole();
  await result(console, addUser({ name: "boss", groups: 0, admin: true }));
  const id = await saved(console, {});
  const by = actor(console, "boss");
  const save = { type: 2, id, writegroups: 1, readgroups: 0 } as const;
  const commands = [modifySnapshot({ id, name: "Ours" }), saveSnapshot(save), removeSnapshot(id)];
  for (const command of commands) {
    assertEquals(await codeOf(console, command, actor(console, "none")), 5);
    assertEquals(await codeOf(console, command, by), 0);
  }
  assertEquals(await codeOf(console, saveSnapshot({ ...save, id: "" }), by), 5, "to make one");
});
