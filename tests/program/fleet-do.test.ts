/** `faderd fleet do`, `batch` and `again` against a running hub. */
import { assertEquals, assertMatch } from "@std/assert";
import { entry, type FakeCore, fakeCore, idOf, USER_TOKEN } from "../fleet/fake-core.ts";
import { serveHub } from "../fleet/serve-hub.ts";
import { until } from "../service.ts";
import { beginFaderd, faderd } from "./in-process.ts";

/** Runs a command against a hub with a core. */
async function onHub(core: FakeCore, ...words: string[]) {
  await using hub = await serveHub(core);
  return await faderd("fleet", ...words, "--url", hub.url, "--token", USER_TOKEN);
}

function furnished(): FakeCore {
  const core = fakeCore();
  core.put(idOf(1), entry("Studio 1", { site: "Berlin" }));
  core.put(idOf(2), entry("Studio 2", { site: "Berlin" }));
  core.put(idOf(3), entry("Van", { site: "Köln" }, "gone"));
  return core;
}

const LABEL = ["--set", "/audio/mixers/0/faders/0/label=Host"];

Deno.test("fleet do sends a request to consoles, prints a line for each, and ends with status 0", async () => {
  const core = furnished();
  const { code, stdout } = await onHub(core, "do", "--site", "berlin", ...LABEL);
  assertEquals([code, stdout], [
    0,
    "Studio 1\tsite Berlin\tdone\nStudio 2\tsite Berlin\tdone\n",
  ]);
  const [{ request, kind }] = core.commands.submitted as [never];
  const payload = "Host";
  assertEquals([request, kind], [
    { method: "set", path: "/audio/mixers/0/faders/0/label", payload } as never,
    "live" as never,
  ]);
});

Deno.test("fleet do reads the request, its conditions and the consoles from its options", async () => {
  const core = furnished();
  const params = '{"id": "default"}';
  const required = ["--require", "/audio/mixers/0/faders/0/on=false", "--together"];
  const call = ["--rpc", "loadsnapshot", "--params", params, ...required];
  assertEquals((await onHub(core, "do", "--consoles", "Studio 1,Studio 2", ...call)).code, 0);
  const [command] = core.commands.submitted;
  assertEquals(command!.request, {
    method: "rpc",
    payload: { method: "loadsnapshot", params: { id: "default" } },
  });
  assertEquals(command!.require, { "/audio/mixers/0/faders/0/on": false });
  assertEquals(typeof command!.at, "number");
  const level = ["--set", "/audio/mixers/0/faders/0/fader=-10.5", "--force"];
  await onHub(core, "do", "--name", "*1", "--require", '{"/a": [1]}', ...level);
  const last = core.commands.submitted.at(-1)!;
  assertEquals([last.request.payload, last.require], [-10.5 as never, { "/a": [1] }]);
  await onHub(core, "do", "--name", "*1", "--set", "/a=null", "--force");
  assertEquals(core.commands.submitted.at(-1)!.request.payload, null as never);
});

Deno.test("if a console has not carried out the command the status is 1, and fleet again repeats it there", async () => {
  const core = furnished();
  const { code, stdout, stderr } = await onHub(core, "do", "--all", ...LABEL);
  assertEquals(code, 1);
  assertMatch(stdout, /^Van\tsite Köln\trefused\tthe console "Van" is gone since/m);
  assertMatch(
    stderr,
    /of 3 consoles: 2 done, 1 refused; to repeat it there: faderd fleet again [0-9a-f]{32}/,
  );
  await using hub = await serveHub(core);
  const options = ["--url", hub.url, "--token", USER_TOKEN];
  const id = "a".repeat(32);
  await faderd("fleet", "do", "--all", "--id", id, ...LABEL, ...options);
  core.put(idOf(3), entry("Van", { site: "Köln" }));
  const again = await faderd("fleet", "again", id, "--json", ...options);
  const { consoles, counts } = JSON.parse(again.stdout);
  assertEquals([again.code, consoles, counts.done], [0, 1, 1]);
  const known = await faderd("fleet", "batch", id, ...options);
  assertEquals([known.code, known.stdout.split("\n").length], [1, 4]);
});

