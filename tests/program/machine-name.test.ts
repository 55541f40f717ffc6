import { assertEquals } from "@std/assert";
import { machineName } from "../../program/machine-name.ts";
import { openRaw } from "../transport/raw-socket.ts";
import { temporaryFolder } from "./faderd.ts";
import { startFaderd } from "./in-process.ts";

Deno.test("the machine's name is what its file says, without comments; without a file there is none", async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/hostname`;
  for (
    const [text, name] of [
      ["rack7\n", "rack7"],
      ["  rack7.example  \n\n", "rack7.example"],
      ["# made by the installer\nrack7 # ours\n", "rack7"],
      ["", undefined],
      ["\n", undefined],
    ] as const
  ) {
    await Deno.writeTextFile(file, text);
    assertEquals([text, machineName(file)], [text, name]);
  }
  assertEquals(machineName(`${folder.path}/none`), undefined);
});

Deno.test("a service may be called by the name of its machine, with and without .local", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", `${folder.path}/data`);
  const name = machineName();
  for (
    const [host, status] of [
      ...(name === undefined ? [] : [[name, 101], [`${name}.local`, 101]] as const),
      ["demo.local", 101],
      ["evil.example", 421],
    ] as const
  ) {
    using asked = await openRaw(`${running.url}/api/ws`, { host });
    assertEquals([host, asked.status], [host, status]);
  }
});
