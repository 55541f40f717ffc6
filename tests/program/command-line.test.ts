/** The command line: help, wrong arguments, and the configuration. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { faderd as runProcess, FLAGS } from "./faderd.ts";
import { faderd } from "./in-process.ts";
import { failure, sceneOf } from "./scene.ts";

/** Words that the help of each command contains. */
const commands: Readonly<Record<string, string>> = {
  "serve": "--listen HOST:PORT 127.0.0.1:8080 --config FILE --data DIR ./data",
  "user add": "NAME --groups --may --expires --admin --engine --token --data DIR --url URL",
  "user list": "--data DIR ./data --url URL --token --token-file --ca",
  "user remove": "NAME --data DIR --url URL",
  "backup": "FILE --data DIR --url URL",
  "restore": "FILE --data DIR --url URL",
  "log verify": "--data DIR --url URL",
  "tls pack": "tls pack CERT KEY FILE",
  "tls show": "--data DIR",
  "copy save": "FILE --data DIR --config FILE --to FILE --passphrase-file FILE",
  "copy restore": "FILE --data DIR --config FILE --key FILE --passphrase-file FILE --replace",
  "doctor": "--data DIR --config FILE --listen HOST:PORT --json",
  "completions": "SHELL",
  "config check": "FILE",
  "config schema": "",
  "version": "",
};

Deno.test("--help of each command prints its usage, and does nothing else", async () => {
  for (const [words, named] of Object.entries(commands)) {
    for (const help of ["--help", "-h"]) {
      const { code, stdout, stderr } = await faderd(...words.split(" "), help);
      assertEquals([code, stderr], [0, ""], words);
      for (const name of [`faderd ${words}`, ...named.split(" ")]) {
        assertStringIncludes(stdout, name);
      }
    }
  }
});

Deno.test("--help alone lists every command, --help of a group the commands of the group", async () => {
  const { code, stdout } = await faderd("--help");
  assertEquals(code, 0);
  for (const words of Object.keys(commands)) assertStringIncludes(stdout, words);
  const group = await faderd("user", "--help");
  assertStringIncludes(group.stdout, "user remove");
  assert(!group.stdout.includes("config check"));
});

Deno.test("help prints the same as --help", async () => {
  for (const words of [[], ["user"], ["user", "add"]]) {
    assertEquals(await faderd("help", ...words), await faderd(...words, "--help"));
  }
});

Deno.test("version prints the version of deno.json", async () => {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json"));
  for (const how of ["version", "--version"]) {
    assertEquals(await faderd(how), { code: 0, stdout: `${version}\n`, stderr: "" });
  }
});

Deno.test("as a process, too, a command has its exit status, and writes to the right streams", async () => {
  const rows = [["version", 0], ["config check /nowhere.json", 1], ["nosuch", 2]] as const;
  for (const [line, status] of rows) {
    const ended = await runProcess(...line.split(" "));
    assertEquals(ended, await faderd(...line.split(" ")));
    assertEquals(ended.code, status, line);
  }
});

/** Wrong command lines, and a part of the message about each. */
const WRONG: readonly (readonly [line: string, named: string])[] = [
  ["nosuch", "nosuch"],
  ["user", "user add"],
  ["user rename", "user rename"],
  ["helth", 'there is no command "helth" (did you mean health?)'],
  ["user lsit", "(did you mean user list?)"],
  ["users remove anna", "(did you mean user remove?)"],
  ["completion bash", "(did you mean completions?)"],
  ["backup a.tgz --tag TLS", "there is no option --tag (did you mean --tags?); see faderd backup"],
  ["serve --confgi=a.json", "(did you mean --config?)"],
  ["serve -data a", "(did you mean --data?)"],
  ["serve --nosuch", "--nosuch"],
  ["fleet do --expires -1", "the value -1 needs =, as in --option=-1; see faderd fleet do --help"],
  ["fleet do --expires=-1 --all --set /a=1", "--expires: expected"],
  ["serve extra", "extra"],
  ["serve --listen", "--listen"],
  ["serve --listen 8080", "8080"],
  ["serve --listen 127.0.0.1:99999", "99999"],
  ["serve --listen 127.0.0.1:x", "127.0.0.1:x"],
  ["serve --log-format loud", "--log-format: expected text, json"],
  ["serve --log-level loud", "--log-level: expected debug, info, warning"],
  ["user add", "name"],
  ["user add anna --groups 9", "9"],
  ["user add anna --groups a", "a"],
  ["user add anna", "--groups"],
  ["config check", "file"],
  ["completions tcsh", "expected bash, zsh, fish, got tcsh"],
  ["api --openapi --websocket", "got both --openapi and --websocket"],
  ["tls pack", "cert is missing; see faderd tls pack --help"],
  ["tls pack a b", "file is missing"],
  ["tls pack a b c d", '"d" is one argument too many'],
  ["tls show --url http://127.0.0.1:8080", "--url: expected one like https:"],
  ["tls show --url https://127.0.0.1:8443 --data a", "--data goes without --url"],
  ["health --url 8080", "--url: expected one like"],
  ["serve --data /a --data /b", "--data is given twice"],
  ["serve --data=/a --data /a", "--data is given twice"],
  ["user add anna --groups 1 --admin --admin", "--admin is given twice"],
];

