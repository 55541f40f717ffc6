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

/** How often it is looked whether npx is still there. */
const LOOK_MS = 500;

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

// npx hands no signal on: it goes, and so does the shell between, which is all that is seen of it.
const parent = process.ppid;
const watch = process.env.npm_command === undefined ? undefined : setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  child.kill("SIGTERM");
}, LOOK_MS);

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  process.on(signal, () => {
    // What ends us ends npx, too; and of a terminal that is closed SIGHUP does.
    if (signal !== "SIGHUP" || process.stdin.isTTY) clearInterval(watch);
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
