/**
 * What another computer is to see of services that advertise themselves.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { temporaryFolder } from "./faderd.ts";
import { ADDRESS, inNetwork, OTHER_ADDRESS } from "./network.ts";

const SEES = new URL("advertised.ts", import.meta.url).pathname;

/** Fails where it sees something else; `command` starts the service where the sources do not. */
export async function seesServices({ command = [] }: { command?: readonly string[] } = {}) {
  await using folder = await temporaryFolder();
  const run = `exec "${Deno.execPath()}" run --no-prompt --allow-all ${SEES} ${folder.path}`;
  const where = (name: string, host = name, addresses = `${ADDRESS},${OTHER_ADDRESS}`) =>
    `${name} ${host}.local ${addresses} /api/rest true`;
  const second = where("studio-1 (2)", "studio-1-2", ADDRESS);
  const said = await inNetwork([run, ADDRESS, ...command].join(" "));
  assertEquals(said.trim().split("\n"), [
    `up faderd ${where("studio-1")}`,
    `up http ${where("studio-1")}`,
    `up faderd ${second}`,
    `up http ${second}`,
    "down faderd studio-1 (2)",
    "down http studio-1 (2)",
    "down faderd studio-1",
    "down http studio-1",
    `up faderd ${where("studio-2")}`,
    `up http ${where("studio-2")}`,
    "code 0",
    "down faderd studio-2",
    "down http studio-2",
  ]);
}
