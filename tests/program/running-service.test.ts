/** The commands that ask a running service, each as a process. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { type Ended, outputOf, type Running, temporaryFolder } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";

const CONFIGURATION = { mixers: [{ faders: 2 }], limits: { rest: { burst: 0 } } };

/** A service that runs, the options that lead to it, and a folder beside. */
async function started(...options: string[]) {
  const folder = await temporaryFolder();
  const file = (name: string) => `${folder.path}/${name}`;
  await Deno.writeTextFile(file("config.json"), JSON.stringify(CONFIGURATION));
  const kept = ["--data", file("data"), "--config", file("config.json")];
  const service = await startFaderd(...kept, ...options);
  return {
    file,
    service,
    // As a first start that runs on no terminal left it.
    by: ["--url", service.url, "--token-file", file("data/admin-token")],
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Checks that a command failed with one clear line, and gives that line. */
function failure({ code, stdout, stderr }: Ended, status = 1): string {
  assertEquals([code, stdout], [status, ""], stderr);
  assertMatch(stderr, /^faderd: [^\n]+\n$/);
  return stderr;
}

async function rpc({ url }: Running, token: string, method: string): Promise<number | undefined> {
  const body = JSON.stringify({ method: "rpc", token, payload: { method, params: {} } });
  const answer = await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
  return answer.error?.code;
}

Deno.test("users of a running service are added, listed and removed as in a folder", async () => {
  await using scene = await started();
  const { service, by } = scene;
  const add = [
    "user",
    "add",
    "anna",
    "--groups",
    "1,4",
    "--may",
    "view",
    "--expires",
    "2999-01-31",
  ];
  const added = await faderd(...add, ...by);
  assertEquals(added.code, 0);
  assertMatch(
    added.stderr,
    /^faderd: user anna may only view, but may operate by logging out: .*\n$/,
  );
  assertMatch(added.stdout, /^[0-9a-f]{8}(-[0-9a-f]{8}){3}\n$/);
  assertEquals(await rpc(service, added.stdout.trim(), "getuser"), undefined, "it is a token");
  assertEquals(
    failure(await faderd(...add, ...by)),
    "faderd: name: there is a user anna already\n",
  );
  // Who asks may also stand on the command line, beside options of the user who is added.
  const engine = ["user", "add", "audio", "--groups", "1", "--engine", "--url", service.url];
  assertEquals((await faderd(...engine, "--token", adminOf(service))).code, 0);

  const list = async () => {
    const { stdout } = await faderd("user", "list", ...by);
    return stdout.replaceAll(/\S+:\S+Z/g, "TIME").split("\n").slice(1);
  };
  const anna = "anna\tgroups 1,4\tcreated TIME\tmay view\tlast used TIME\texpires TIME";
  const audio = "audio\tgroups 1\tcreated TIME\tmay operate\tlast used never\tengine";
  assertEquals(await list(), [anna, audio, ""]);
  const removed = await faderd("user", "remove", "anna", ...by);
  assertEquals(removed, { code: 0, stdout: "", stderr: "" });
  assertEquals(await list(), [audio, ""]);
  assertEquals(await rpc(service, added.stdout.trim(), "getuser"), 4, "the token is worth nothing");
  const last = failure(await faderd("user", "remove", "admin", ...by));
  assertStringIncludes(last, "admin is the last admin: first add another");
});

Deno.test("a backup of a running service is whole, and a restore puts back what it has", async () => {
  await using scene = await started();
  const { by, file, service } = scene;
  assertEquals((await faderd("user", "add", "anna", "--groups", "2", ...by)).code, 0);
  const made = await faderd("backup", file("a.bin"), "--tags", "USERS,MXSNAPS", ...by);
  const said = `${file("a.bin")}: USERS,MXSNAPS of ${service.url}\n`;
  assertEquals(made, { code: 0, stdout: said, stderr: "" });
  assertEquals((await Deno.stat(file("a.bin"))).mode! & 0o777, 0o600);
  assertEquals((await faderd("user", "remove", "anna", ...by)).code, 0);
  // What it is called does not matter, as it does not to a restore of a folder.
  await Deno.rename(file("a.bin"), file("kept backup"));
  const restored = await faderd("restore", file("kept backup"), "--tags", "USERS", ...by);
  assertEquals([restored.code, restored.stderr], [0, ""]);
  assertStringIncludes(restored.stdout, `to ${service.url}: USERS\n`);
  assertStringIncludes((await faderd("user", "list", ...by)).stdout, "\nanna\t");
});

Deno.test("backup - writes the archive to standard output, and nothing else, of a service and of a folder", async () => {
  await using scene = await started();
  const { by, file, service } = scene;
  const tags = ["--tags", "USERS,MXSNAPS"];
  const check = async ({ success, stdout, stderr }: Deno.CommandOutput) => {
    assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
    const names = Array.from(filesIn(await gunzip(stdout)), ([name]) => name);
    assertEquals([names[0], names.includes("users.bin")], ["manifest.json", true], `${names}`);
  };
  await check(await outputOf("backup", "-", ...tags, ...by));
  service.kill("SIGTERM");
  await service.ended();
  const kept = ["--data", file("data"), "--config", file("config.json")];
  await check(await outputOf("backup", "-", ...tags, ...kept));
});

Deno.test("an archive of megabytes goes to a running service, and is refused in its words", async () => {
  await using scene = await started();
  const { by, file } = scene;
  const noise = new Uint8Array(3 * 1024 * 1024);
  for (let at = 0; at < noise.length; at += 65_536) {
    crypto.getRandomValues(noise.subarray(at, at + 65_536));
  }
  await Deno.writeFile(file("noise.tgz"), noise);
  const refused = failure(await faderd("restore", file("noise.tgz"), ...by));
  assertStringIncludes(refused, 'file: expected a gzip-compressed tar, got the file "noise.tgz"');
});

Deno.test("what a running service refuses is said in its words, and nothing is written", async () => {
  await using scene = await started();
  const { by, file, service } = scene;
  const at = ["--url", service.url];
  await Deno.writeTextFile(file("token"), "no token\n");
  await Deno.writeTextFile(file("wrong"), "bffdc628-88e85b99-b86db9ef-9032ccac\n");
  await Deno.writeFile(file("a.tgz"), await archiveOf({ name: "network.json", content: "{}" }));
  const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = silent.addr;
  silent.close();
  const stranger = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("hello"),
  );
  const strange = ["--url", `http://127.0.0.1:${stranger.addr.port}`];
  const rows: readonly (readonly [readonly string[], string])[] = [
    [["user", "list", ...at], "token: expected the token of a user, it is missing"],
    [["user", "list", ...at, "--token-file", file("wrong")], "token: expected the token of a user"],
    [["user", "list", ...at, "--token-file", file("token")], "does not hold a token"],
    [["user", "list", ...at, "--token-file", file("none")], "cannot be read"],
    [["user", "list", ...at, "--ca", file("token")], "holds no certificate, PEM"],
    [["user", "add", "a b", "--groups", "1", ...by], "name: expected 1 to 64 letters"],
    [["user", "remove", "carl", ...by], "name: there is no user"],
    [["backup", file("b.tgz"), "--tags", "X", ...by], "Tags: expected ALL or tags of"],
    [["backup", "/nowhere/b.tgz", ...by], "could not be written"],
    [["restore", file("a.tgz"), ...by], "Tags: the archive has no"],
    [["restore", file("none.tgz"), ...by], "cannot be read"],
    [
      ["user", "list", "--url", `http://127.0.0.1:${port}`],
      "does not answer: client error (Connect)",
    ],
    [["user", "list", ...strange], "status 200, and not as faderd does"],
    [["backup", file("b.tgz"), ...strange], "status 200, and not as faderd does"],
    [["restore", file("a.tgz"), ...strange], "status 200, and not as faderd does"],
    [["log", "verify", ...strange], "status 200, and not as faderd does"],
  ];
  for (const [args, sentence] of rows) {
    assertStringIncludes(failure(await faderd(...args)), sentence, args.join(" "));
  }
  await stranger.shutdown();
  await Promise.all(["b.tgz", "b.tgz.new"].map(async (name) => {
    assertEquals(await Deno.stat(file(name)).catch(() => "nothing"), "nothing");
  }));
});

Deno.test("of a running service and a folder one is meant; else the exit status is 2", async () => {
  const at = ["--url", "http://127.0.0.1:8080"];
  const token = "bffdc628-88e85b99-b86db9ef-9032ccac";
  const rows: readonly (readonly [readonly string[], string])[] = [
    [["user", "list", ...at, "--data", "x"], "--data goes without --url"],
    [["backup", "a.tgz", ...at, "--config", "x"], "--config goes without --url"],
    [["user", "list", "--token", token], "--token goes with --url"],
    [["user", "add", "a", "--groups", "1", "--token-file", "x"], "--token-file goes with --url"],
    [["restore", "a.tgz", "--ca", "x"], "--ca goes with --url"],
    [["user", "list", ...at, "--token", "x"], "--token: expected one like xxxxxxxx-"],
    [["user", "list", ...at, "--token", token, "--token-file", "x"], "got both"],
    [["user", "list", "--url", "127.0.0.1:8080"], "--url: expected one like http://"],
    [["user", "list", "--url", "ws://127.0.0.1/api/ws"], "--url: expected one like http://"],
    [["log", "dump", ...at], "there is no option --url"],
    [["tls", "show", ...at], "there is no option --url"],
  ];
  await Promise.all(rows.map(async ([args, sentence]) => {
    const said = failure(await faderd(...args), 2);
    assertStringIncludes(said, sentence);
    assert(!said.includes(token));
  }));
});

Deno.test("log verify of a running service says how its storage is", async () => {
  await using scene = await started();
  const { code, stdout } = await faderd("log", "verify", "--url", scene.service.url);
  assertEquals([code, stdout], [
    0,
    `${scene.service.url}: the log was good when the service started, ` +
    "and all that is in force is stored\n",
  ]);
});

Deno.test("over HTTPS a service is asked that an authority of one's own vouches for", async () => {
  await using scene = await started("--listen-tls", "127.0.0.1:0");
  const { file, service } = scene;
  const of = (name: string) => new URL(`./certificates/${name}.pem`, import.meta.url).pathname;
  const content = await Deno.readTextFile(of("one"));
  const archive = await archiveOf({ name: "tls.pem", content });
  assertEquals((await restoreTo(service, archive, ["TLS"], adminOf(service))).Error, undefined);
  const url = /HTTPS on (https:\S+?)(,|\n)/.exec(service.stdout)![1]!;
  const list = ["user", "list", "--url", url, "--token-file", file("data/admin-token")];
  assertMatch((await faderd(...list, "--ca", of("ca"))).stdout, /^admin\t.*\n$/);
  assertStringIncludes(failure(await faderd(...list)), "UnknownIssuer");
  const health = ["health", "--url", url];
  assertStringIncludes((await faderd(...health, "--ca", of("ca"))).stdout, '"ready":true');
  assertStringIncludes(failure(await faderd(...health)), "UnknownIssuer");
  const itself = await archiveOf({
    name: "tls.pem",
    content: await Deno.readTextFile(of("authority")),
  });
  assertEquals((await restoreTo(service, itself, ["TLS"], adminOf(service))).Error, undefined);
  assertStringIncludes(
    failure(await faderd(...list, "--ca", of("authority"))),
    "says of itself that it is an authority's, to sign others with; make it with " +
      "basicConstraints=critical,CA:FALSE",
  );
});
