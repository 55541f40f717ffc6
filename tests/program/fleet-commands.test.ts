/** `faderd fleet` against a running hub. */
import { assertEquals, assertMatch } from "@std/assert";
import {
  ADMIN_TOKEN,
  entry,
  type FakeCore,
  fakeCore,
  idOf,
  USER_TOKEN,
} from "../fleet/fake-core.ts";
import { serveHub } from "../fleet/serve-hub.ts";
import { faderd } from "./in-process.ts";

/** Runs a command against a hub with a core. */
async function onHub(
  core: FakeCore,
  words: string,
  token = ADMIN_TOKEN,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  await using hub = await serveHub(core);
  return await faderd("fleet", ...words.split(" "), "--url", hub.url, "--token", token);
}

Deno.test("fleet list prints each console, by site and name, and with --json all its members", async () => {
  const core = fakeCore();
  core.put(idOf(1), entry("Van\u001b[2J", { version: "" }, "gone"));
  core.put(idOf(2), entry("Studio", { site: "Berlin", alarms: ["The medium is full."] }));
  const { code, stdout } = await onHub(core, "list", USER_TOKEN);
  assertEquals(code, 0);
  assertEquals(
    stdout,
    [
      `${idOf(1)}\tgone since 2026-01-01T00:00:00.000Z\tVan [2J\tsite none`,
      `${
        idOf(2)
      }\tlive since 2026-01-01T00:00:00.000Z\tStudio\tsite Berlin\tfaderd 1\tThe medium is full.`,
      "",
    ].join("\n"),
  );
  const [, studio] = JSON.parse((await onHub(core, "list --json", USER_TOKEN)).stdout);
  assertEquals(studio, {
    id: idOf(2),
    name: "Studio",
    site: "Berlin",
    state: "live",
    since: "2026-01-01T00:00:00.000Z",
    heard: true,
    version: "1",
    may: "operate",
    alarms: ["The medium is full."],
  });
});

Deno.test("a console is approved and removed by its name, its id, or the start of its id", async () => {
  const core = fakeCore();
  const id = `abcd${idOf(1).slice(4)}`;
  for (const words of ["Studio", id, "abcd"]) {
    core.put(id, entry("Studio", {}, "quarantined"));
    assertEquals((await onHub(core, `approve ${words}`)).code, 0);
    assertEquals(core.consoles().get(id)?.state, "live");
    assertMatch((await onHub(core, `approve ${words}`)).stderr, /approved already/);
    assertEquals((await onHub(core, `remove ${words}`)).code, 0);
    assertEquals(core.consoles().size, 0);
  }
  core.put(idOf(1), entry("Studio"));
  core.put(idOf(2), entry("Studio"));
  const { code, stderr } = await onHub(core, "remove Studio");
  assertEquals([code, core.consoles().size], [1, 2]);
  assertMatch(stderr, /2 consoles are called Studio/);
  assertMatch((await onHub(core, "remove 000")).stderr, /there is no console 000/);
});

Deno.test("an admin makes codes and users at a hub, and a refusal is printed in its own words", async () => {
  const core = fakeCore();
  assertEquals((await onHub(core, "code")).stdout, "1234-5678\n");
  assertMatch((await onHub(core, "user add carl --may view")).stdout, /^[0-9a-f-]{35}\n$/);
  assertMatch((await onHub(core, "user list")).stdout, /^carl\tmay view\tcreated /m);
  core.put(idOf(3), entry("Van", {}));
  const added = await onHub(
    core,
    "user add dora --may view --site Berlin=press --console Van=admin",
  );
  assertEquals(added.code, 0);
  const dora = `dora\tmay press at site Berlin, admin on console ${idOf(3)}, view elsewhere\t`;
  assertEquals((await onHub(core, "user list")).stdout.includes(dora), true);
  assertEquals((await onHub(core, "user add x --site Berlin")).code, 2);
  assertEquals((await onHub(core, "user modify dora --site Wien=view")).code, 0);
  const modified = (await onHub(core, "user list")).stdout;
  assertEquals(modified.includes("dora\tmay view at site Wien\t"), true);
  assertEquals((await onHub(core, "user modify dora")).code, 2);
  assertEquals((await onHub(core, "user remove carl")).code, 0);
  const { code, stderr } = await onHub(core, "user list", USER_TOKEN);
  assertEquals([code, stderr], [1, "faderd: this is for admins\n"]);
  assertEquals((await onHub(core, "user add x --may all")).code, 2);
});

