/** The digests of a console's sections (docs/fleet.md), in simulated time. */
import { assertEquals } from "@std/assert";
import type { Command } from "../../../core/command.ts";
import { withoutPauses } from "../../../core/cooperative-scheduler.ts";
import { fadeToValue } from "../../../core/fades/fadetovalue.ts";
import { hexOf } from "../../../core/hex.ts";
import { canonicalJson } from "../../../core/json.ts";
import { setChannelLabel } from "../../../core/labels/setchannellabel.ts";
import { updatePicture } from "../../../core/pictures/resource.ts";
import { sha256 } from "../../../core/sha256.ts";
import { saveSnapshot } from "../../../core/snapshots/savesnapshot.ts";
import { isLeafDefinition, type Ranges } from "../../../core/tree/leaf.ts";
import { OPERATED } from "../../../core/tree/operated.ts";
import { type Parts, partsBelow } from "../../../core/tree/parts.ts";
import { set } from "../../../core/tree/set.ts";
import { formatPath, nest, type Patch, type Path } from "../../../core/tree/tree.ts";
import { addUser } from "../../../core/users/adduser.ts";
import { setViewDocument } from "../../../core/view-documents/setviewdocument.ts";
import { DIGESTS_MS, followDigests } from "../../../fleet/uplink/digests.ts";
import { SECTION_NAMES, touches, TREE_SECTION_NAMES } from "../../../fleet/drift/sections.ts";
import { smallPng } from "../../core/pictures/made-png.ts";
import { demoWith, result, stillClock, testConsole, until } from "../../service.ts";
import { passingTime } from "../../timers.ts";

const clock = stillClock();

/** A console whose digests are made when time passes; `news` counts the changes of digests. */
async function digested() {
  const time = passingTime();
  const configuration = demoWith({
    aes67: {},
    licenses: ["52-8577", "52-8583", "52-8546", "52-8585"],
  });
  const console = await testConsole({ configuration, clock });
  const digests = followDigests(console, {
    timer: time.timer,
    scheduler: withoutPauses,
    onFault(fault) {
      throw fault;
    },
  });
  const news = { count: 0 };
  digests.watch(() => news.count++);
  time.pass(0);
  await until(() => news.count === 1);
  return { ...time, console, digests, news };
}

const changes: Readonly<Record<string, readonly [Command<unknown>, readonly string[]]>> = {
  "a label": [setChannelLabel(1, "News"), ["labels"]],
  "a gain of processing": [
    set("/audio/mixers/0/faders/0/params/eq1/gain", 3),
    ["processing"],
  ],
  "a route": [set("/audio/routing/routes/1", "2"), ["setup"]],
  "a snapshot": [
    saveSnapshot({
      id: "",
      type: 1,
      mixer: 0,
      fader: 0,
      name: "Talk",
      writegroups: 255,
      readgroups: 0,
    }),
    ["snapshots"],
  ],
  "a user": [addUser({ name: "carl", groups: 1, admin: false }), ["users"]],
  "a picture": [updatePicture(1, { bytes: smallPng } as never), ["pictures"]],
  "a view document": [setViewDocument({ name: "pages", document: { a: 1 } }), ["views"]],
  "a level": [set("/audio/mixers/0/faders/0/fader", -3), []],
  "ON": [set("/audio/mixers/0/faders/0/on", true), []],
  "a fade": [fadeToValue({ mixer: 0, fader: 1, value: -20, seconds: 1 }), []],
};

Deno.test("a change gives its section a new digest, and a change of levels or keys changes no digest", async () => {
  const { console, digests, news, pass } = await digested();
  assertEquals(Object.keys(digests.current).toSorted(), SECTION_NAMES.toSorted());
  const { labels } = digests.current;
  const { audio, control } = console.state.tree;
  const label = ({ label }: Record<string, unknown>) => ({ label });
  const each = (branch: unknown, of: (one: never) => unknown) =>
    Object.fromEntries(Object.entries(branch as object).map(([id, one]) => [id, of(one as never)]));
  const value = {
    control: { labels: each((control as Record<string, unknown>).labels, label) },
    audio: {
      mixers: each((audio as Record<string, unknown>).mixers, ({ faders }) => ({
        faders: each(faders, label),
      })),
    },
  };
  assertEquals(labels, hexOf(sha256(new TextEncoder().encode(canonicalJson(value)))));
  for (const [what, [command, sections]] of Object.entries(changes)) {
    const before = digests.current;
    const told = news.count;
    await result(console, command);
    pass(DIGESTS_MS);
    if (sections.length > 0) await until(() => news.count > told);
    const changed = SECTION_NAMES.filter((name) => digests.current[name] !== before[name]);
    assertEquals(changed, sections, what);
  }
});

Deno.test("digests are made at most every 5 s, whatever the number of changes", async () => {
  const { console, digests, news, pass } = await digested();
  const first = digests.current;
  for (let at = 0; at < 40; at++) {
    await result(console, setChannelLabel(1, `News ${at}`));
    pass(DIGESTS_MS / 50);
  }
  assertEquals([news.count, digests.current], [1, first]);
  pass(DIGESTS_MS / 5);
  await until(() => news.count === 2);
  digests.stop();
  await result(console, setChannelLabel(1, "Later"));
  pass(10 * DIGESTS_MS);
  assertEquals(news.count, 2);
});

/** Writable leaves that no operator sets and that belong to no section: levels and on keys. */
const LEVELS = /\/(autolevelgain|outgain|cut)$|\/busparams\/.*\/(on|gain|passive)$|\/streams\//;

Deno.test("each writable leaf belongs to one section, or is a control that is moved on air", async () => {
  const { console, digests } = await digested();
  digests.stop();
  const lost: string[] = [];
  const look = (ranges: Ranges, path: Path, operated: Parts | undefined): void => {
    for (const [member, inner] of Object.entries(ranges)) {
      const below = operated === undefined ? undefined : partsBelow(operated, member);
      const at = [...path, member];
      if (!isLeafDefinition(inner)) {
        look(inner, at, below);
        continue;
      }
      const patch = nest(at, 1) as Patch;
      const sections = TREE_SECTION_NAMES.filter((name) => touches(name, patch));
      const isMoved = below === true || LEVELS.test(formatPath(at));
      const isLabel = sections.includes("labels");
      if (sections.length !== 1 && !(isMoved && sections.length === 0)) lost.push(formatPath(at));
      if (isMoved && sections.length > 0 && !isLabel && below === true) lost.push(formatPath(at));
    }
  };
  look(console.state.ranges, [], OPERATED);
  assertEquals(lost, []);
});
