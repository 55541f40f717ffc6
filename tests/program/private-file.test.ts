import { assertEquals, assertRejects } from "@std/assert";
import { replaceFile } from "../../program/private-file.ts";
import { temporaryFolder } from "./faderd.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const names = async (folder: string) =>
  (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
const modeOf = async (path: string) => (await Deno.stat(path)).mode! & 0o777;

Deno.test("a file is replaced by a private one, even if an unfinished file was left readable", async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/a`;
  await Deno.writeTextFile(file, "old", { mode: 0o644 });
  await Deno.writeTextFile(`${file}.new`, "an unfinished longer one", { mode: 0o644 });
  await replaceFile(file, ReadableStream.from([bytes("ne"), bytes("w")]));
  assertEquals([await Deno.readTextFile(file), await modeOf(file)], ["new", 0o600]);
  assertEquals(await names(folder.path), ["a"]);
});

Deno.test("a link at the path of the unfinished file is not followed", async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/a`;
  const other = `${folder.path}/other`;
  await Deno.writeTextFile(other, "somebody's");
  await Deno.symlink(other, `${file}.new`);
  await replaceFile(file, ReadableStream.from([bytes("secret")]));
  assertEquals([await Deno.readTextFile(file), (await Deno.lstat(file)).isFile], ["secret", true]);
  assertEquals(await Deno.readTextFile(other), "somebody's");
});

Deno.test("a file is unchanged until the whole new file is written, and if that fails", async () => {
  await using folder = await temporaryFolder();
  const file = `${folder.path}/a`;
  await Deno.writeTextFile(file, "old");
  async function* cutOff() {
    yield bytes("ne");
    assertEquals(await Deno.readTextFile(file), "old");
    assertEquals(await modeOf(`${file}.new`), 0o600);
    throw new Error("cut off");
  }
  await assertRejects(() => replaceFile(file, ReadableStream.from(cutOff())), Error, "cut off");
  assertEquals(await Deno.readTextFile(file), "old");
  assertEquals(await names(folder.path), ["a"]);
});

Deno.test("an existing path that is not a file is not replaced", async () => {
  await using folder = await temporaryFolder();
  const inner = `${folder.path}/inner`;
  await Deno.mkdir(inner);
  await assertRejects(
    () => replaceFile(inner, ReadableStream.from([bytes("x")])),
    Error,
    "is not a file",
  );
  assertEquals(await names(folder.path), ["inner"]);
});
