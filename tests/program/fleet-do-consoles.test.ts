/** `faderd fleet do` on two consoles that are processes of their own. */
import { assertEquals, assertMatch } from "@std/assert";
import { temporaryFolder } from "./faderd.ts";
import { enrol, idOf, startConsole, startHub, untilState } from "./hub-process.ts";

Deno.test("two consoles carry out a request, a console on air refuses it, and a disconnected console carries it out later", async () => {
  await using folder = await temporaryFolder();
  await using hub = await startHub(`${folder.path}/hub`);
  const dataOf = (name: string) => `${folder.path}/${name}`;
  const ids: string[] = [];
  for (const name of ["one", "two"]) {
    await Deno.mkdir(dataOf(name));
    await enrol(hub, dataOf(name), "--site", name);
    ids.push(await idOf(dataOf(name)));
    await hub.fleet("approve", ids.at(-1)!);
  }
  await using _one = await startConsole(dataOf("one"));
  const two = await startConsole(dataOf("two"));
  for (const id of ids) await untilState(hub, id, "live");
  const label = (text: string) => ["--set", `/audio/mixers/0/faders/0/label=${text}`];
  const labels = async () => {
    const headers = { authorization: `Bearer ${hub.token}` };
    const path = (id: string) => `/consoles/${id}/api/rest/audio/mixers/0/faders/0/label`;
    return await Promise.all(
      ids.map(async (id) => await (await fetch(`${hub.url}${path(id)}`, { headers })).json()),
    );
  };

  const preview = await hub.fleet("do", "--all", ...label("News"), "--preview");
  assertMatch(preview.stdout, /site one\t\/audio\/mixers\/0\/faders\/0\/label: "[^"]*" -> "News"/);
  const saved = '{"id":"","type":2,"mixer":0,"name":"News","writegroups":255}';
  const save = ["--rpc", "savesnapshot", "--params", saved];
  const saves = await hub.fleet("do", "--all", ...save, "--preview");
  assertEquals(saves.stdout.match(/site \w+\t\/snapshots\/\S+: null -> \{.*"News"/g)?.length, 2);
  assertEquals((await hub.fleet("do", "--all", "--together", ...label("News"))).code, 0);
  assertEquals(await labels(), ["News", "News"]);

  const load = ["--rpc", "loadsnapshot", "--params", '{"id":"default"}'];
  const onAir = await hub.fleet("do", "--all", ...load);
  assertEquals([onAir.code, onAir.stdout.match(/refused\tthe console is on air/g)?.length], [1, 2]);
  const close = ["--set", "/audio/mixers/0/faders/0/on=false", "--force"];
  assertEquals((await hub.fleet("do", "--site", "one", ...close)).code, 0);
  const off = ["--require", "/audio/mixers/0/faders/0/on=false"];
  const loaded = await hub.fleet("do", "--all", ...load, ...off);
  assertEquals(loaded.code, 1);
  assertMatch(loaded.stdout, /site one\tdone\n.*site two\trefused\trequire: expected false at/);

  await two[Symbol.asyncDispose]();
  await untilState(hub, ids[1]!, "gone");
  const batch = "b".repeat(32);
  const kept = await hub.fleet("do", "--all", "--kept", ...label("Late"), "--id", batch);
  assertEquals(kept.code, 0);
  assertMatch(kept.stdout, /site two\tqueued\n/);
  await using _again = await startConsole(dataOf("two"));
  const done = await hub.fleet("batch", batch, "--wait");
  const [one, other] = ids.map((id) => `demo (${id.slice(0, 8)})`);
  assertEquals([done.code, done.stdout], [
    0,
    `${one}\tsite one\tdone\n${other}\tsite two\tdone\n`,
  ]);
  assertEquals(await labels(), ["Late", "Late"]);
});
