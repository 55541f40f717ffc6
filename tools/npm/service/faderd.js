#!/usr/bin/env node
/**
 * The command `faderd` of the npm package: it runs the service by the package `deno` or by the
 * `deno` in PATH, and ends with the same status. The flags of Deno and its version are put in when
 * the package is made.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** Interval in ms of the check whether npx is still there. */
const LOOK_MS = 500;

/** Ends the program with one line. */
function fail(line) {
  process.stderr.write(`faderd: ${line}\n`);
  process.exit(1);
}

/** The executable of the package `deno`; undefined if it is not installed. */
function installedDeno() {
  const require = createRequire(import.meta.url);
  let manifest;
  try {
    manifest = require.resolve("deno/package.json");
  } catch {
    return undefined;
  }
  const name = process.platform === "win32" ? "deno.exe" : "deno";
  if (!existsSync(join(dirname(manifest), name))) {
    process.stderr.write(`unpacking Deno ${require(manifest).version}, which runs it, once\n`);
  }
  try {
    return require("deno/install_api.cjs").runInstall();
  } catch (fault) {
    return fail(
      `the package deno has no Deno for this machine: ${String(fault.message).split("\n")[0]}`,
    );
  }
}

/** The command of the Deno in PATH; undefined if there is none, or only an older one. */
function denoInPath() {
  const { stdout } = spawnSync("deno", ["--version"], { encoding: "utf8" });
  const [, major, minor] = /^deno (\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  return Number(major) === 2 && Number(minor) >= 9 ? "deno" : undefined;
}

const executable = installedDeno() ?? denoInPath() ??
  fail(`Deno 2.9 or later runs this program, and none is here: npm install deno@${DENO_VERSION}`);
const service = fileURLToPath(new URL("../lib/faderd.js", import.meta.url));
const child = spawn(executable, [...FLAGS, service, ...process.argv.slice(2)], {
  stdio: "inherit",
});

// npx passes no signal on: it ends, and so does the shell between, which is the only sign of its
// end.
const parent = process.ppid;
const watch = process.env.npm_command === undefined ? undefined : setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  child.kill("SIGTERM");
}, LOOK_MS);

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  process.on(signal, () => {
    // SIGTERM and SIGINT end npx, too; so does the SIGHUP of a closed terminal.
    if (signal !== "SIGHUP" || process.stdin.isTTY) clearInterval(watch);
    // A terminal gives Ctrl-C to both of us; a second one would end the service at once.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("error", ({ message }) => {
  fail(`cannot run ${executable}: ${message}`);
});
child.on("exit", (code, signal) => {
  process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
});
