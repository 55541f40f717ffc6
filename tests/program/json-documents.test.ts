/** `--json`: each command prints one document, with the members that docs/operating.md lists. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Json } from "../service.ts";
import { faderd } from "./in-process.ts";
import { adminOf, archiveOf, restoreTo } from "./restores.ts";
import { sceneOf, stopped } from "./scene.ts";

const CONFIGURATION = {
  device: { name: "studio-1", serial: "0815" },
  mixers: [{ faders: 2 }],
  limits: { rest: { burst: 0 } },
};

const page = await Deno.readTextFile(new URL("../../docs/operating.md", import.meta.url));
/** The members of each document, by the words of its command. */
const documented = new Map(
  page.split("### JSON for programs")[1]!.split(/\n##+ /)[0]!.split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => {
      const [, command, members] = line.split("|");
      const words = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
      return [words(command!).join(" "), words(members!)] as const;
    }),
);
const untried = new Set(documented.keys());

/** Runs a command with `--json`, and asserts that its document has the members of the page. */
async function documentOf(command: string, ...options: string[]): Promise<Json> {
  const words = command.split(" ").filter((word) => !word.startsWith("--"));
  const { code, stdout, stderr } = await faderd(...words, ...options, "--json");
  assertEquals([code, stderr], [0, ""], command);
  const document = JSON.parse(stdout);
  for (const one of Array.isArray(document) ? document : [document]) {
    assertEquals(Object.keys(one).sort(), documented.get(command)?.toSorted(), command);
  }
  untried.delete(command);
  return document;
}

Deno.test("every document has the members that the page lists", async () => {
  await using scene = await sceneOf(CONFIGURATION);
  const { config, file, onData } = scene;
  const pem = new URL("./certificates/one.pem", import.meta.url);
  const tls = await archiveOf({ name: "tls.pem", content: await Deno.readTextFile(pem) });
  const service = await scene.start("--listen-tls", "127.0.0.1:0");
  await restoreTo(service, tls, ["TLS"], adminOf(service));
  const by = ["--url", service.url, "--token-file", file("data/admin-token")];
  const { name } = await documentOf("user add", "anna", "--groups", "1,4", ...by);
  assertEquals(name, "anna");
  const [, anna] = await documentOf("user list", ...by);
  assertEquals([anna.groups, anna.expires], [[1, 4], null]);
  assertEquals((await documentOf("health", "--url", service.url)).ready, true);
  assertEquals((await documentOf("log verify --url", ...by)).good, true);
  const https = /HTTPS on (https:[^\s,]+)/.exec(service.stdout)![1]!;
  const [shown] = await documentOf("tls show", "--url", https);
  await stopped(service);
  assertEquals(await documentOf("tls show", ...onData), [shown], "the same as in the folder");
  assertEquals(shown.names[0], "DNS:one.test");
  assertEquals(
    (await documentOf("doctor", ...scene.options, "--listen", "127.0.0.1:0")).well,
    true,
  );
  assertEquals((await documentOf("config check", config)).faders, 2);
  assertEquals((await faderd("copy", "save", file("a.copy"), ...scene.options)).code, 0);
  assertEquals((await documentOf("copy check", file("a.copy"))).serial, "0815");
  const { records, files } = await documentOf("log verify", ...onData);
  assert(records > 0 && files.length > 0);
  assertEquals((await documentOf("log repair", ...onData)).damage, null);
  const { before, after } = await documentOf("log compact", ...onData);
  assert(before > 0 && after > 0);
  const dropped = await documentOf("log drop-unknown", ...onData, "--config", config);
  assertEquals(dropped.dropped, []);
  assertEquals([...untried], [], "the page lists no others");
});

Deno.test("a failed check is in the document, and the command fails as without --json", async () => {
  await using scene = await sceneOf({ mixers: [{ faders: -1 }] });
  const { code, stdout, stderr } = await faderd("config", "check", scene.config, "--json");
  assertEquals(code, 1);
  const { valid, faults } = JSON.parse(stdout);
  assertEquals([valid, faults[0].path], [false, "mixers.0.faders"]);
  assertStringIncludes(stderr, "is not a valid configuration");

  await faderd("user", "add", "anna", "--groups", "1", ...scene.onData);
  const log = scene.file("data/00000001.log");
  const bytes = await Deno.readFile(log);
  await Deno.writeFile(log, bytes.fill(0, 0, 8192));
  const verified = await faderd("log", "verify", ...scene.onData, "--json");
  const document = JSON.parse(verified.stdout);
  assertEquals([verified.code, document.good], [1, false], verified.stderr);
  assertEquals(document.damage.file, "00000001.log");
});
