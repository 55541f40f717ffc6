#!/usr/bin/env node
/**
 * The command `faderd` of the npm package: it runs the service, one file, by the package `deno`,
 * and ends as that does. `FLAGS` is put in where the package is made.
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const deno = require.resolve("deno/package.json");
const name = process.platform === "win32" ? "deno.exe" : "deno";
if (!existsSync(join(dirname(deno), name))) {
  process.stderr.write(`unpacking Deno ${require(deno).version}, which runs the service, once\n`);
}
const service = fileURLToPath(new URL("./service.js", import.meta.url));
const executable = require("deno/install_api.cjs").runInstall();
const child = spawn(executable, [...FLAGS, service, ...process.argv.slice(2)], {
  stdio: "inherit",
});

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  process.on(signal, () => {
    // A terminal gives Ctrl-C to both of us; a second one would end the service at once.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("error", ({ message }) => {
  process.stderr.write(`faderd: cannot run ${executable}: ${message}\n`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});
