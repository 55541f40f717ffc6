/**
 * A service in Node that keeps its data: `node node-service.mjs serve --data FOLDER`. It prints the
 * lines of `faderd serve` at a start, and ends on SIGTERM as that does.
 *
 * @module
 */
import process from "node:process";
import { startConsole } from "../../runtimes/node/node.ts";

const data = process.argv.at(-1)!;
const desk = await startConsole({ data });
process.once("SIGTERM", () => void desk.stop());
process.stdout.write(`on ${desk.url}, in Node\ndata in ${data}: 1 user\n`);
