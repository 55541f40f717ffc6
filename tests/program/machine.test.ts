/** The machine that the service runs on: its name, and its Deno. */
import { assertEquals } from "@std/assert";
import { machineName } from "../../program/machine-name.ts";
import { tooOld } from "../../program/minimum-deno.ts";
import { openRaw } from "../transport/raw-socket.ts";
import { temporaryFolder } from "./faderd.ts";
import { sceneOf } from "./scene.ts";

const FILES = [
  ["rack7\n", "rack7"],
  ["  rack7.example  \n\n", "rack7.example"],
  ["# made by the installer\nrack7 # ours\n", "rack7"],
  ["", undefined],
  ["\n", undefined],
] as const;

Deno.test("the name of the machine is read from its file, without comments; without a file there is none", async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/hostname`;
  assertEquals(machineName(file), undefined);
  for (const [text, name] of FILES) {
    await Deno.writeTextFile(file, text);
    assertEquals(machineName(file), name, text);
  }
});

Deno.test("Host may be the name of the machine, with and without .local", async () => {
  await using scene = await sceneOf();
  await using running = await scene.start();
  const name = machineName();
  const own = name === undefined ? [] : [name, `${name}.local`];
  for (const host of [...own, "demo.local", "evil.example"]) {
    using asked = await openRaw(`${running.url}/api/ws`, { host });
    assertEquals(asked.status, host === "evil.example" ? 421 : 101, host);
  }
});

Deno.test("with a Deno that is too old, one sentence names the required version", () => {
  for (const version of ["2.9.0", "2.10.0", "3.0.0", "2.9.0-rc.1", Deno.version.deno]) {
    assertEquals(tooOld(version), undefined);
  }
  for (const version of ["2.8.9", "2.6.10", "1.99.0"]) {
    const sentence = `this is Deno ${version}; faderd needs Deno 2.9.0 or later, and may fail here`;
    assertEquals(tooOld(version), sentence);
  }
});
