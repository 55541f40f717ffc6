/**
 * A server for `tree.ts`: the whole service on a store that keeps nothing, so that the medium does
 * not hide the cost of a change. Argument: the number of faders of its one mixer.
 *
 * @module
 */
import { print } from "./report.ts";
import { forgetfulConsole, listenFor } from "./service.ts";

const { port } = listenFor(forgetfulConsole(Number(Deno.args[0])));
print(`http://127.0.0.1:${port}`);
