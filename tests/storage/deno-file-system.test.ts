/** What the simulated disk cannot show: that the real one is asked for durable writes. */
import { assert, assertEquals } from "@std/assert";
import { denoFileSystem } from "../../storage/deno-file-system.ts";
import { inFolder, record } from "./texts.ts";

/** The flags of this process's open file of that path, as Linux tells them. */
async function openFlags(path: string): Promise<number> {
  const script = 'for fd in /proc/$0/fd/*; do [ "$(readlink $fd)" = "$1" ] && ' +
    "cat /proc/$0/fdinfo/${fd##*/}; done; true";
  const { stdout } = await new Deno.Command("sh", { args: ["-c", script, `${Deno.pid}`, path] })
    .output();
  return parseInt(/flags:\s*(\d+)/.exec(new TextDecoder().decode(stdout))![1]!, 8);
}

Deno.test({
  name: "Every file is open for durable writes",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    inFolder(async (folder) => {
      const durable = 0o10000;
      await denoFileSystem.makeFolder(folder);
      for (const open of [denoFileSystem.create, denoFileSystem.open]) {
        const file = await open(`${folder}/file`);
        assert(await openFlags(`${folder}/file`) & durable, "O_DSYNC");
        await file.close();
      }
    }),
});

Deno.test("A failure carries the system's name of it", () =>
  inFolder(async (folder) => {
    const { open, list, rename, create } = denoFileSystem;
    const outcomes = await Promise.allSettled([
      open(`${folder}/none`),
      list(`${folder}/none`),
      rename(`${folder}/none`, `${folder}/other`),
      create(`${folder}/none/file`),
    ]);
    const codes = outcomes.map((one) => one.status === "rejected" ? one.reason.code : "none");
    assertEquals(codes, ["ENOENT", "ENOENT", "ENOENT", "ENOENT"]);
  }));

Deno.test("A file that is not there is removed without a fault", () =>
  inFolder(async (folder) => {
    await denoFileSystem.makeFolder(folder);
    await denoFileSystem.remove(`${folder}/none`);
    const file = await denoFileSystem.create(`${folder}/one`);
    await file.write(record("a"), 0);
    await file.close();
    await denoFileSystem.remove(`${folder}/one`);
    assertEquals(await denoFileSystem.list(folder), []);
  }));
