/** A hand-over leaves no trace of its code, and is gone after a restart. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Json } from "../service.ts";
import { type Running, startFaderd, temporaryFolder, tokenIn } from "./faderd.ts";

async function rpc(
  { url }: Running,
  method: string,
  params: object,
  token?: string,
): Promise<Json> {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
  return await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
}

/** The text of all files of a folder. */
function filesIn(path: string): string {
  const files = [...Deno.readDirSync(path)].filter(({ isFile }) => isFile);
  const bytes = files.map(({ name }) => Deno.readFileSync(`${path}/${name}`));
  return bytes.map((one) => new TextDecoder("latin1").decode(one)).join();
}

Deno.test("no code is in the data, the log or the audit trail, and a restart forgets it", async () => {
  await using folder = await temporaryFolder();
  const args = ["--data", `${folder.path}/data`];
  const codes: string[] = [];
  let token = "";
  let said = "";
  {
    await using service = await startFaderd(...args);
    token = tokenIn(service.stdout);
    await rpc(service, "adduser", { name: "anna", groups: 1 }, token);
    const make = async () => {
      const { payload } = await rpc(service, "makehandover", { name: "anna" }, token);
      codes.push(payload.result.code);
      return payload.result.code;
    };
    const code = await make();
    assertEquals((await rpc(service, "takehandover", { code })).success, true);
    assertEquals((await rpc(service, "takehandover", { code })).error.code, 4);
    await make();
    service.kill("SIGTERM");
    const { stdout, stderr } = await service.ended();
    said = stdout + stderr;
  }
  const left = said + filesIn(`${folder.path}/data`);
  assertMatch(left, /takehandover/, "the audit trail tells of it");
  for (const code of codes) assert(!left.includes(code));
  await using again = await startFaderd(...args);
  const { error } = await rpc(again, "takehandover", { code: codes[1] });
  assertMatch(error.message, /a restart forgets them all/);
});