Deno.test("consoles with the same name are printed with the start of their ids", async () => {
  const core = fakeCore();
  const [dead, replacement] = ["a".repeat(32), "b".repeat(32)];
  core.put(dead, entry("Studio", { site: "Berlin" }, "gone"));
  core.put(replacement, entry("Studio", { site: "Berlin" }));
  core.put(idOf(3), entry("Van", { site: "Berlin" }));
  const { stdout } = await onHub(core, "do", "--all", ...LABEL);
  assertMatch(stdout, /^Studio \(aaaaaaaa\)\tsite Berlin\trefused\t/m);
  assertMatch(stdout, /^Studio \(bbbbbbbb\)\tsite Berlin\tdone$/m);
  assertMatch(stdout, /^Van\tsite Berlin\tdone$/m);
  core.commands.would = () => ({ before: { a: 1 }, after: { a: 2 } });
  const preview = await onHub(core, "do", "--all", "--preview", ...LABEL);
  assertMatch(preview.stdout, /^Studio \(aaaaaaaa\)\tsite Berlin\trefused: /m);
  assertMatch(preview.stdout, /^Studio \(bbbbbbbb\)\tsite Berlin\t\/a: 1 -> 2$/m);
});

Deno.test("a kept command that still waits is no failure, and its line names the command that follows it", async () => {
  const core = furnished();
  core.commands.outcome = ({ console }) => ({ outcome: console === idOf(3) ? "queued" : "done" });
  const { code, stdout } = await onHub(core, "do", "--all", "--kept", ...LABEL);
  assertEquals(code, 0);
  assertMatch(stdout, /^1 not done yet; faderd fleet batch [0-9a-f]{32} tells of them$/m);
});

Deno.test("fleet do --kept --wait says that it waits, and ends once each console has its result", async () => {
  const core = furnished();
  core.commands.outcome = ({ console }) => ({ outcome: console === idOf(3) ? "queued" : "done" });
  await using hub = await serveHub(core);
  const options = ["--url", hub.url, "--token", USER_TOKEN];
  const { run, ended } = beginFaderd(
    "fleet",
    "do",
    "--all",
    "--kept",
    "--wait",
    ...LABEL,
    ...options,
  );
  const waiting =
    /^faderd: waiting for consoles that have not done it; .*: faderd fleet batch [0-9a-f]{32} tells of it$/m;
  await until(() => waiting.test(run.stderr));
  core.commands.say(core.commands.submitted.find(({ console }) => console === idOf(3))!, {});
  const { code, stdout } = await ended;
  assertEquals(code, 0);
  assertMatch(stdout, /^Van\tsite Köln\tdone$/m);
});

Deno.test("fleet do --kept --wait goes on while the hub restarts, and while it is too busy to answer", async () => {
  const core = furnished();
  core.commands.outcome = ({ console }) => ({ outcome: console === idOf(3) ? "queued" : "done" });
  await using hub = await serveHub(core);
  const front = (answer: (request: Request) => unknown, port = 0) =>
    Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, async (request) => {
      const answered = answer(request);
      if (answered instanceof Response) return answered;
      return await fetch(new Request(hub.url + new URL(request.url).pathname, request));
    });
  const isPoll = ({ url }: Request) => url.endsWith("/_state");
  const polled = Promise.withResolvers<void>();
  const before = front((request) => isPoll(request) && polled.resolve());
  const { port } = before.addr;
  const options = ["--url", `http://127.0.0.1:${port}`, "--token", USER_TOKEN];
  const words = ["do", "--all", "--kept", "--wait", ...LABEL];
  const { run, ended } = beginFaderd("fleet", ...words, ...options);
  await polled.promise;
  await before.shutdown();
  await until(() => run.stderr.includes("does not answer"));
  let asked = 0;
  const waiting = core.commands.submitted.find(({ console }) => console === idOf(3))!;
  await using _after = front((request) => {
    if (++asked === 1) return new Response(null, { status: 503 });
    if (isPoll(request)) core.commands.say(waiting, {});
  }, port);
  const { code, stdout } = await ended;
  assertEquals([code, asked], [0, 3]);
  assertMatch(stdout, /^Van\tsite Köln\tdone$/m);
});

Deno.test("fleet do --preview prints the values that would change on each console, and changes nothing", async () => {
  const core = furnished();
  core.commands.would = () => ({ before: { a: { b: 1 } }, after: { a: { b: "x" } } });
  const { code, stdout } = await onHub(core, "do", "--all", "--preview", ...LABEL);
  assertEquals(code, 1);
  assertMatch(stdout, /^Studio 1\tsite Berlin\t\/a\/b: 1 -> "x"$/m);
  assertMatch(stdout, /^Van\tsite Köln\trefused: the console "Van" is gone/m);
  assertEquals(core.commands.submitted, []);
});

