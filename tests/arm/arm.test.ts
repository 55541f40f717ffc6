/**
 * The bundle in a Deno for ARM64: on an ARM64 machine the Deno that runs this test, on any other a
 * Deno under QEMU, with the parts that `deno task arm` downloads.
 */
import { bundle, FLAGS } from "../../tools/bundle.ts";
import { temporaryFolder } from "../program/faderd.ts";
import { session } from "./session.ts";

const parts = new URL("../../dist/arm/", import.meta.url).pathname;
const emulated = [
  `${parts}qemu/usr/bin/qemu-aarch64-static`,
  "-L",
  `${parts}root`,
  `${parts}deno/package/deno`,
];
const isHere = Deno.build.arch === "aarch64";
const deno = isHere ? [Deno.execPath()] : emulated;
const missing = deno.filter((part) => part.startsWith("/") && !isThere(part));

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path) !== undefined;
  } catch {
    return false;
  }
}

Deno.test({
  name: missing.length === 0
    ? `on ARM64, ${
      isHere ? "here" : "under QEMU"
    }, the bundle serves, fades, restores, outlives a kill`
    : `skipped, for the parts for ARM64 are not here: ${missing.join(", ")}`,
  ignore: missing.length > 0,
  async fn() {
    await using folder = await temporaryFolder();
    await bundle(new URL(`file://${folder.path}/`));
    await session([...deno, ...FLAGS, `${folder.path}/faderd.js`]);
  },
});
