/** `deno task start`: the permissions of the service, by its options. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { startFaderd, temporaryFolder } from "./faderd.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";
import { until } from "../service.ts";

/** The permissions of a process, by name. */
function permissionsOf(pid: number): Record<string, string> {
  // A test has no permission to read the file itself.
  const { stdout } = new Deno.Command("cat", { args: [`/proc/${pid}/cmdline`] }).outputSync();
  const args = new TextDecoder().decode(stdout).split("\0");
  const allowed = args.filter((arg) => arg.startsWith("--allow-"));
  return Object.fromEntries(allowed.map((arg) => arg.slice("--allow-".length).split("=")));
}

const MULTICAST = "0.0.0.0:5353,224.0.0.251:5353";

Deno.test("the task allows the service to read and write only its data, and to listen on its addresses", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/my data`;
  const options = ["--data", data, "--listen-tls=127.0.0.1:0"];
  for (const [written, read] of [[data, `${folder.path},`], [data, ""]] as const) {
    await using running = await startFaderd(...options);
    assertEquals(permissionsOf(running.pid), {
      read: `view/built,/etc/hostname,${read}${written}`,
      write: data,
      net: `127.0.0.1:0,127.0.0.1:0,127.0.0.1,${MULTICAST}`,
      sys: "networkInterfaces",
    });
    running.kill("SIGTERM");
    const { code, stderr } = await running.ended();
    assertEquals([code, stderr.includes("Requires")], [0, false], stderr);
  }
});

Deno.test("the task allows the service to replace its configuration file, and to write nothing beside it", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/console.json`;
  const before = { mixers: [{ faders: 2 }], limits: { rest: { burst: 0 } } };
  await Deno.writeTextFile(config, JSON.stringify(before));
  const data = `${folder.path}/a/b/data`;
  await using running = await startFaderd("--config", config, "--data", data);
  const { write, read } = permissionsOf(running.pid);
  assertEquals(write, `${folder.path}/a,${config},${config}.new`);
  assertMatch(read!, new RegExp(`,${folder.path}$`));
  const after = { ...before, mixers: [{ faders: 3 }] };
  const archive = await archiveOf({ name: "fwconfig.json", content: JSON.stringify(after) });
  const answer = await restoreTo(running, archive, ["FWCONFIG"], adminOf(running));
  assertEquals(answer.Error, undefined);
  assertEquals(JSON.parse(await Deno.readTextFile(config)), after);
});

Deno.test("the task resolves links to a configuration and to a data folder", async () => {
  await using folder = await temporaryFolder();
  const links = `${folder.path}/links`;
  const real = `${folder.path}/real`;
  for (const path of [links, real, `${real}/data`]) await Deno.mkdir(path);
  await Deno.writeTextFile(`${real}/console.json`, '{"mixers":[{"faders":7}]}');
  for (const name of ["console.json", "data"]) {
    await Deno.symlink(`${real}/${name}`, `${links}/${name}`);
  }
  const options = ["--config", `${links}/console.json`, "--data", `${links}/data`];
  await using running = await startFaderd(...options);
  const config = `${real}/console.json`;
  assertEquals(
    permissionsOf(running.pid).write,
    `${links}/data,${real}/data,${config},${config}.new`,
  );
});

Deno.test("for a data folder with a comma in its path the task allows the folder above the comma", async () => {
  await using folder = await temporaryFolder();
  await using running = await startFaderd("--data", `${folder.path}/100,000/data`);
  assert(permissionsOf(running.pid).write === `${folder.path}/`);
});

Deno.test("the task allows an enrolled console to reach its hubs, and to read the certificate of their authority", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  await Deno.mkdir(data);
  const enrolment = {
    console: "0123456789abcdef0123456789abcdef",
    token: "t",
    organisation: "",
    hubs: ["ws://127.0.0.1:1"],
    site: "",
  };
  await Deno.writeTextFile(`${data}/fleet.json`, JSON.stringify(enrolment));
  const config = `${folder.path}/console.json`;
  const hubs = ["ws://127.0.0.1:2/path", "ws://[::1]:3"];
  await Deno.writeTextFile(
    config,
    JSON.stringify({ mixers: [{ faders: 1 }], fleet: { hubs, ca: "/etc/hostname" } }, null, 2),
  );
  await using running = await startFaderd("--data", data, "--config", config);
  const { net, read, env } = permissionsOf(running.pid);
  assert(env === "DENO_TLS_CA_STORE", env);
  assert(net!.endsWith(`${MULTICAST},127.0.0.1:1,127.0.0.1:2,[::1]:3`), net);
  assert(read!.endsWith(",/etc/hostname"), read);
  await until(() => running.stderr.includes("connected to no hub"));
  assert(!running.stderr.includes("Requires"), running.stderr);
});
