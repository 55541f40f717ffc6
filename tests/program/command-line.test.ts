/** The commands of the program, each as a process. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Ended, temporaryFolder, tokenIn } from "./faderd.ts";
import { faderd } from "./in-process.ts";

/** Checks that a command failed with one clear line, and gives that line. */
function failure({ code, stdout, stderr }: Ended, status = 1): string {
  assertEquals([code, stdout], [status, ""], stderr);
  assertMatch(stderr, /^faderd: [^\n]+\n$/);
  return stderr;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

const commands = [
  ["serve", ["--listen HOST:PORT", "127.0.0.1:8080", "--config FILE", "--data DIR", "./data"]],
  ["user add", [
    "NAME",
    "--groups",
    "--may",
    "--expires",
    "--admin",
    "--engine",
    "--token",
    "--data DIR",
    "--url URL",
  ]],
  ["user list", ["--data DIR", "./data", "--url URL", "--token", "--token-file", "--ca"]],
  ["user remove", ["NAME", "--data DIR", "--url URL"]],
  ["backup", ["FILE", "--data DIR", "--url URL"]],
  ["restore", ["FILE", "--data DIR", "--url URL"]],
  ["log verify", ["--data DIR", "--url URL"]],
  ["tls pack", ["tls pack CERT KEY FILE"]],
  ["tls show", ["--data DIR"]],
  ["completions", ["SHELL"]],
  ["config check", ["FILE"]],
  ["config schema", []],
  ["version", []],
] as const;

Deno.test("--help of each command says how it is used, and does nothing else", async () => {
  await Promise.all(commands.map(async ([words, named]) => {
    for (const help of ["--help", "-h"]) {
      const { code, stdout, stderr } = await faderd(...words.split(" "), help);
      assertEquals([code, stderr], [0, ""], words);
      assertStringIncludes(stdout, `faderd ${words}`);
      for (const name of named) assertStringIncludes(stdout, name);
    }
  }));
});

Deno.test("--help alone lists every command, that of a group those of the group", async () => {
  const { code, stdout } = await faderd("--help");
  assertEquals(code, 0);
  for (const [words] of commands) assertStringIncludes(stdout, words);
  const group = await faderd("user", "--help");
  assertEquals(group.code, 0);
  assertStringIncludes(group.stdout, "user remove");
  assert(!group.stdout.includes("config check"));
});

Deno.test("help says the same as --help", async () => {
  const same = [
    [["help"], ["--help"]],
    [["help", "user"], ["user", "--help"]],
    [["help", "user", "add"], ["user", "add", "--help"]],
  ] as const;
  for (const [one, other] of same) assertEquals(await faderd(...one), await faderd(...other));
});

Deno.test("version prints the version of deno.json", async () => {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json"));
  for (const how of ["version", "--version"]) {
    assertEquals(await faderd(how), { code: 0, stdout: `${version}\n`, stderr: "" });
  }
});

Deno.test("what no command takes is one clear line and exit status 2; what fails is 1", async () => {
  const rows = [
    [["nosuch"], "nosuch"],
    [["user"], "user add"],
    [["user", "rename"], "user rename"],
    [["serve", "--nosuch"], "--nosuch"],
    [["serve", "extra"], "extra"],
    [["serve", "--listen"], "--listen"],
    [["serve", "--listen", "8080"], "8080"],
    [["serve", "--listen", "127.0.0.1:99999"], "99999"],
    [["serve", "--listen", "127.0.0.1:x"], "127.0.0.1:x"],
    [["user", "add"], "name"],
    [["user", "add", "anna", "--groups", "9"], "9"],
    [["user", "add", "anna", "--groups", "a"], "a"],
    [["user", "add", "anna"], "--groups"],
    [["user", "add", "anna", "--groups", "1", "--may", "all"], "--may"],
    [["config", "check"], "file"],
    [["completions", "tcsh"], "expected bash, zsh, fish, got tcsh"],
    [["api", "--openapi", "--websocket"], "got both"],
    [["serve", "--data", "/a", "--data", "/b"], "--data is given twice"],
    [["serve", "--data=/a", "--data", "/a"], "--data is given twice"],
    [["user", "add", "anna", "--groups", "1", "--admin", "--admin"], "--admin is given twice"],
  ] as const;
  await Promise.all(rows.map(async ([args, named]) => {
    assertStringIncludes(failure(await faderd(...args), 2), named);
  }));
  assertStringIncludes(failure(await faderd("config", "check", "/nowhere.json")), "/nowhere.json");
});

Deno.test("user add prints the token once; list and remove; the token is kept hashed", async () => {
  await using folder = await temporaryFolder();
  const data = ["--data", `${folder.path}/data`];
  const added = await faderd("user", "add", "anna", "--groups", "1,4", ...data);
  assertEquals([added.code, added.stderr], [0, ""]);
  assertMatch(added.stdout, /^[0-9a-f]{8}(-[0-9a-f]{8}){3}\n$/);
  const token = "bffdc628-88e85b99-b86db9ef-9032ccac";
  const second = await faderd(
    "user",
    "add",
    "bert",
    "--groups",
    "8",
    "--admin",
    "--engine",
    "--token",
    token,
    ...data,
  );
  assertEquals(second, { code: 0, stdout: `${token}\n`, stderr: "" });

  const list = async () =>
    (await faderd("user", "list", ...data)).stdout.replaceAll(/created \S+Z/g, "created TIME");
  const bert = "bert\tgroups 8\tcreated TIME\tmay configure\tlast used never\tadmin\tengine\n";
  const anna = "anna\tgroups 1,4\tcreated TIME\tmay operate\tlast used never\n";
  assertEquals(await list(), anna + bert);

  const taken = await faderd("user", "add", "anna", "--groups", "1", ...data);
  assertStringIncludes(failure(taken), "anna");
  failure(await faderd("user", "add", "carl", "--groups", "1", "--token", token, ...data));
  failure(await faderd("user", "add", "carl", "--groups", "1", "--token", "short", ...data));
  failure(await faderd("user", "add", "a b", "--groups", "1", ...data));

  assertEquals((await faderd("user", "remove", "anna", ...data)).code, 0);
  assertStringIncludes(failure(await faderd("user", "remove", "anna", ...data)), "anna");
  assertEquals(await list(), bert);

  const last = failure(await faderd("user", "remove", "bert", ...data));
  assertStringIncludes(last, "bert is the last admin: first add another");
  assertEquals(await list(), bert);

  for await (const { name } of Deno.readDir(`${folder.path}/data`)) {
    const content = await Deno.readTextFile(`${folder.path}/data/${name}`);
    for (const secret of [token, tokenIn(added.stdout)]) assert(!content.includes(secret), name);
  }
});

Deno.test("user list of a folder that is not there makes none", async () => {
  await using folder = await temporaryFolder();
  await faderd("user", "list", "--data", `${folder.path}/data`);
  assertEquals(await exists(`${folder.path}/data`), false);
});

Deno.test("config check says what is valid, or path and reason of every fault", async () => {
  await using folder = await temporaryFolder();
  const check = async (configuration: unknown) => {
    const file = `${folder.path}/${crypto.randomUUID()}.json`;
    await Deno.writeTextFile(
      file,
      typeof configuration === "string" ? configuration : JSON.stringify(configuration),
    );
    return await faderd("config", "check", file);
  };
  const valid = await check({ mixers: [{ faders: 8 }] });
  assertEquals([valid.code, valid.stderr], [0, ""]);
  assertMatch(valid.stdout, /is valid.*mixers: 1, faders: 8/);

  const empty = await check({});
  assertEquals([empty.code, empty.stderr], [0, ""]);
  assertMatch(empty.stdout, /has no mixer/);
  const unknown = await check({ licenses: ["52-8577", "52-8578"], mixers: [{ faders: 1 }] });
  assertMatch(unknown.stdout, /\nlicenses: nothing depends on "52-8578"; there are 52-8577, /);

  const wrongTypes = await check({
    device: { kind: "toaster", firmware: "ten" },
    mixers: [{ faders: -1 }, { faders: [{ channel: "1" }] }],
    limits: { maxMessageBytes: 1 },
    nosuch: true,
  });
  assertEquals(wrongTypes.code, 1);
  for (
    const path of [
      "device.kind",
      "device.firmware",
      "mixers.0.faders",
      "mixers.1.faders.0.channel",
      "limits.maxMessageBytes",
      "nosuch",
    ]
  ) {
    assertMatch(wrongTypes.stderr, new RegExp(`^ +${path.replaceAll(".", "\\.")}: \\S`, "m"), path);
  }

  const tooLarge = await check({ mixers: [{ faders: 4096, mutegroups: 4096 }] });
  assertEquals(tooLarge.code, 1);
  assertStringIncludes(tooLarge.stderr, "mixers.0 makes 17387537");

  const doubled = await check({
    mixers: [{ id: 0, faders: [{ channel: 7 }, { channel: 8 }] }, {
      id: 0,
      faders: [{ channel: 7 }],
    }],
    lists: [{ id: 1 }, { id: 1 }],
  });
  assertEquals(doubled.code, 1);
  for (const path of ["mixers", "channel", "lists"]) assertStringIncludes(doubled.stderr, path);

  for (const text of ["", "{", "[]", "null", "\ufffd"]) {
    assertEquals((await check(text)).code, 1, text);
  }
});

Deno.test("config schema is a JSON Schema that names every part of a configuration", async () => {
  const { code, stdout, stderr } = await faderd("config", "schema");
  assertEquals([code, stderr], [0, ""]);
  const schema = JSON.parse(stdout);
  assertMatch(schema.$schema, /json-schema\.org/);
  const parts =
    "device licenses restApi siteKey mixers processings globalLabels resources lists logics pots levels loudness routing selectors factorySnapshots websocket limits";
  for (const part of parts.split(" ")) assert(part in schema.properties, part);
});

Deno.test("a token where none belongs is not said again on standard error", async () => {
  const token = "01234567-89abcdef-01234567-89abcdef";
  for (const args of [["user", "list", token], ["config", "check", `/nowhere/${token}`], [token]]) {
    const { stdout, stderr } = await faderd(...args);
    assertEquals(stdout, "");
    assertStringIncludes(stderr, "***");
    assert(!stderr.includes("01234567"), stderr);
  }
});
