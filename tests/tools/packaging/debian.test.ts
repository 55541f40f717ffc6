/** Checks of the Debian package that need no build; `task deb-check` tries the built package. */
import { assert, assertEquals } from "@std/assert";
import { readConfiguration } from "../../../core/configuration/configuration.ts";
import manifest from "../../../deno.json" with { type: "json" };

const read = (path: string) => Deno.readTextFile(new URL(`../../../${path}`, import.meta.url));

/** Returns the flags with which the command of the package runs Deno. */
async function flagsOf(env: Readonly<Record<string, string>>): Promise<string[]> {
  const script = await read("tools/packaging/faderd.sh");
  const printing = script.replace("exec /usr/lib/faderd/deno @FLAGS@", "printf '%s\\n'");
  const command = new Deno.Command("sh", { args: ["-c", printing], clearEnv: true, env });
  const [said] = new TextDecoder().decode((await command.output()).stdout).split(
    "/usr/lib/faderd/faderd.js",
  );
  return said!.trim().split("\n");
}

Deno.test("the command of the package may read the client of NATS of a hub, however few files it may read", async () => {
  const hub = await read("docs/examples/faderd-hub.service");
  const container = await read("tools/packaging/Containerfile");
  const limited = [hub, container].map((file) => /FADERD_FILES="?(--[^"\n]*)/.exec(file)![1]!);
  for (const FADERD_FILES of limited) {
    const flags = await flagsOf({ FADERD_FILES });
    assert(flags.includes("--allow-read=/usr/lib/faderd/hub-nats.js"), FADERD_FILES);
  }
  // Beside the flag alone, Deno would take the list as a limit.
  const any = (await flagsOf({})).filter((flag) => flag.startsWith("--allow-read"));
  assertEquals(any, ["--allow-read"]);
  // A list limits the flag without one, wherever it stands.
  const limit = "--allow-read=/var/lib/faderd";
  for (const FADERD_FILES of [`--allow-read ${limit}`, `${limit} --allow-read`]) {
    const flags = await flagsOf({ FADERD_FILES });
    assert(flags.includes("--allow-read=/usr/lib/faderd/hub-nats.js"), FADERD_FILES);
  }
});

Deno.test("the command of the package may run systemd-notify under systemd, whatever else it may run", async () => {
  const running = async (env: Readonly<Record<string, string>>) =>
    (await flagsOf(env)).filter((flag) => flag.startsWith("--allow-run"));
  const unit = { NOTIFY_SOCKET: "/run/systemd/notify" };
  const notifier = "--allow-run=systemd-notify";
  assertEquals(await running(unit), [notifier]);
  const hook = "--allow-run=/usr/local/bin/applied";
  assertEquals(await running({ ...unit, FADERD_PERMISSIONS: hook }), [hook, notifier]);
  // Beside the flag alone, Deno would take the program as a limit.
  assertEquals(await running({ ...unit, FADERD_PERMISSIONS: "--allow-run" }), ["--allow-run"]);
  for (const FADERD_PERMISSIONS of [`--allow-run ${hook}`, `${hook} --allow-run`]) {
    const flags = await running({ ...unit, FADERD_PERMISSIONS });
    assert(flags.includes(notifier), FADERD_PERMISSIONS);
  }
  assertEquals(await running({ FADERD_PERMISSIONS: "" }), []);
});

Deno.test("the changelog of the Debian package begins with the version of faderd", async () => {
  const [, version] = /^faderd \((\S+)\)/.exec(await read("tools/packaging/debian/changelog"))!;
  assertEquals(version, manifest.version);
});

Deno.test("the configuration in the package is valid", async () => {
  const parsed = readConfiguration(JSON.parse(await read("tools/packaging/debian/console.json")));
  assertEquals("faults" in parsed ? parsed.faults : [], []);
});
