/**
 * The program `hooks.applied` of the configuration: it tells the firmware of restored settings.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import { after } from "../core/ports.ts";
import type { SettingsDocument, SettingsTag } from "../core/settings/settings.ts";
import { machineTimer } from "../runtimes/clock.ts";

/** Maximum run time of the program in ms. */
const HOOK_MS = 10_000;

/**
 * The whole environment of the program: it gets nothing of our environment, which may hold secrets,
 * and is the same wherever we are started from.
 */
const ENVIRONMENT = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
};

/**
 * Runs the program with the tag as argument and the document on its standard input; its standard
 * error goes to ours. Returns the reason of a failure: it could not be started, it ended with a
 * code other than 0, or it took over `limit` ms and was killed, with all its children if we may run
 * any program.
 */
export async function runHook(
  program: string,
  tag: SettingsTag,
  document: SettingsDocument,
  limit = HOOK_MS,
): Promise<string | undefined> {
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args: [tag],
      clearEnv: true,
      env: ENVIRONMENT,
      stdin: "piped",
      stdout: "null",
      stderr: "inherit",
      // The program becomes the leader of a process group, to which its children belong.
      detached: true,
    }).spawn();
  } catch (fault) {
    return `${program} could not be started: ${reasonOf(fault)}`;
  }
  let late = false;
  const stopWaiting = after(machineTimer, limit, () => {
    late = true;
    kill(child);
  });
  // A program that needs no document may leave it unread. A child of it may hold its standard input
  // open long after it has ended: that is not waited for.
  const ended = new AbortController();
  new Response(JSON.stringify(document)).body!
    .pipeTo(child.stdin, { signal: ended.signal }).catch(() => {});
  const { code, signal } = await child.status;
  stopWaiting();
  ended.abort();
  // The program may also have ended by itself just before the kill.
  if (late && signal === "SIGKILL") return `${program} took over ${limit / 1000} s and was killed`;
  return code === 0 ? undefined : `${program} ended with code ${code}`;
}

function kill(child: Deno.ChildProcess): void {
  for (const kill of [() => Deno.kill(-child.pid, "SIGKILL"), () => child.kill("SIGKILL")]) {
    try {
      return kill();
    } catch {
      // Signalling a group needs the permission to run any program; or the whole group has just
      // ended by itself.
    }
  }
}
