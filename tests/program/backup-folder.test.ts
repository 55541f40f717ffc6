/** The folder of the backups of a fleet on a disk. */
import { assertEquals } from "@std/assert";
import { openBackupFolder } from "../../program/backup-folder.ts";
import { temporaryFolder } from "./faderd.ts";

Deno.test("unfinished files that another hub has left are removed, and those of a backup under way stay", async () => {
  await using folder = await temporaryFolder();
  const unfinished = `${folder.path}/unfinished`;
  const files = await openBackupFolder(folder.path);
  const names = () => [...Deno.readDirSync(unfinished)].map(({ name }) => name);
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>>();
  const received = files.receive(readable, 100);
  const writer = writable.getWriter();
  await writer.write(new Uint8Array(10));
  Deno.writeTextFileSync(`${unfinished}/left`, "");
  assertEquals(names().length, 2);
  await files.clear();
  await writer.close();
  const { name } = await received;
  assertEquals(names(), [name]);
  // It is read back before it is kept.
  await files.clear();
  await files.keep(name, "c".repeat(64));
  await files.remove("unfinished", name);
  assertEquals([names(), await files.archives()], [[], ["c".repeat(64)]]);
});

Deno.test("an unfinished file is removed if its backup breaks off or is too large", async () => {
  await using folder = await temporaryFolder();
  const files = await openBackupFolder(folder.path);
  const refused = await files.receive(new Response("too large").body!, 5).catch(String);
  assertEquals(refused, "Error: it has more than 5 bytes");
  assertEquals([...Deno.readDirSync(`${folder.path}/unfinished`)], []);
});