Deno.test("fleet do --preview prints changes beside the control tree, and consoles without a preview as such", async () => {
  const core = furnished();
  core.put(idOf(3), entry("Van", { site: "Köln" }));
  core.commands.would = ({ console }) =>
    console === idOf(1)
      ? { changes: [{ path: "/users/anna", before: { may: "view" }, after: undefined }], more: 2 }
      : console === idOf(2)
      ? { more: 3000 }
      : { noPreview: "the hub asks this console as a client" };
  const call = ["--rpc", "removeuser", "--params", '{"name": "anna"}', "--preview"];
  const { code, stdout, stderr } = await onHub(core, "do", "--all", ...call);
  assertEquals(stdout.split("\n"), [
    'Studio 1\tsite Berlin\t/users/anna: {"may":"view"} -> null; and 2 more',
    "Studio 2\tsite Berlin\t3000 values would change",
    "Van\tsite Köln\tno preview: the hub asks this console as a client",
    "",
  ]);
  assertEquals([code, /refuse/.test(stderr)], [1, false]);
  assertMatch(stderr, /1 of 3 consoles have no preview/);
  assertEquals((await onHub(core, "do", "--site", "Berlin", ...call)).code, 0);
  const json = await onHub(core, "do", "--name", "Van", ...call, "--json");
  const [{ refused, noPreview }] = JSON.parse(json.stdout);
  assertEquals([refused, noPreview], [undefined, "the hub asks this console as a client"]);
});

Deno.test("fleet do --at has all begin at a time of the hub", async () => {
  const core = furnished();
  const at = Math.ceil(Date.now() / 1000 + 10) * 1000;
  for (const time of [new Date(at).toISOString(), inBerlin(at)]) {
    const { code } = await onHub(core, "do", "--site", "Berlin", "--at", time, ...LABEL);
    assertEquals([code, core.commands.submitted.at(-1)!.at], [0, at], time);
  }
  const late = await onHub(core, "do", "--all", "--at", "2026-01-01T00:00Z", ...LABEL);
  assertMatch(late.stderr, /at: expected an instant within 30000 ms from now/);
  assertEquals(late.code, 1);
});

/** Returns a time, in ms since 1970, as a clock shows it one hour ahead of UTC. */
function inBerlin(at: number): string {
  return new Date(at + 3_600_000).toISOString().replace("Z", "+01:00");
}

Deno.test("a wrong command line of fleet do is refused, with a suggestion", async () => {
  const core = furnished();
  const cases: readonly (readonly [string[], number, RegExp])[] = [
    [LABEL, 2, /which consoles\? expected --site/],
    [["--all"], 2, /expected --set PATH=VALUE or --rpc METHOD/],
    [["--all", "--set", "label"], 2, /--set: expected PATH=VALUE/],
    [["--all", ...LABEL, "--params", "{}"], 2, /--params goes with --rpc/],
    [["--all", "--rpc", "x", "--params", "1"], 2, /--params: expected a JSON object/],
    [["--state", "lve", ...LABEL], 2, /--state: .* \(did you mean live\?\)/],
    [
      ["--site", "Berln", ...LABEL],
      1,
      /no console that is approved matches \(did you mean Berlin\?\)/,
    ],
    [["--consoles", "Bus", ...LABEL], 1, /there is no console Bus/],
    [["--all", "--expires", "soon", ...LABEL], 2, /--expires: expected a number of ms/],
    [["--all", "--at", "20:15", ...LABEL], 2, /--at: expected a time like 2026-11-24T20:15:00Z/],
    [["--all", "--at", "2026-11-24T20:15", ...LABEL], 2, /--at: expected a time .*Z, got 2026/],
    [["--all", "--at", "2026-02-30T20:15Z", ...LABEL], 2, /--at: expected a time/],
    [["--alll", ...LABEL], 2, /did you mean --all\?/],
  ];
  for (const [words, status, expected] of cases) {
    const { code, stderr } = await onHub(core, "do", ...words);
    assertMatch(stderr, expected);
    assertEquals(code, status, words.join(" "));
  }
  assertEquals(core.commands.submitted, []);
});
