/** Users of a running service, after a restart, and of a folder. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Json } from "../service.ts";
import { tokenIn } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { failure, rpc, sceneOf, stopped } from "./scene.ts";

Deno.test("a restart finds the same users, and no token is in the log or printed", async () => {
  await using scene = await sceneOf();
  const secrets: string[] = [];
  let users: Json;
  {
    await using running = await scene.start();
    const admin = tokenIn(running.stdout);
    const call = async (method: string, params: object) => {
      const { token } = (await rpc(running, admin, method, params)).payload.result;
      if (token !== undefined) secrets.push(token);
    };
    await call("adduser", { name: "anna", groups: 9, engine: true });
    await call("adduser", { name: "bert", groups: 2 });
    await call("adduser", { name: "carl", groups: 4 });
    await call("removeuser", { name: "carl" });
    await call("modifyuser", { name: "bert", admin: true, groups: 3 });
    await call("modifyuser", { name: "anna", newtoken: true });
    users = (await rpc(running, admin, "getuserlist")).payload.result;
    const { stdout, stderr } = await stopped(running);
    for (const secret of secrets) assert(!`${stdout}${stderr}`.includes(secret));
    secrets.push(admin);
  }
  const { stdout: dumped } = await faderd("log", "dump", ...scene.onData);
  assertMatch(dumped, /"name":"bert","groups":3,"admin":true/);
  for (const secret of secrets) assert(!dumped.includes(secret), "a token is in the log");

  await using again = await scene.start();
  const [annasFirst, bert, carl, anna, admin] = secrets as [string, string, string, string, string];
  assertEquals((await rpc(again, admin, "getuserlist")).payload.result, users);
  assertEquals(users.map(({ name }: Json) => name), ["admin", "anna", "bert"]);
  const list = async (token: string) =>
    (await rpc(again, token, "getsnapshotlist", { type: 2 })).error?.code ?? 0;
  const codes = [await list(annasFirst), await list(bert), await list(carl), await list(anna)];
  assertEquals(codes, [4, 0, 4, 0]);
  assertEquals((await rpc(again, bert, "removeuser", { name: "admin" })).success, true);
});

Deno.test("without an admin among its users a start prints one line about it, with how to add one", async () => {
  await using scene = await sceneOf();
  const NO_ADMIN = /^faderd: no user is an admin.*$/m;
  await faderd("user", "add", "anna", "--groups", "1", ...scene.onData);
  await using first = await scene.start();
  assert(!first.stdout.includes("token"), "no user is made where there are some");
  const [line] = NO_ADMIN.exec((await stopped(first)).stderr)!;
  const command = /faderd (user add NAME .*)$/.exec(line)![1]!.replace("NAME", "boss").split(" ");
  const added = await faderd(...command);
  assertEquals([added.code, added.stderr], [0, ""]);
  await using later = await scene.start();
  const answer = await rpc(later, tokenIn(added.stdout), "getuserlist");
  assertEquals(answer.payload.result.map(({ name, admin }: Json) => [name, admin]), [
    ["anna", false],
    ["boss", true],
  ]);
  assert(!NO_ADMIN.test((await stopped(later)).stderr));
});

Deno.test("after the first user who may only view, user add and each start warn that a logout gives more rights, until anonymous is closed", async () => {
  await using scene = await sceneOf({});
  const SAID =
    /^faderd: user guest may only view, but may operate by logging out: .*"anonymous": "view"$/m;
  const view = ["--groups", "1", "--may", "view", ...scene.onData];
  const added = await faderd("user", "add", "guest", ...view);
  assertMatch(added.stderr, SAID);
  assertMatch(added.stdout, /^[0-9a-f-]{35}\n$/, "the token alone is on standard output");
  assertEquals((await faderd("user", "add", "other", ...view)).stderr, "");
  for (const [parts, times] of [[{}, 1], [{ anonymous: "view" }, 0]] as const) {
    scene.configure({ mixers: [{ faders: 1 }], ...parts });
    await using running = await scene.start();
    const { stderr } = await stopped(running);
    assertEquals(stderr.split("by logging out").length - 1, times, stderr);
  }
});

Deno.test("user add obeys the configuration of the data folder, and that of --config instead", async () => {
  const mixers = [{ faders: 1 }];
  await using scene = await sceneOf({ mixers });
  const { data, onData, options } = scene;
  Deno.mkdirSync(data);
  const restored = { mixers, anonymous: "view", limits: { stateBytes: 1000 } };
  Deno.writeTextFileSync(`${data}/configuration.json`, JSON.stringify(restored));
  const add = (name: string, ...more: readonly string[]) =>
    faderd("user", "add", name, "--groups", "1", ...more);
  const guest = await add("guest", "--may", "view", ...onData);
  assertEquals([guest.code, guest.stderr], [0, ""], "logging out gives no right there");
  for (const name of ["anna", "bert"]) await add(name, ...onData);
  assertStringIncludes(failure(await add("rescue", "--admin", ...onData)), "at most 1000");
  assertEquals((await add("rescue", "--admin", ...options)).code, 0);
  assertMatch((await faderd("user", "list", ...onData)).stdout, /^rescue\t/m);
});

const WEAK = "aaaaaaaa-00000000-00000000-00000001";
const TOKEN = "bffdc628-88e85b99-b86db9ef-9032ccac";

/** Wrong options of `user add`; only the running command knows whether a time is in the future. */
const REFUSED: readonly (readonly [options: string[], status: 1 | 2, sentence: string])[] = [
  [["--may", "everything"], 2, "--may: expected view, press, operate or configure, got everything"],
  [["--expires", "2020-01-31"], 1, "expires: expected a date to come "],
  [["--expires", "soon"], 1, 'got "soon"'],
  [["--token", WEAK], 2, "--token: expected one that nobody guesses: at least 8 different digits"],
  [["--token", "01234567-89abcdef-01234567-89abcdef"], 2, "--token: expected one that nobody"],
  [["--token", "short"], 1, "token: expected "],
];