Deno.test("fleet hubs prints each hub to an admin, and with --json all its members", async () => {
  const core = fakeCore();
  core.put(idOf(1), entry("Studio"));
  const { stdout } = await onHub(core, "hubs");
  assertEquals(stdout.split("\n"), [
    "1\thub-a\tconsoles 1\tfaderd 1.2.3\tsince 2026-01-01T00:00:00.000Z",
    "2\thub-b\tconsoles 0\tfaderd 1.2.2\tsince 2026-01-01T00:00:00.000Z\t" +
    "its ledger stores no changes now",
    "0123456789\tof an earlier version\tconsoles 1",
    "",
  ]);
  const [first] = JSON.parse((await onHub(core, "hubs --json")).stdout);
  assertEquals([first.here, first.stores], [true, true]);
  assertEquals((await onHub(core, "hubs", USER_TOKEN)).code, 1);
});

Deno.test("fleet audit prints the newest lines of the audit trail to an admin, and with --json the lines unchanged", async () => {
  const core = fakeCore();
  core.tell({ user: "anna", from: "10.0.0.1", what: "fleetuseradd", target: "carl" });
  core.tell({
    user: undefined,
    from: "10.0.0.2",
    what: "fleetuserremove",
    target: "carl",
    refused: "for admins",
  });
  assertEquals(
    (await onHub(core, "audit --limit 1")).stdout,
    '2026-01-01T00:00:00.000Z\tnobody\t10.0.0.2\tfleetuserremove\t"carl"\trefused: for admins\n',
  );
  const lines = JSON.parse((await onHub(core, "audit --json")).stdout);
  assertEquals(lines.map(({ what }: { what: string }) => what), [
    "fleetuserremove",
    "fleetuseradd",
  ]);
  core.tell({ user: undefined, from: "", what: "other changes", console: idOf(1), again: 12 });
  assertEquals(
    (await onHub(core, "audit --limit 1")).stdout,
    `2026-01-01T00:00:00.000Z\tseveral users\t\tother changes\tconsole ${idOf(1)}\t` +
      "12 times more\n",
  );
  for (
    const [words, token, status, expected] of [
      ["audit --limit x", ADMIN_TOKEN, 2, /--limit: expected a number of lines, got x/],
      ["audit --limit 1001", ADMIN_TOKEN, 1, /limit: expected .*1000/],
      ["audit", USER_TOKEN, 1, /this is for admins/],
    ] as const
  ) {
    const { code, stderr } = await onHub(core, words, token);
    assertEquals(code, status, words);
    assertMatch(stderr, expected);
  }
});

Deno.test("fleet diff takes a console or a template, and an error names an unknown one", async () => {
  const core = fakeCore();
  core.put(idOf(1), entry("Studio"));
  for (
    const [words, status, expected] of [
      ["diff Studio", 2, /another console or --template/],
      ["diff Studio Studio --template house", 2, /one of them/],
      ["diff Studio --template house --section lables", 2, /did you mean labels\?/],
      ["diff Studio --template house", 1, /no such template/],
      ["template remove house", 1, /no such template/],
    ] as const
  ) {
    const { code, stderr } = await onHub(core, words);
    assertEquals(code, status, words);
    assertMatch(stderr, expected);
  }
  const same = await onHub(core, "diff Studio Studio --section pictures --json");
  assertEquals([same.code, JSON.parse(same.stdout).same], [1, false]);
});
