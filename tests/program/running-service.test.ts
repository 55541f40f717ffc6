/** The commands with `--url`, which call a running service. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { filesIn, gunzip } from "../core/backup/archives.ts";
import { outputOf, type Running } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";
import { failure, rpc, sceneOf } from "./scene.ts";

const CONFIGURATION = { mixers: [{ faders: 2 }], limits: { rest: { burst: 0 } } };

/** A running service, and the options that name it. */
async function started(...options: string[]) {
  const scene = await sceneOf(CONFIGURATION);
  const service = await scene.start(...options);
  return {
    ...scene,
    service,
    // A first start without a terminal writes this file.
    by: ["--url", service.url, "--token-file", `${scene.data}/admin-token`],
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}

/** A server that is not faderd. */
function stranger(answer: (request: Request) => Response) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { url, [Symbol.asyncDispose]: () => server.shutdown() };
}

const errorOf = async (service: Running, token: string) =>
  (await rpc(service, token, "getuser")).error?.code;

Deno.test("users of a running service are added, listed and removed as in a folder", async () => {
  await using scene = await started();
  const { service, by } = scene;
  const rights = ["--groups", "1,4", "--may", "view", "--expires", "2999-01-31"];
  const added = await faderd("user", "add", "anna", ...rights, ...by);
  assertEquals(added.code, 0);
  assertMatch(
    added.stderr,
    /^faderd: user anna may only view, but may operate by logging out: .*\n$/,
  );
  assertMatch(added.stdout, /^[0-9a-f]{8}(-[0-9a-f]{8}){3}\n$/);
  assertEquals(await errorOf(service, added.stdout.trim()), undefined, "it is a token");
  const again = failure(await faderd("user", "add", "anna", ...rights, ...by));
  assertEquals(again, "faderd: name: there is a user anna already\n");
  // The token of the caller may also be an option, beside the options of the new user.
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
  assertEquals(await errorOf(service, added.stdout.trim()), 4, "the token is worth nothing");
  const last = failure(await faderd("user", "remove", "admin", ...by));
  assertStringIncludes(last, "admin is the last admin: first add another");
});

Deno.test("a backup of a running service is complete, and a restore restores its content", async () => {
  await using scene = await started();
  const { by, file, service } = scene;
  assertEquals((await faderd("user", "add", "anna", "--groups", "2", ...by)).code, 0);
  const made = await faderd("backup", file("a.bin"), "--tags", "USERS,MXSNAPS", ...by);
  const said = `${file("a.bin")}: USERS,MXSNAPS of ${service.url}\n`;
  assertEquals(made, { code: 0, stdout: said, stderr: "" });
  assertEquals((await Deno.stat(file("a.bin"))).mode! & 0o777, 0o600);
  assertEquals((await faderd("user", "remove", "anna", ...by)).code, 0);
  // The name of the file does not matter, as in a restore of a folder.
  await Deno.rename(file("a.bin"), file("kept backup"));
  const restored = await faderd("restore", file("kept backup"), "--tags", "USERS", ...by);
  assertEquals([restored.code, restored.stderr], [0, ""]);
  assertStringIncludes(restored.stdout, `to ${service.url}: USERS\n`);
  assertStringIncludes((await faderd("user", "list", ...by)).stdout, "\nanna\t");
});

Deno.test("backup - writes the archive to standard output, and nothing else, of a service and of a folder", async () => {
  await using scene = await started();
  const tags = ["--tags", "USERS,MXSNAPS"];
  const check = async ({ success, stdout, stderr }: Deno.CommandOutput) => {
    assertEquals([success, new TextDecoder().decode(stderr)], [true, ""]);
    const names = Array.from(filesIn(await gunzip(stdout)), ([name]) => name);
    assertEquals([names[0], names.includes("users.bin")], ["manifest.json", true], `${names}`);
  };
  await check(await outputOf("backup", "-", ...tags, ...scene.by));
  await scene.service[Symbol.asyncDispose]();
  await check(await outputOf("backup", "-", ...tags, ...scene.options));
});

