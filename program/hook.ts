/**
 * The program `hooks.applied` of the configuration: it tells the firmware of restored settings.
 *
 * @module
 */
import type { SettingsDocument, SettingsTag } from "../core/settings/settings.ts";
import { reasonOf } from "./print.ts";

/** How long the program may take, in ms. */
export const HOOK_MS = 10_000;

/**
 * Runs the program with the tag as argument and the document on its standard input; what it says on
 * standard error goes to ours. Answers why that failed: it could not be started, it ended with
 * another code than 0, it took over `limit` ms and was killed.
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
      stdin: "piped",
      stdout: "null",
      stderr: "inherit",
    }).spawn();
  } catch (fault) {
    return `${program} could not be started: ${reasonOf(fault)}`;
  }
  let late = false;
  const timeout = setTimeout(() => {
    try {
      child.kill("SIGKILL");
      late = true;
    } catch {
      // It has just ended by itself.
    }
  }, limit);
  // A program that needs no document may leave it unread. One that it started may hold its standard
  // input open long after it has ended: that is not waited for.
  const ended = new AbortController();
  new Response(JSON.stringify(document)).body!
    .pipeTo(child.stdin, { signal: ended.signal }).catch(() => {});
  const { code } = await child.status;
  clearTimeout(timeout);
  ended.abort();
  if (late) return `${program} took over ${limit / 1000} s and was killed`;
  return code === 0 ? undefined : `${program} ended with code ${code}`;
}
