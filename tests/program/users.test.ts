/** Users of a service that runs, is stopped and starts again. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Json } from "../service.ts";
import { faderd, type Running, startFaderd, temporaryFolder, tokenIn } from "./faderd.ts";

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