Deno.test("a refusal of a running service is printed unchanged, and nothing is written", async () => {
  await using scene = await started();
  await using other = stranger(() => new Response("hello"));
  const { by, file, service } = scene;
  const at = ["--url", service.url];
  const strange = ["--url", other.url];
  await Deno.writeTextFile(file("token"), "no token\n");
  await Deno.writeTextFile(file("wrong"), "bffdc628-88e85b99-b86db9ef-9032ccac\n");
  await Deno.writeFile(file("a.tgz"), await archiveOf({ name: "network.json", content: "{}" }));
  // The file is larger than one write to a connection.
  await Deno.writeFile(file("noise.tgz"), new Uint8Array(3 * 1024 * 1024).fill(7));
  const silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const gone = ["--url", `http://127.0.0.1:${silent.addr.port}`];
  silent.close();
  const rows: readonly (readonly [line: string, options: string[], sentence: string])[] = [
    ["user list", at, "token: expected the token of a user, it is missing"],
    [
      "user list",
      [...at, "--token-file", file("wrong")],
      "Authorization: expected the token of a user",
    ],
    ["user list", [...at, "--token-file", file("token")], "does not hold a token"],
    ["user list", [...at, "--token-file", file("none")], "cannot be read"],
    ["user list", [...at, "--ca", file("token")], "holds no certificate, PEM"],
    ["user remove carl", by, "name: there is no user"],
    [`backup ${file("b.tgz")} --tags X`, by, "Tags: expected ALL or some of"],
    ["backup /nowhere/b.tgz", by, "could not be written"],
    [`restore ${file("a.tgz")}`, by, "Tags: the archive has no"],
    [`restore ${file("none.tgz")}`, by, "cannot be read"],
    [`restore ${file("noise.tgz")}`, by, "file: expected a gzip-compressed tar, got the file"],
    ["user list", gone, "does not answer: client error (Connect)"],
    ["health", gone, "does not answer: client error (Connect)"],
    ["user list", strange, "status 200, and not as faderd does"],
    [`backup ${file("b.tgz")}`, strange, "status 200, and not as faderd does"],
    [`restore ${file("a.tgz")}`, strange, "status 200, and not as faderd does"],
    ["log verify", strange, "status 200, and not as faderd does"],
    ["health", strange, "/health answers with status 200, and not as faderd does"],
  ];
  for (const [line, options, sentence] of rows) {
    assertStringIncludes(failure(await faderd(...line.split(" "), ...options)), sentence, line);
  }
  for (const name of ["b.tgz", "b.tgz.new"]) {
    assertEquals(await Deno.stat(file(name)).catch(() => "nothing"), "nothing");
  }
});

Deno.test("--url and --data exclude each other: with both the exit status is 2", async () => {
  const at = ["--url", "http://127.0.0.1:8080"];
  const token = "bffdc628-88e85b99-b86db9ef-9032ccac";
  const rows: readonly (readonly [line: string, options: string[], sentence: string])[] = [
    ["user list", [...at, "--data", "x"], "--data goes without --url"],
    ["backup a.tgz", [...at, "--config", "x"], "--config goes without --url"],
    ["user list", ["--token", token], "--token goes with --url"],
    ["user add a --groups 1", ["--token-file", "x"], "--token-file goes with --url"],
    ["restore a.tgz", ["--ca", "x"], "--ca goes with --url"],
    ["user list", [...at, "--token", "x"], "--token: expected one like xxxxxxxx-"],
    ["user list", [...at, "--token", token, "--token-file", "x"], "got both"],
    ["user list", ["--url", "127.0.0.1:8080"], "--url: expected one like http://"],
    ["user list", ["--url", "ws://127.0.0.1/api/ws"], "--url: expected one like http://"],
    ["log dump", at, "there is no option --url"],
    ["tls show", at, "--url: expected one like https://"],
    ["tls show", ["--url", "https://127.0.0.1:8443", "--data", "x"], "--data goes without --url"],
  ];
  for (const [line, options, sentence] of rows) {
    const said = failure(await faderd(...line.split(" "), ...options), 2);
    assertStringIncludes(said, sentence);
    assert(!said.includes(token));
  }
});

Deno.test("log verify and health report the state of a running service, also below the path of --url", async () => {
  await using scene = await started();
  const { url } = scene.service;
  const said = await faderd("log", "verify", "--url", url);
  const well = "the log was good when the service started, and all that is in force is stored";
  assertEquals([said.code, said.stdout], [0, `${url}: ${well}\n`]);
  assertEquals(JSON.parse((await faderd("health", "--url", url)).stdout).ready, true);
  await using proxy = stranger((request) =>
    request.url.endsWith("/desk/health")
      ? Response.json({ live: true, ready: true })
      : new Response("not here", { status: 404 })
  );
  assertEquals((await faderd("health", "--url", `${proxy.url}/desk/`)).code, 0);
});

Deno.test("--ca names the authority that signed the certificate of a service over HTTPS", async () => {
  await using scene = await started("--listen-tls", "127.0.0.1:0");
  const { data, service } = scene;
  const of = (name: string) => new URL(`./certificates/${name}.pem`, import.meta.url).pathname;
  const present = async (name: string) => {
    const content = await Deno.readTextFile(of(name));
    const archive = await archiveOf({ name: "tls.pem", content });
    assertEquals((await restoreTo(service, archive, ["TLS"], adminOf(service))).Error, undefined);
  };
  await present("one");
  const url = /HTTPS on (https:\S+?)(,|\n)/.exec(service.stdout)![1]!;
  const list = ["user", "list", "--url", url, "--token-file", `${data}/admin-token`];
  assertMatch((await faderd(...list, "--ca", of("ca"))).stdout, /^admin\t.*\n$/);
  assertStringIncludes(failure(await faderd(...list)), "UnknownIssuer");
  const health = ["health", "--url", url];
  assertStringIncludes((await faderd(...health, "--ca", of("ca"))).stdout, '"ready":true');
  assertStringIncludes(failure(await faderd(...health)), "UnknownIssuer");
  await present("authority");
  assertStringIncludes(
    failure(await faderd(...list, "--ca", of("authority"))),
    "is marked as that of a certificate authority; make it with " +
      "basicConstraints=critical,CA:FALSE",
  );
});
