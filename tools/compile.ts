/**
 * Makes one binary, `./faderd`, of the service's bundle and Deno's runtime: `deno task compile`,
 * for another machine `--target aarch64-unknown-linux-gnu`. Deno fetches the runtime; where it
 * cannot, `DENORT_BIN` names one.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { print, warn } from "../program/print.ts";
import { bundle, FLAGS } from "./bundle.ts";

const TARGETS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"];

const root = new URL("../", import.meta.url);

if (import.meta.main) {
  const { target } = parseArgs(Deno.args, { string: ["target"] });
  if (target !== undefined && !TARGETS.includes(target)) {
    warn(`--target: expected ${TARGETS.join(" or ")}, got "${target}"`);
    Deno.exit(2);
  }
  const made = new URL("dist/", root);
  await bundle(made);
  const options = target === undefined ? [] : ["--target", target];
  try {
    await compile(Deno.execPath(), new URL("faderd.js", made), new URL("faderd", root), {
      options,
    });
  } catch (fault) {
    warn((fault as Error).message);
    Deno.exit(1);
  }
  print("./faderd");
}

/** The options of a binary for another machine, or by another Deno. */
interface Otherwise {
  /** More options of `deno compile`. */
  readonly options?: readonly string[];
  /** The runtime, instead of a fetched one. */
  readonly runtime?: URL;
}

/**
 * Makes a binary of a module by `deno`, with the rights and the flags of `deno task faderd`. If it
 * cannot fetch the runtime it throws an Error that names the needed runtime; for other failures an
 * Error with the output of `deno`.
 */
export async function compile(
  deno: string,
  module: URL,
  output: URL,
  { options = [], runtime }: Otherwise,
): Promise<void> {
  const [, ...flags] = FLAGS;
  // The program computes the address of this file, so that Deno would leave it out.
  const include = ["--include", new URL("hub-nats.js", module).pathname];
  const { success, stderr } = await new Deno.Command(deno, {
    args: [
      "compile",
      ...flags,
      ...options,
      ...include,
      "--output",
      output.pathname,
      module.pathname,
    ],
    ...(runtime === undefined ? {} : { env: { DENORT_BIN: runtime.pathname } }),
    stdout: "null",
  }).output();
  if (success) return;
  const said = new TextDecoder().decode(stderr);
  const [missing] =
    /https:\/\/\S+denort\S+\.zip/.exec(said.slice(said.indexOf("sending request"))) ?? [];
  throw new Error(
    missing === undefined
      ? `deno compile failed: ${said}`
      : `${missing} cannot be fetched: get it by other means, and set DENORT_BIN to its denort`,
  );
}
