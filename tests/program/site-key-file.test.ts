/** A site key that the start could not write. */
import { assertEquals, assertRejects } from "@std/assert";
import { ownSiteKey } from "../../program/site-key-file.ts";
import { temporaryFolder } from "./faderd.ts";

const always = () => true;

Deno.test("A site key that could not be written is kept once it can be, and it is the one in use", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/late`;
  const { key, keep } = await ownSiteKey(data, always);
  await assertRejects(keep!, Deno.errors.NotFound);
  await Deno.mkdir(data);
  await keep!();
  assertEquals(await Deno.readTextFile(`${data}/site-key`), `${key}\n`);
  assertEquals(await ownSiteKey(data), { key });
});

Deno.test("A site key that turns up meanwhile stays, and the one in use does not take its place", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/late`;
  const { keep } = await ownSiteKey(data, always);
  await Deno.mkdir(data);
  const { key } = await ownSiteKey(data);
  await keep!();
  assertEquals(await ownSiteKey(data), { key });
});
