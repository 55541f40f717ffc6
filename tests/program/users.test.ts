/** Users of a service that runs, is stopped and starts again. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Json } from "../service.ts";
import { type Running, temporaryFolder, tokenIn } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";

async function rpc({ url }: Running, token: string, method: string, params: object): Promise<Json> {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  return await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
}

async function stop(running: Running): Promise<void> {
  running.kill("SIGTERM");
  assertEquals((await running.ended()).code, 0);
}

Deno.test("a restart finds the users as they were left, and no token is in the log, nor said", async () => {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  const secrets: string[] = [];
  let users: Json;
  {
    await using running = await startFaderd(...data);
    const admin = tokenIn(running.stdout);
    const added = async (params: object) => {
      const { token } = (await rpc(running, admin, "adduser", params)).payload.result;
      secrets.push(token);
      return token;
    };
    await added({ name: "anna", groups: 9, engine: true });
    await added({ name: "bert", groups: 2 });
    await added({ name: "carl", groups: 4 });
    await rpc(running, admin, "removeuser", { name: "carl" });
    await rpc(running, admin, "modifyuser", { name: "bert", admin: true, groups: 3 });
    const renewed = await rpc(running, admin, "modifyuser", { name: "anna", newtoken: true });
    secrets.push(renewed.payload.result.token);
    users = (await rpc(running, admin, "getuserlist", {})).payload.result;
    await stop(running);
    const { stdout, stderr } = await running.ended();
    for (const secret of secrets) assert(!`${stdout}${stderr}`.includes(secret));
    secrets.push(admin);
  }
  const { stdout: dumped } = await faderd("log", "dump", ...data);
  assertMatch(dumped, /"name":"bert","groups":3,"admin":true/);
  for (const secret of secrets) assert(!dumped.includes(secret), "a token is in the log");

  await using again = await startFaderd(...data);
  const [annasFirst, bert, carl, anna, admin] = secrets as [string, string, string, string, string];
  assertEquals((await rpc(again, admin, "getuserlist", {})).payload.result, users);
  assertEquals(users.map(({ name }: Json) => name), ["admin", "anna", "bert"]);
  const list = async (token: string) => {
    const answer = await rpc(again, token, "getsnapshotlist", { type: 2 });
    return answer.error?.code ?? 0;
  };
  const codes = [await list(annasFirst), await list(bert), await list(carl), await list(anna)];
  assertEquals(codes, [4, 0, 4, 0]);
  assertEquals((await rpc(again, bert, "removeuser", { name: "admin" })).success, true);
});

Deno.test("users without an admin among them: a start says so on one line, and how to add one", async () => {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  const NO_ADMIN = /^faderd: no user is an admin.*$/m;
  await faderd("user", "add", "anna", "--groups", "1", ...data);
  let command: string[];
  {
    await using running = await startFaderd(...data);
    assert(!running.stdout.includes("token"), "no user is made where there are some");
    await stop(running);
    const { stderr } = await running.ended();
    const [line] = NO_ADMIN.exec(stderr)!;
    command = /faderd (user add NAME .*)$/.exec(line)![1]!.replace("NAME", "boss").split(" ");
  }
  const added = await faderd(...command);
  assertEquals([added.code, added.stderr], [0, ""]);
  await using running = await startFaderd(...data);
  const answer = await rpc(running, tokenIn(added.stdout), "getuserlist", {});
  assertEquals(answer.payload.result.map(({ name, admin }: Json) => [name, admin]), [
    ["anna", false],
    ["boss", true],
  ]);
  await stop(running);
  assert(!NO_ADMIN.test((await running.ended()).stderr));
});

Deno.test("the first user who may only view: user add and each start say that logging out gives more, until that is closed", async () => {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  const SAID =
    /^faderd: user guest may only view, but may operate by logging out: .*"anonymous": "view"$/m;
  const view = ["--groups", "1", "--may", "view"];
  const added = await faderd("user", "add", "guest", ...view, ...data);
  assertMatch(added.stderr, SAID);
  assertMatch(added.stdout, /^[0-9a-f-]{35}\n$/, "the token alone is on standard output");
  assertEquals((await faderd("user", "add", "other", ...view, ...data)).stderr, "");
  const config = `${folder.path}/console.json`;
  for (const [parts, times] of [[{}, 1], [{ anonymous: "view" }, 0]] as const) {
    await Deno.writeTextFile(config, JSON.stringify({ mixers: [{ faders: 1 }], ...parts }));
    await using running = await startFaderd("--config", config, ...data);
    await stop(running);
    const { stderr } = await running.ended();
    assertEquals(stderr.split("by logging out").length - 1, times, stderr);
  }
});

const WRONG_OPTIONS: readonly (readonly [readonly string[], RegExp])[] = [
  [
    ["--may", "everything"],
    /^faderd: --may: expected view, operate or configure, got everything$/m,
  ],
  [["--expires", "2020-01-31"], /^faderd: expires: expected a date to come .*, got "2020-01-31"$/m],
  [["--expires", "soon"], /^faderd: expires: expected a date to come .*, got "soon"$/m],
  [
    ["--token", "aaaaaaaa-00000000-00000000-00000001"],
    /^faderd: --token: expected one that nobody guesses: at least 8 different digits, four .*$/m,
  ],
  [["--token", "01234567-89abcdef-01234567-89abcdef"], /--token: expected one that nobody guesses/],
];

Deno.test("user add takes what a user may do, and when the token expires, and no token that can be guessed", async () => {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  const add = (name: string, ...options: readonly string[]) =>
    faderd("user", "add", name, "--groups", "1", ...options, ...data);
  for (const [options, sentence] of WRONG_OPTIONS) {
    const { code, stdout, stderr } = await add("guest", ...options);
    // Whether a time is to come is known only when the command runs.
    const status = options[0] === "--expires" ? 1 : 2;
    assertEquals([code, stdout], [status, ""], options.join(" "));
    assertMatch(stderr, sentence);
    assert(!stderr.includes("aaaaaaaa"), "a token is not said");
  }
  for (const may of ["view", "operate", "configure"]) {
    assertEquals((await add(may, "--may", may, "--expires", "2999-01-31")).code, 0);
  }
  const token = "bffdc628-88e85b99-b86db9ef-9032ccac";
  assertEquals((await add("given", "--token", token)).stdout, `${token}\n`);
  const { stdout } = await faderd("user", "list", ...data);
  const expires = "\texpires 2999-02-01T00:00:00.000Z";
  assertEquals(stdout.replaceAll(/created \S+Z/g, "created TIME").split("\n"), [
    `view\tgroups 1\tcreated TIME\tmay view\tlast used never${expires}`,
    `operate\tgroups 1\tcreated TIME\tmay operate\tlast used never${expires}`,
    `configure\tgroups 1\tcreated TIME\tmay configure\tlast used never${expires}`,
    "given\tgroups 1\tcreated TIME\tmay operate\tlast used never",
    "",
  ]);
});

Deno.test("many wrong tokens: answers come late, and one line says how many, and never which", async () => {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  await using running = await startFaderd(...data);
  const admin = tokenIn(running.stdout);
  const wrong = "eeeeeeee-11111111-22222222-33333333";
  const answers: number[] = [];
  let late = 0;
  for (let at = 0; at < 12; at++) {
    const start = performance.now();
    answers.push((await rpc(running, wrong, "getuserlist", {})).error.code);
    if (at >= 10) late += performance.now() - start;
  }
  assertEquals(answers, Array(12).fill(4));
  assert(late >= 745, `${late} ms late, of 750`);
  assertEquals((await rpc(running, admin, "getuserlist", {})).success, true);
  await stop(running);
  const { stderr } = await running.ended();
  assertEquals(
    stderr.match(/^faderd: 11 wrong tokens have come from 127\.0\.0\.1.*$/gm)?.length,
    1,
  );
  assertEquals(stderr.match(/wrong tokens/g)?.length, 1);
  assert(!stderr.includes("eeeeeeee"));
  const { stdout } = await faderd("user", "list", ...data);
  assertMatch(stdout, /^admin\tgroups .*\tmay configure\tlast used 20\d\d-.*Z\tadmin$/m);
});
