import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { runHook } from "../../program/hook.ts";
import { createDevice } from "../../program/device.ts";
import { settingsOf } from "../../core/settings/settings.ts";
import {
  act,
  formFile,
  startService,
  testConsole,
  tokens,
  unlimitedWith,
  until,
} from "../service.ts";
import { noDevice } from "../../core/backup/device.ts";
import { temporaryFolder } from "./faderd.ts";
import { archiveOf } from "./restores.ts";

async function script(folder: string, text: string): Promise<string> {
  const path = `${folder}/hook.sh`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
}

const document = { zone: "Europe/Berlin" };

Deno.test("the hook is run with the tag as argument and the document on standard input", async () => {
  await using folder = await temporaryFolder();
  const out = `${folder.path}/out`;
  const hook = await script(folder.path, `echo "$#" "$1" > ${out}; cat >> ${out}`);
  assertEquals(await runHook(hook, "TIMEZONE", document), undefined);
  assertEquals(await Deno.readTextFile(out), `1 TIMEZONE\n${JSON.stringify(document)}`);
});

Deno.test("a hook has PATH and LANG in its environment, and no variable of the service", async () => {
  await using folder = await temporaryFolder();
  const out = `${folder.path}/out`;
  // "env" itself is found through PATH; the shell sets _, PWD and the like.
  const hook = await script(folder.path, `env > ${out}`);
  Deno.env.set("FADERD_TEST_SECRET", "hidden");
  try {
    assertEquals(await runHook(hook, "LOG", {}), undefined);
  } finally {
    Deno.env.delete("FADERD_TEST_SECRET");
  }
  const found = (await Deno.readTextFile(out)).trim().split("\n").sort()
    .filter((line) => !/^(_|PWD|OLDPWD|SHLVL)=/.test(line));
  assertEquals(found, [
    "LANG=C.UTF-8",
    "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  ]);
});

/** The script of a hook, its time limit in ms, and the reason of its failure. */
const hooks: readonly (readonly [what: string, text: string, limit?: number, failure?: string])[] =
  [
    ["ends, and leaves a program behind", "exec 3<&0; sleep 60 & echo $! > $PID; exit 0"],
    ["ends with another code than 0", "exit 3", 10_000, "ended with code 3"],
    ["takes too long", "exec sleep 60", 100, "took over 0.1 s and was killed"],
    ["takes too long, and holds its input open", "sleep 60", 100, "took over 0.1 s and was killed"],
  ];

for (const [what, text, limit, expected] of hooks) {
  Deno.test({
    name: `a hook that leaves a large document unread, and ${what}, is not waited for`,
    // The write of the unread document ends with the program that was left behind.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      await using folder = await temporaryFolder();
      const pid = `${folder.path}/pid`;
      const hook = await script(folder.path, text.replace("$PID", pid));
      const large = { zone: "x".repeat(1_000_000) };
      const start = performance.now();
      const failure = await runHook(hook, "TIMEZONE", large, limit);
      assert(performance.now() - start < 50_000, "it was waited for");
      assertEquals(failure, expected && `${hook} ${expected}`);
      if (text.includes("$PID")) Deno.kill(Number(await Deno.readTextFile(pid)), "SIGKILL");
    },
  });
}

Deno.test("the processes that a hook has started are killed with it", async () => {
  await using folder = await temporaryFolder();
  const pid = `${folder.path}/pid`;
  const hook = await script(folder.path, `sleep 60 &\necho $! > ${pid}\nwait`);
  assert(/was killed$/.test(await runHook(hook, "LOG", {}, 1000) ?? ""));
  await until(() => hasEnded(pid));
});

/** Whether the process with the number in this file has ended, or is a zombie. */
function hasEnded(pid: string): boolean {
  const args = ["-o", "stat=", "-p", Deno.readTextFileSync(pid).trim()];
  const { stdout } = new Deno.Command("ps", { args }).outputSync();
  return /^(Z.*\n)?$/.test(new TextDecoder().decode(stdout));
}

function isWritten(path: string): boolean {
  try {
    return Deno.readTextFileSync(path).endsWith("\n");
  } catch {
    return false;
  }
}

Deno.test("a hook that ends by itself at the moment of its time limit has its own exit status", async () => {
  await using folder = await temporaryFolder();
  for (
    const [text, expected] of [["exit 0", undefined], ["exit 3", "ended with code 3"]] as const
  ) {
    const pid = `${folder.path}/${text}`;
    const hook = await script(folder.path, `echo $$ > "${pid}"; ${text}`);
    const running = runHook(hook, "LOG", {}, 100);
    const timeIsUp = performance.now() + 100;
    // Its end cannot be noticed before its time is up.
    while (!isWritten(pid) || !hasEnded(pid) || performance.now() <= timeIsUp);
    const failure = await running;
    assertEquals(failure?.slice(hook.length + 1), expected);
  }
});

Deno.test("a hook that cannot be started has failed", async () => {
  const failure = await runHook("/nowhere/at/all", "LOG", {});
  assertStringIncludes(failure ?? "", "/nowhere/at/all could not be started: ");
});

Deno.test("a failed hook is reported in Error of the answer; the restored documents stay", async () => {
  await using folder = await temporaryFolder();
  const hook = await script(folder.path, '[ "$1" = LOG ] && exit 3; exit 0');
  const configuration = unlimitedWith({ hooks: { applied: hook } });
  const { applied } = createDevice(
    await testConsole({ configuration }),
    `${folder.path}/none.json`,
  );
  await using service = await startService({ configuration, device: { ...noDevice, applied } });
  const archive = await archiveOf(
    { name: "timezone.json", content: JSON.stringify(document) },
    { name: "log.json", content: '{"level":"debug"}' },
  );
  const restore = async (Tags: string) => {
    const file = formFile(archive, "a.bin");
    return (await act(service, "restore", { Tags, Token: tokens.admin, file }, "multipart")).json;
  };
  assertEquals((await restore("TIMEZONE")).Error, undefined);
  const answer = await restore("TIMEZONE,LOG");
  assertEquals(
    answer.Error,
    `restored, but hooks.applied failed: LOG: ${hook} ended with code 3`,
  );
  const { state } = service.console;
  assertEquals(settingsOf(state, "LOG"), { level: "debug" });
  assertEquals(settingsOf(state, "TIMEZONE"), document);
});
