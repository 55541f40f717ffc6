/**
 * The gain of 64 clients that write labels over one client, because concurrent writes share one
 * sync: each writes its own label, another text each time, so that every request is a change and
 * reaches the medium. `rpc.ts` compares the same requests with a bare `Deno.serve`.
 *
 * The data is on the disk of `--dir`, by default that of `/var/tmp`: on a memory file system a sync
 * would cost nothing.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { loadFigures, measureLoads } from "./load.ts";
import { benchOptions, report } from "./report.ts";
import { openWriter, startServiceForRequests, WRITERS } from "./requests.ts";

const SHARING = { requests: 10 };

const options = benchOptions({ rounds: 9, seconds: 1 });
const { dir } = parseArgs(Deno.args, { string: ["dir"], default: { dir: "/var/tmp" } });
const folder = await Deno.makeTempDir({ dir, prefix: "faderd-bench-" });
const { server } = await startServiceForRequests(folder);
try {
  const open = async (clients: number) => ({
    server,
    connections: await Promise.all(
      Array.from({ length: clients }, (_, client) => openWriter(server.port, client)),
    ),
  });
  const loaded = [await open(WRITERS), await open(1)];
  const [many, one] = await measureLoads(loaded, options);
  const figures = loadFigures("setgloballabel", many!, one!, SHARING);
  report("actions", [{ sides: [`${WRITERS} clients`, "1 client"], figures }], options);
} finally {
  await server.stop();
  await Deno.remove(folder, { recursive: true });
}
