/** A console that is killed, and started again, under the subscriptions of a client. */
import { assertEquals } from "@std/assert";
import { connect, type ConnectionState } from "../../client/client.ts";
import { startFaderd, temporaryFolder, tokenIn } from "../program/faderd.ts";
import { until } from "../service.ts";

const fader = "/audio/mixers/0/faders/0/fader";

Deno.test("after a kill and a restart the live copies are right again, and go on", async () => {
  await using folder = await temporaryFolder();
  const killed = await startFaderd("--data", folder.path);
  const token = tokenIn(killed.stdout);
  const url = `${killed.url.replace("http", "ws")}/api/ws`;
  await using desk = connect(url, { token });
  const mixer = await desk.watch("/audio/mixers/0");
  const name = await desk.watch("/general/_name");
  const states: ConnectionState[] = [];
  desk.onState(({ state }) => states.push(state));
  await desk.set(fader, -12);
  await desk.rpc("fadetovalue", { fader: 1, time: 30, value: 0 }); // which a restart forgets
  await mixer.until(({ faders }) => faders[1]!.fader > -150);
  killed.kill("SIGKILL");
  await killed.ended();
  await until(() => desk.state === "lost");

  const { host } = new URL(killed.url);
  await using _restarted = await startFaderd("--data", folder.path, "--listen", host);
  await until(() => desk.state === "open");
  await mixer.until(({ faders }) => faders[1]!.fader === -160);
  assertEquals([mixer.value.faders[0]!.fader, name.value], [-12, "demo"]);
  assertEquals(states, ["lost", ...states.slice(1, -1).fill("lost"), "open"]);
  await using other = connect(url, { token });
  await other.ready();
  await other.set(fader, -20);
  await mixer.until(({ faders }) => faders[0]!.fader === -20);
});
