/**
 * One session with a service that a command starts, which has to work wherever the bundle runs.
 *
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "../../client/client.ts";
import { startFaderdIn, temporaryFolder, tokenIn } from "../program/faderd.ts";
import { backupOf, restoreTo } from "../program/restores.ts";

/** Starts the service in a folder of its own, uses it, kills it, starts it again and restores. */
export async function session(command: readonly string[]): Promise<void> {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  let token: string;
  let id: string;
  let backup: Uint8Array<ArrayBuffer>;
  {
    await using running = await startFaderdIn({ command }, ...data);
    token = tokenIn(running.stdout);
    assertStringIncludes(await (await fetch(running.url)).text(), "<title>faderd</title>");

    await using desk = connect(webSocketOf(running.url), { token });
    await desk.ready();
    const fader = await desk.watch("/audio/mixers/0/faders/0");
    await desk.rpc("fadetovalue", { fader: 0, time: 0.5, value: -20 });
    await fader.until(({ fader }) => fader === -20);

    const morning = { type: 2, id: "", name: "Morning", writegroups: 1 } as const;
    await desk.rpc("savesnapshot", morning);
    const snapshots = await desk.rpc("getsnapshotlist", { type: 2 });
    ({ id } = snapshots.find(({ name }) => name === morning.name)!);
    await desk.set("/audio/mixers/0/faders/0/fader", 0);
    await desk.rpc("loadsnapshot", { id });
    assertEquals(await desk.get("/audio/mixers/0/faders/0/fader"), -20);

    backup = await backupOf(running, "ALL", token);
    await desk.rpc("removesnapshot", { id });
    await desk.set("/audio/mixers/0/faders/0/fader", -3);
    running.kill("SIGKILL");
    await running.ended();
  }
  await using running = await startFaderdIn({ command }, ...data);
  // A restore closes connections, so each check opens a new one.
  const look = async () => {
    await using desk = connect(webSocketOf(running.url), { token });
    await desk.ready();
    const level = await desk.get("/audio/mixers/0/faders/0/fader");
    const snapshots = await desk.rpc("getsnapshotlist", { type: 2 });
    return { level, isSaved: snapshots.some((one) => one.id === id) };
  };
  assertEquals(await look(), { level: -3, isSaved: false });
  assertEquals((await restoreTo(running, backup, "ALL", token)).Error, undefined);
  assertEquals((await look()).isSaved, true);
  running.kill("SIGTERM");
  assertEquals((await running.ended()).code, 0);
}

function webSocketOf(url: string): string {
  return `${url.replace("http", "ws")}/api/ws`;
}
