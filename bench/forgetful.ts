/**
 * A server for `tree.ts`: the whole service on a store that keeps nothing, so that what a change
 * costs is not hidden by the medium. Argument: the number of faders of its one mixer.
 *
 * @module
 */
import { machineScheduler, machineTimer as timer } from "../runtimes/clock.ts";
import { listen } from "../runtimes/deno/server.ts";
import { serveConsole } from "../transport/serve-console.ts";
import { forgetfulConsole, realClock } from "./forgetful-console.ts";
import { print } from "./report.ts";

const console = forgetfulConsole(Number(Deno.args[0]));
const scheduler = machineScheduler();
const { service } = serveConsole(console, { clock: realClock, timer, scheduler });
const onFault = (fault: unknown) => {
  throw fault;
};
const { address } = listen({ hostname: "127.0.0.1", port: 0 }, { service, timer, onFault });
print(`http://127.0.0.1:${address.port}`);