Deno.test("a wrong command line prints one line and has exit status 2; a failure has 1", async () => {
  for (const [line, named] of WRONG) {
    assertStringIncludes(failure(await faderd(...line.split(" ")), 2), named);
  }
  assertStringIncludes(failure(await faderd("config", "check", "/nowhere.json")), "/nowhere.json");
});

/** Configurations with faults, and the paths in the message. */
const FAULTS: readonly (readonly [configuration: object, paths: string[]])[] = [
  [
    {
      device: { kind: "toaster", firmware: "ten" },
      mixers: [{ faders: -1 }, { faders: [{ channel: "1" }] }],
      limits: { maxMessageBytes: 1 },
      nosuch: true,
    },
    [
      "device.kind",
      "device.firmware",
      "mixers.0.faders",
      "mixers.1.faders.0.channel",
      "limits.maxMessageBytes",
      "nosuch",
    ],
  ],
  [{ mixers: [{ faders: 4096, mutegroups: 4096 }] }, ["mixers.0 makes 17502225"]],
  [
    {
      mixers: [
        { id: 0, faders: [{ channel: 7 }, { channel: 8 }] },
        { id: 0, faders: [{ channel: 7 }] },
      ],
      lists: [{ id: 1 }, { id: 1 }],
    },
    ["mixers", "channel", "lists"],
  ],
];

Deno.test("config check prints that a file is valid, or path and reason of every fault", async () => {
  await using scene = await sceneOf({});
  const check = async (configuration: object | string) => {
    if (typeof configuration === "string") Deno.writeTextFileSync(scene.config, configuration);
    else scene.configure(configuration);
    return await faderd("config", "check", scene.config);
  };
  const valid = [
    [{ mixers: [{ faders: 8 }] }, /is valid.*mixers: 1, faders: 8/],
    [{}, /has no mixer/],
    [
      { licenses: ["52-8577", "52-8578"], mixers: [{ faders: 1 }] },
      /\nlicenses: unknown "52-8578"; the known licenses are 52-8577, /,
    ],
  ] as const;
  for (const [configuration, said] of valid) {
    const { code, stdout, stderr } = await check(configuration);
    assertEquals([code, stderr], [0, ""]);
    assertMatch(stdout, said);
  }
  for (const [configuration, paths] of FAULTS) {
    const { code, stderr } = await check(configuration);
    assertEquals(code, 1);
    for (const path of paths) assertStringIncludes(stderr, path);
  }
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

Deno.test("api prints all interfaces, those over HTTP as OpenAPI and those over WebSocket as AsyncAPI or JSON Schemas", async () => {
  const printed = async (...options: string[]) =>
    JSON.parse((await faderd("api", ...options)).stdout);
  assertEquals((await printed()).errorCodes.malformed, 1);
  assertEquals((await printed("--openapi")).openapi, "3.1.0");
  assertEquals((await printed("--asyncapi")).asyncapi, "3.0.0");
  const { $defs } = await printed("--websocket");
  assertEquals($defs.update.properties.method, { const: "update" });
});

Deno.test("output that is not read to its end is no fault: faderd api | head", async () => {
  await using scene = await sceneOf({});
  await faderd("user", "add", "anna", "--groups", "1", ...scene.onData);
  for (const command of [["api"], ["log", "dump", ...scene.onData]]) {
    const args = [...FLAGS, ...command];
    const child = new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "piped" })
      .spawn();
    await child.stdout.cancel();
    const { code } = await child.status;
    assertEquals([code, await new Response(child.stderr).text()], [141, ""], command[0]);
  }
});

Deno.test("a token at a wrong place of the command line is not printed on standard error", async () => {
  const token = "01234567-89abcdef-01234567-89abcdef";
  for (const args of [["user", "list", token], ["config", "check", `/nowhere/${token}`], [token]]) {
    const { stdout, stderr } = await faderd(...args);
    assertEquals(stdout, "");
    assertStringIncludes(stderr, "***");
    assert(!stderr.includes("01234567"), stderr);
  }
});
