/**
 * Runs tests that call `Deno.test` in another runtime: one after the other, once all are known. The
 * last line that it prints is a {@link Verdict}.
 *
 * @module
 */
import process from "node:process";
import { connectHere } from "./connect.ts";
// @ts-types="../../runtimes/node/ws.d.ts"
import { WebSocket as WsSocket } from "ws";

/** The outcomes of the tests. */
export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly runtime: string;
}

type Run = (step: { step(name: string, run: Run): Promise<void> }) => void | Promise<void>;

const tests: { readonly name: string; readonly run: Run }[] = [];

Object.assign(globalThis, {
  Deno: { test: (name: string, run: Run) => tests.push({ name, run }), connect: connectHere },
  // Node has a WebSocket from version 22 on.
  WebSocket: globalThis.WebSocket ?? WsSocket,
});

/** Maximum time of one test, in ms. */
const PATIENCE_MS = 60_000;

async function runOne(name: string, run: Run): Promise<void> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    const timeout = setTimeout(() => reject(new Error(`${name}: not over in time`)), PATIENCE_MS);
    cancel = () => clearTimeout(timeout);
  });
  const done = async () => await run({ step: (_name, run) => runOne(_name, run) });
  await Promise.race([done(), late]).finally(cancel);
}

/** Runs the declared tests, and ends the process, with 1 if a test failed. */
export async function runTests(): Promise<void> {
  const { versions } = process as { readonly versions: Readonly<Record<string, string>> };
  const { bun, node } = versions;
  const only = process.argv[2];
  let failed = 0;
  const chosen = tests.filter(({ name }) => only === undefined || name.includes(only));
  for (const { name, run } of chosen) {
    try {
      await runOne(name, run);
    } catch (fault) {
      failed++;
      process.stderr.write(`FAILED ${name}\n${fault instanceof Error ? fault.stack : fault}\n`);
    }
  }
  const runtime = bun === undefined ? `Node ${node}` : `Bun ${bun}`;
  const verdict: Verdict = { passed: chosen.length - failed, failed, runtime };
  process.stdout.write(`${JSON.stringify(verdict)}\n`);
  process.exit(failed === 0 ? 0 : 1);
}
