/** What a start makes of a data folder: the first token, and whose data it is. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { TOKEN_FILE } from "../../program/first-token.ts";
import { demoWith } from "../service.ts";
import { temporaryFolder, tokenIn } from "./faderd.ts";
import { faderd, startFaderd } from "./in-process.ts";

async function isThere(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

Deno.test("without a terminal the first token is in a file for its owner alone, and nowhere said", async () => {
  await using folder = await temporaryFolder();
  const data = `${folder.path}/data`;
  await using running = await startFaderd("--data", data);
  const file = `${data}/${TOKEN_FILE}`;
  const token = tokenIn(running.stdout);
  assertEquals((await Deno.stat(file)).mode! & 0o777, 0o600);
  assertEquals(await Deno.readTextFile(file), `${token}\n`);
  assert(!`${running.stdout}${running.stderr}`.includes(token));
  assertStringIncludes(running.stdout, `is in ${file}, for the owner alone`);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${running.url}/api/rest/general/_name`, { headers });
  assertEquals(await answer.json(), "demo");
});

Deno.test("whoever is told that a first start is ready finds the token of the first user", async () => {
  await using folder = await temporaryFolder();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const started = startFaderd("--data", folder.path, "--listen", `127.0.0.1:${port}`);
  const ready = async () => {
    while (true) {
      const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
      if (answer !== undefined) return await answer.json();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  assertEquals((await ready()).ready, true);
  assert(await isThere(`${folder.path}/${TOKEN_FILE}`));
  await (await started)[Symbol.asyncDispose]();
});

const script = await new Deno.Command("sh", { args: ["-c", "command -v script"] }).output();

Deno.test({
  name: "on a terminal the first token is shown, and in no file",
  ignore: !script.success,
  async fn() {
    await using folder = await temporaryFolder();
    const data = `${folder.path}/data`;
    const main = new URL("../../main.ts", import.meta.url).pathname;
    const serve = `${Deno.execPath()} run --no-prompt --allow-net --allow-read --allow-write ` +
      `${main} serve --listen 127.0.0.1:0 --data ${data}`;
    const child = new Deno.Command("script", {
      args: ["-qfec", serve, `${folder.path}/typescript`],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    let said = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      said += piece;
      if (!said.includes("Try:")) continue;
      child.kill("SIGTERM");
      break;
    }
    await child.status;
    assertMatch(said, /shown only now:\s+TOKEN=[0-9a-f]{8}(-[0-9a-f]{8}){3}\s/);
    assertEquals(await isThere(`${data}/${TOKEN_FILE}`), false);
  },
});

Deno.test("the data of another console is not served as a demo console's, and nothing is written", async () => {
  await using folder = await temporaryFolder();
  const [data, config] = [`${folder.path}/data`, `${folder.path}/console.json`];
  const device = { name: "studio-1", serial: "0815" };
  await Deno.writeTextFile(config, JSON.stringify(demoWith({ device })));
  {
    await using running = await startFaderd("--data", data, "--config", config);
    running.kill("SIGTERM");
    await running.ended();
  }
  const names = () => [...Deno.readDirSync(data)].map(({ name }) => name).sort();
  const before = names();
  const { code, stdout, stderr } = await faderd("serve", "--listen", "127.0.0.1:0", "--data", data);
  assertEquals([code, stdout], [1, ""]);
  assertEquals(
    stderr,
    `faderd: ${data} is the data of studio-1 (serial number 0815), not of the demo console: ` +
      "name its configuration with --config\n",
  );
  assertEquals(names(), before);
});

Deno.test("that the data of one console becomes that of another is said, once", async () => {
  await using folder = await temporaryFolder();
  const [data, config] = [`${folder.path}/data`, `${folder.path}/console.json`];
  const said: boolean[] = [];
  for (const serial of ["1", "1", "2", "2"]) {
    await Deno.writeTextFile(config, JSON.stringify(demoWith({ device: { serial } })));
    await using running = await startFaderd("--data", data, "--config", config);
    running.kill("SIGTERM");
    const { stderr } = await running.ended();
    said.push(
      stderr.includes(
        `${data} was the data of faderd (serial number 1), and is that of faderd (2) from now on`,
      ),
    );
  }
  assertEquals(said, [false, false, true, false]);
});

Deno.test("a console without mixers, and a license that nothing depends on, are said at the start", async () => {
  await using folder = await temporaryFolder();
  const config = `${folder.path}/console.json`;
  const rows = [
    [{}, "faderd: the configuration has no mixer, so there is nothing to mix\n"],
    [demoWith({ licenses: ["52-1"] }), 'faderd: licenses: nothing depends on "52-1"; there are '],
  ] as const;
  for (const [at, [written, sentence]] of rows.entries()) {
    await Deno.writeTextFile(config, JSON.stringify(written));
    const data = `${folder.path}/data-${at}`;
    await using running = await startFaderd("--data", data, "--config", config);
    running.kill("SIGTERM");
    assertStringIncludes((await running.ended()).stderr, sentence);
  }
});