Deno.test("user add prints the token once and stores its hash; user list and user remove", async () => {
  await using scene = await sceneOf();
  const { onData } = scene;
  const add = (name: string, ...options: readonly string[]) =>
    faderd("user", "add", name, "--groups", "1,4", ...options, ...onData);
  for (const [options, status, sentence] of REFUSED) {
    const said = failure(await add("guest", ...options), status);
    assertStringIncludes(said, sentence);
    assert(!said.includes(WEAK), "a token is not said");
  }
  const added = await add("anna", "--may", "view", "--expires", "2999-01-31");
  assertMatch(added.stdout, /^[0-9a-f]{8}(-[0-9a-f]{8}){3}\n$/);
  assertEquals((await add("carl", "--may", "configure")).stderr, "");
  const bert = await add("bert", "--admin", "--engine", "--token", TOKEN);
  assertEquals(bert, { code: 0, stdout: `${TOKEN}\n`, stderr: "" });
  assertStringIncludes(failure(await add("anna")), "anna");
  failure(await add("dora", "--token", TOKEN));
  failure(await add("a b"));

  const list = async () =>
    (await faderd("user", "list", ...onData)).stdout.replaceAll(/created \S+Z/g, "created TIME")
      .trimEnd().split("\n");
  const kept = [
    "carl\tgroups 1,4\tcreated TIME\tmay configure\tlast used never",
    "bert\tgroups 1,4\tcreated TIME\tmay configure\tlast used never\tadmin\tengine",
  ];
  const expires = "expires 2999-02-01T00:00:00.000Z";
  const anna = `anna\tgroups 1,4\tcreated TIME\tmay view\tlast used never\t${expires}`;
  assertEquals(await list(), [anna, ...kept]);
  assertEquals((await faderd("user", "remove", "anna", ...onData)).code, 0);
  assertStringIncludes(failure(await faderd("user", "remove", "anna", ...onData)), "anna");
  const last = failure(await faderd("user", "remove", "bert", ...onData));
  assertStringIncludes(last, "bert is the last admin: first add another");
  assertEquals(await list(), kept);
  for (const { name } of Deno.readDirSync(scene.data)) {
    const content = Deno.readTextFileSync(`${scene.data}/${name}`);
    for (const secret of [TOKEN, tokenIn(added.stdout)]) assert(!content.includes(secret), name);
  }
});

Deno.test("user list of a missing folder does not make it", async () => {
  await using scene = await sceneOf();
  failure(await faderd("user", "list", ...scene.onData));
  assertEquals([...Deno.readDirSync(scene.path)], []);
});

Deno.test("many wrong tokens: answers are delayed, and one line has their number, but no token", async () => {
  await using scene = await sceneOf();
  await using running = await scene.start();
  const admin = tokenIn(running.stdout);
  const wrong = "eeeeeeee-11111111-22222222-33333333";
  const answers: number[] = [];
  let start = 0;
  for (let at = 0; at < 11; at++) {
    start = performance.now();
    answers.push((await rpc(running, wrong, "getuserlist")).error.code);
  }
  const late = performance.now() - start;
  assertEquals(answers, Array(11).fill(4));
  assert(late >= 245, `${late} ms late, of 250`);
  assertEquals((await rpc(running, admin, "getuserlist")).success, true);
  const { stderr } = await stopped(running);
  const lines = stderr.split("\n").filter((line) => line.includes("wrong tokens"));
  assertEquals(lines.length, 1);
  assertStringIncludes(lines[0]!, "11 wrong tokens have come from 127.0.0.1");
  assert(!stderr.includes("eeeeeeee"));
  const { stdout } = await faderd("user", "list", ...scene.onData);
  assertMatch(stdout, /^admin\tgroups .*\tmay configure\tlast used 20\d\d-.*Z\tadmin$/m);
});
